/** What an editor asks of OpenAI's API → a request of ours. */
import { HttpError } from "@dhi/core/http-error";
import type { OpenaiCompletionHeaders, OpenaiCompletionRequest } from "@dhi/core/openai-protocol";
import { type FimRequestInput, type LegName, usualLegs } from "@dhi/core/protocol";
import { liveFile } from "../files/read-file.ts";
import type { Workspaces } from "../workspaces.ts";
import { locateFile } from "./locate-file.ts";
import { type AroundCursor, parseFimPrompt } from "./parse-fim-prompt.ts";
import { widen } from "./widen.ts";

/** Shown in the prompt; no file of the index. */
const NO_PATH = "untitled";
/** They need to know which file it is. */
const BY_FILE: ReadonlySet<LegName> = new Set(["siblings", "tests"]);
/** The most that `POST /v1/fim` takes; the server's own limit is less. */
const MOST_TOKENS = 2048;

/** @throws {HttpError} 400 for a prompt in a format that is not known, and as {@link Workspaces.placeOf} */
export function toFimRequest(
  body: OpenaiCompletionRequest,
  { "x-session-id": session, "x-dhi-path": inHeader }: OpenaiCompletionHeaders,
  workspaces: Pick<Workspaces, "placeOf">,
): FimRequestInput {
  const sent = aroundCursor(body);
  const given = body.path ?? (inHeader || undefined);
  const { path, ...around } =
    given === undefined ? located(sent, body, workspaces) : { ...sent, path: given };
  const sessionId = session || body.user || undefined;
  return {
    ...around,
    path: path ?? NO_PATH,
    ...(path === undefined && { legs: usualLegs.filter((leg) => !BY_FILE.has(leg)) }),
    ...(body.languageId !== undefined && { languageId: body.languageId }),
    ...(body.workspace !== undefined && { workspace: body.workspace }),
    ...(sessionId !== undefined && { sessionId }),
    ...(body.max_tokens && { maxTokens: Math.min(body.max_tokens, MOST_TOKENS) }),
  };
}

/** @returns the code with what its file has around it; as it was sent when no file is found */
function located(
  around: AroundCursor,
  { workspace }: OpenaiCompletionRequest,
  { placeOf }: Pick<Workspaces, "placeOf">,
): AroundCursor & { readonly path: string | undefined } {
  const db = placeOf({ workspace }).workspace.index.get();
  const path = db && locateFile(db, around);
  const file = db && path !== undefined ? liveFile(db, path) : undefined;
  return { ...(file ? widen(around, file.text) : around), path };
}

/** Zed's own models get edits and regions to rewrite, which is no filling in. */
const OF_ZETA = /<\|editable_region_start\|>|<\|user_cursor(_is_here)?\|>/;

function aroundCursor({ prompt, suffix }: OpenaiCompletionRequest): AroundCursor {
  if (suffix !== undefined && suffix !== null) return { prefix: prompt, suffix };
  const parsed = parseFimPrompt(prompt);
  if (parsed) return parsed;
  if (!OF_ZETA.test(prompt)) return { prefix: prompt, suffix: "" };
  throw new HttpError(
    400,
    "unknown_prompt_format",
    "prompt: this is one of Zed's own models' formats, which no fill-in-the-middle model knows",
    'In Zed\'s settings: "prompt_format": "qwen".',
  );
}
