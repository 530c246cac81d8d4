/** How often a model is right where it is so sure: what a least mean log-probability would show and withhold. */
import { fimRequest } from "@dhi/core/protocol";
import type { Engine } from "@dhi/server/engines/engine";
import type { SourceFile } from "../source-files.ts";
import type { Random } from "./random.ts";
import type { Section } from "./sections.ts";

/** A line that was completed. */
export interface Sure {
  readonly meanLogprob: number;
  /** It is what stood there, but for white space at its ends. */
  readonly isRight: boolean;
}

export interface LineCursor {
  /** The end of what stands left of the cursor. */
  readonly prefix: string;
  /** The rest of the line. */
  readonly line: string;
}

/** Some 200 tokens: a processor reads them in a second or two. */
const PREFIX_CHARS = 700;
/** Further up there is too little to go by. */
const MIN_ABOVE = 300;
const MIN_LINE = 4;
const MAX_TOKENS = 32;

/** @returns one for each of some files: behind a line's indentation, or between two words of it */
export function lineCursors(files: readonly SourceFile[], count: number, random: Random): LineCursor[] {
  const found: LineCursor[] = [];
  for (let tries = 0; found.length < count && tries < 20 * count; tries++) {
    const { text } = random.pick(files);
    const at = MIN_ABOVE + random.below(Math.max(1, text.length - MIN_ABOVE));
    const start = text.lastIndexOf("\n", at) + 1;
    const end = text.indexOf("\n", at);
    const whole = text.slice(start, end < 0 ? text.length : end);
    const places = [...whole.matchAll(/(?<=^\s*|\W)(?=\w)/g)].map(({ index }) => index);
    if (!places.length || start < MIN_ABOVE) continue;
    const cursor = random.pick(places);
    const line = whole.slice(cursor);
    if (line.trim().length < MIN_LINE) continue;
    found.push({ prefix: text.slice(Math.max(0, start + cursor - PREFIX_CHARS), start + cursor), line });
  }
  return found;
}

/**
 * @param engine asked with the text left of the cursor alone, as a model without infill is
 * @returns `undefined` where it writes nothing, or does not tell how sure it is
 */
export async function completeLine(
  engine: Engine,
  { prefix, line }: LineCursor,
  signal: AbortSignal,
): Promise<Sure | undefined> {
  const input = { prompt: prefix, request: fimRequest.parse({ path: "a", prefix, suffix: "\n" }) };
  const options = { stop: ["\n"], maxTokens: MAX_TOKENS };
  const { text, meanLogprob } = await engine.generate(input, options, signal);
  if (meanLogprob === null || text.trim() === "") return undefined;
  return { meanLogprob, isRight: text.trim() === line.trim() };
}

const THRESHOLDS = [-0.5, -0.75, -1, -1.25, -1.5, -2, -2.5, -3];

/** @returns a row for each least mean log-probability, and one for none */
export function confidenceSection(title: string, lines: readonly Sure[]): Section {
  const right = lines.filter(({ isRight }) => isRight).length;
  const rows = [...THRESHOLDS, Number.NEGATIVE_INFINITY].map((least) => {
    const shown = lines.filter(({ meanLogprob }) => meanLogprob >= least);
    const rightShown = shown.filter(({ isRight }) => isRight).length;
    return [
      Number.isFinite(least) ? least.toFixed(2) : "none",
      share(shown.length, lines.length),
      share(rightShown, shown.length),
      share(right - rightShown, right),
      share(lines.length - right - (shown.length - rightShown), lines.length - right),
    ];
  });
  return {
    title,
    head: [
      "least mean log-probability",
      "shown",
      "right of shown",
      "right ones withheld",
      "wrong ones withheld",
    ],
    rows,
    notes: [`- ${lines.length} lines, ${right} of them right.`],
  };
}

const share = (part: number, all: number): string =>
  all === 0 ? "–" : `${((100 * part) / all).toFixed(1)} %`;
