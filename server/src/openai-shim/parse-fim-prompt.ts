/** A prompt that an editor rendered for some model → the code around the cursor, so that it is rendered anew for ours. */
import { families } from "../prompt/families.ts";

export interface AroundCursor {
  readonly prefix: string;
  readonly suffix: string;
}

/** Sentinels of a family, each in its own place; `middle` is empty where the prompt ends with the code. */
interface Marks {
  readonly prefix: string;
  readonly suffix: string;
  readonly middle: string;
}

const allMarks: readonly Marks[] = [
  ...new Map(
    families.map(({ format: { prefix, suffix, middle } }): [string, Marks] => [
      JSON.stringify([prefix, suffix, middle]),
      { prefix, suffix, middle },
    ]),
  ).values(),
];

/**
 * Of the two orders that families are trained in, the prompt's own counts, whatever is usual for the family. What stands
 * before its first mark (names of repository and file, other files) is left out.
 *
 * @returns `undefined` for a prompt that is none of a known family, and for one whose code holds such marks itself, so that
 * nobody can tell which are meant
 */
export function parseFimPrompt(prompt: string): AroundCursor | undefined {
  for (const marks of allMarks) {
    const found = parseAs(prompt, marks);
    if (found) return found;
  }
  return undefined;
}

function parseAs(prompt: string, { prefix, suffix, middle }: Marks): AroundCursor | undefined {
  if (middle && !prompt.trimEnd().endsWith(middle.trimEnd())) return undefined;
  const prefixAt = onlyPlaceOf(prefix, prompt);
  const suffixAt = onlyPlaceOf(suffix, prompt);
  const end = middle ? onlyPlaceOf(middle.trimEnd(), prompt) : prompt.length;
  if (prefixAt === undefined || suffixAt === undefined || end === undefined) return undefined;
  return prefixAt < suffixAt
    ? {
        prefix: prompt.slice(prefixAt + prefix.length, suffixAt),
        suffix: prompt.slice(suffixAt + suffix.length, end),
      }
    : {
        suffix: prompt.slice(suffixAt + suffix.length, prefixAt),
        prefix: prompt.slice(prefixAt + prefix.length, end),
      };
}

function onlyPlaceOf(mark: string, prompt: string): number | undefined {
  const at = prompt.indexOf(mark);
  return at >= 0 && at === prompt.lastIndexOf(mark) ? at : undefined;
}
