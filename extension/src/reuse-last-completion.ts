/** What is left of an earlier completion while the user types what it suggested, or takes some of that back. */

/** A completion, and the code around the cursor that it was made for. */
export interface ShownCompletion {
  readonly path: string;
  readonly prefix: string;
  readonly suffix: string;
  /** Not empty. */
  readonly completion: string;
}

export type CursorContext = Pick<ShownCompletion, "path" | "prefix" | "suffix">;

/** One per change of mind on a line: enough for a user who types something else, deletes it, and is where they were. */
const KEPT = 8;

/** @returns newest first */
export function remember(shown: readonly ShownCompletion[], latest: ShownCompletion): ShownCompletion[] {
  return [latest, ...shown].slice(0, KEPT);
}

/** @returns the text still to insert at the cursor, or `undefined` when no earlier completion says */
export function reuseLastCompletion(
  shown: readonly ShownCompletion[],
  now: CursorContext,
): string | undefined {
  for (const last of shown) {
    const rest = whatIsLeft(last, now);
    if (rest) return rest;
  }
  return undefined;
}

function whatIsLeft(last: ShownCompletion, now: CursorContext): string | undefined {
  if (now.path !== last.path || !now.prefix.startsWith(last.prefix)) return undefined;
  const typed = now.prefix.slice(last.prefix.length);
  if (!last.completion.startsWith(typed)) return undefined;
  const rest = last.completion.slice(typed.length);
  if (now.suffix === last.suffix) return rest;
  // Typing an opening bracket or quote put its partner behind the cursor, where the completion has it too.
  const closed = autoClosed(typed, now.suffix, last.suffix);
  return closed && rest.endsWith(closed) ? rest.slice(0, -closed.length) : undefined;
}

const PARTNER: Readonly<Record<string, string>> = {
  "(": ")",
  "[": "]",
  "{": "}",
  '"': '"',
  "'": "'",
  "`": "`",
};

/** @returns the partners that the editor added in front of the old suffix, or `undefined` when it changed otherwise */
function autoClosed(typed: string, suffix: string, before: string): string | undefined {
  for (let added = ""; added.length <= typed.length; ) {
    const next = suffix[added.length];
    if (next === undefined || !openers(typed).includes(next)) return undefined;
    added += next;
    if (isBehind(suffix.slice(added.length), before, added.length)) return added;
  }
  return undefined;
}

const openers = (typed: string): string[] => [...typed].flatMap((char) => PARTNER[char] ?? []);

/** Suffixes are windows of one size: what came in at the front may have pushed as much out at the end. */
const isBehind = (rest: string, before: string, added: number): boolean =>
  rest === before || (rest.length === before.length - added && before.startsWith(rest));
