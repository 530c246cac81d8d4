/** Takes the code out of a chat answer: no fences, no talk around them. */
import { languageOf } from "@dhi/core/languages";
import { beforeCursor } from "./cursor-line.ts";
import { literalIn } from "./scan.ts";
import type { Step, StepContext } from "./step.ts";
import { surroundingsOf } from "./surroundings.ts";

/** Where people write sentences and fences themselves. */
const PROSE_LANGUAGES = new Set(
  "markdown plaintext mdx restructuredtext asciidoc latex tex html git-commit jupyter-notebook".split(" "),
);
const FENCE = /^[^\S\n]*(?:`{3,}|~{3,})[\w+#.-]*[^\S\n]*\r?$/m;
const ANY_FENCE = new RegExp(FENCE, "gm");
/** How chat models begin. Followed by more words: `Sure` alone may be a name. */
const TALK =
  /^\s*(?:(?:sure|certainly|of course|okay|absolutely|great question)[,!.:]?\s+(?:here|i|let|the|this|to|you)\b|here(?:'s|’s|\s+is|\s+are)\s+(?:the|a|an|your|my|how|what|some|one)\b|i(?:'m|’m|\s+am)\s+(?:sorry|unable|an ai)\b|i\s+(?:cannot|can't|apologi[sz]e)\b|as an ai\b|unfortunately,?\s+i\b|to complete (?:the|this|your) code\b|(?:the|this) (?:completed?|updated|following|missing|above) code\b|below is the\b)/i;

export const takeCode: Step = (text, { request }) => {
  if (!FENCE.test(text) && !TALK.test(text)) return text;
  const [first, second] = [...text.matchAll(ANY_FENCE)];
  if (isProse(request, first !== undefined)) return text;
  const talk = first ? text.slice(0, first.index) : text;
  if (!first) return { drop: "prose" };
  // Code first: the fence is its end.
  if (talk.trim() !== "" && !TALK.test(talk)) return talk.replace(/\r?\n$/, "");
  const code = text.slice(first.index + first[0].length + 1, second?.index ?? text.length);
  const inner = withoutEcho(code.replace(/\r?\n$/, ""), beforeCursor(request.prefix));
  return inner.trim() === "" ? { drop: "prose" } : inner;
};

/** In comments and strings, sentences are what is wanted; fences only where such a text has lines. */
function isProse(request: StepContext["request"], hasFence: boolean): boolean {
  if (PROSE_LANGUAGES.has(request.languageId || languageOf(request.path ?? "").id)) return true;
  const around = surroundingsOf(request);
  const literal = around && literalIn(around.open);
  return literal !== undefined && (!hasFence || (literal.lines && literal.open !== '"'));
}

/** An answer has whole lines, so it often begins with what stands left of the cursor. */
function withoutEcho(code: string, before: string): string {
  const written = before.trimStart();
  // A bracket alone may come again.
  if (!/[\p{L}\p{N}]/u.test(written)) return code;
  const start = code.trimStart();
  return start.startsWith(written) ? start.slice(written.length) : code;
}
