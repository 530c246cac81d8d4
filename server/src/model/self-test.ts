/** One small completion that shows whether a model really fills in the middle, or only chats about it. */
import { fimRequest } from "@dhi/core/protocol";
import type { Engine } from "../engines/engine.ts";
import { type FimFormat, leaksOf, sentinelTokens } from "../prompt/fim-format.ts";

/** What is wrong with the model in this format, in words; undefined when nothing is. */
export type Finding = string | undefined;

export interface TestResult {
  readonly finding: Finding;
  /** Into the gap; left out when it was not asked that far. */
  readonly wrote?: string | undefined;
}

/** The code around the gap. */
export const GAP = { before: "def add(a, b):\n    return a ", after: "\n\n\nprint(add(1, 2))\n" } as const;
/** Enough for a chat's first sentence, little enough for a slow CPU. */
const MAX_TOKENS = 24;

/**
 * Judges by what only a model of another kind does, and not by how good the text is.
 *
 * @throws {UpstreamError} when the engine fails, which says nothing about the model
 */
export async function selfTest(engine: Engine, format: FimFormat, signal: AbortSignal): Promise<TestResult> {
  const { opening = "", prefix, suffix, middle, order } = format;
  const ask = (before: string, after: string, maxTokens: number) => {
    const block =
      order === "PSM" ? prefix + before + suffix + after + middle : suffix + after + prefix + before + middle;
    const request = fimRequest.parse({ path: "add.py", languageId: "python", prefix: before, suffix: after });
    return engine.generate({ prompt: opening + block, request }, { stop: format.stop, maxTokens }, signal);
  };
  const { usage } = await ask("", "", 1);
  const inPieces = piecesOf(format, usage.promptTokens);
  if (inPieces) return { finding: inPieces };
  const { text } = await ask(GAP.before, GAP.after, MAX_TOKENS);
  return { finding: chatIn(text, format), wrote: text };
}

/** Sentinels that are no special tokens are read as text, several tokens each. */
function piecesOf(format: FimFormat, promptTokens: number | null): Finding {
  const sentinels = sentinelTokens(format).length;
  // A token that opens every text, and the blanks and line ends that some families have between sentinels.
  const most = 2 * sentinels + 3;
  if (promptTokens === null || promptTokens <= most) return undefined;
  return `it reads ${format.prefix.trim()} as text (${promptTokens} tokens for ${sentinels} sentinels)`;
}

const FENCE = /^\s*```/;
/** How a chat begins its answer; code that begins with these words goes on in another way. */
const PROSE =
  /^\s*(Sure|Certainly|Of course|Okay|Here(?:'s| is| are)|It (?:looks|seems)|I(?:'m| am|'ll| will| can| see)|You can|This (?:code|function|is)|The (?:code|function|given|provided|following)|To (?:complete|fill|fix))\b[ ,!:]/;

function chatIn(text: string, format: FimFormat): Finding {
  const shown = JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
  if (FENCE.test(text) || PROSE.test(text)) return `it chats instead of filling in: ${shown}`;
  // Behind the text a model may write one, and it is cut off; at the start there is no text at all.
  const leak = leaksOf(format).find(
    (token) => token.trim() !== "" && text.trimStart().startsWith(token.trim()),
  );
  if (leak !== undefined) return `it answers with ${leak}: ${shown}`;
  return undefined;
}
