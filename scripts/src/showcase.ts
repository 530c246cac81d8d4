/** One real completion in the user's own code, whose name another file defines: the proof that retrieval works there. */
import { languageOf } from "@dhi/core/languages";
import type { FimDone } from "@dhi/core/protocol";
import { describeError } from "@dhi/core/upstream-error";
import type { WorkspaceSetting } from "@dhi/core/workspaces";
import type { DhiClient } from "./dhi-client.ts";
import { type Candidate, findCandidates } from "./find-candidates.ts";
import { readSourceFiles } from "./source-files.ts";

export interface Shown {
  readonly candidate: Candidate;
  readonly done: FimDone;
  /** How much of what we hoped for it shows; see {@link worthOf}. */
  readonly worth: number;
}

export interface ShowcaseResult {
  /** Where it was found, when there are several. */
  readonly workspace: string | undefined;
  /** The best of the completions that were not empty. */
  readonly shown: Shown | undefined;
  readonly tries: number;
  /** Why each try showed nothing: reason → how often. */
  readonly reasons: Readonly<Record<string, number>>;
}

const MOST_TRIES = 12;
const TRY_TIMEOUT_MS = 60_000;
/** Of all tries: a cold model on a laptop needs most of it for the first. */
const TIMEOUT_MS = 120_000;
/** As much as an editor sends. */
const PREFIX_CHARS = 20_000;
const SUFFIX_CHARS = 8_000;

/** @returns of the first workspace that has one; of the last when none has */
export async function findShowcase(
  workspaces: readonly WorkspaceSetting[],
  client: DhiClient,
  signal: AbortSignal,
): Promise<ShowcaseResult> {
  const deadline = Date.now() + TIMEOUT_MS;
  let result: ShowcaseResult = { workspace: undefined, shown: undefined, tries: 0, reasons: {} };
  for (const { name, path } of workspaces) {
    result = await showcaseIn(path, workspaces.length > 1 ? name : undefined, client, deadline, signal);
    if (result.shown) break;
  }
  return result;
}

async function showcaseIn(
  folder: string,
  workspace: string | undefined,
  client: DhiClient,
  deadline: number,
  signal: AbortSignal,
): Promise<ShowcaseResult> {
  const reasons: Record<string, number> = {};
  let shown: Shown | undefined;
  let tries = 0;
  for (const candidate of findCandidates(await readSourceFiles(folder), MOST_TRIES)) {
    if (Date.now() > deadline) break;
    tries++;
    const done = await ask(client, candidate, workspace, signal);
    signal.throwIfAborted();
    if (typeof done === "string" || !done.completion.trim()) {
      const reason = typeof done === "string" ? done : done.reason;
      reasons[reason] = (reasons[reason] ?? 0) + 1;
      continue;
    }
    const worth = worthOf(done, candidate);
    if (!shown || worth > shown.worth) shown = { candidate, done, worth };
    if (worth === 3) break;
  }
  return { workspace, shown, tries, reasons };
}

/** 3: completes the name and drew on the file that defines it; 2: completes the name; 1: another text. */
export function worthOf(done: FimDone, { name, typed, definedIn }: Candidate): 1 | 2 | 3 {
  const completesName = new RegExp(`^${name}(?!\\w)`).test(typed + done.completion);
  if (!completesName) return 1;
  return done.sources.some((source) => source.path === definedIn.path) ? 3 : 2;
}

/** @returns the answer, or in one line why there is none */
async function ask(
  client: DhiClient,
  candidate: Candidate,
  workspace: string | undefined,
  signal: AbortSignal,
): Promise<FimDone | string> {
  const request = {
    workspace,
    path: candidate.path,
    languageId: languageOf(candidate.path).id,
    prefix: wellFormed(candidate.prefix.slice(-PREFIX_CHARS)),
    suffix: wellFormed(candidate.suffix.slice(0, SUFFIX_CHARS)),
    trigger: "manual" as const,
  };
  try {
    return await client.complete(request, AbortSignal.any([signal, AbortSignal.timeout(TRY_TIMEOUT_MS)]));
  } catch (error) {
    return describeError(error);
  }
}

/** A cut may split a surrogate pair, and a file may hold what the wire refuses. */
const wellFormed = (text: string) => text.toWellFormed().replaceAll("\0", "");
