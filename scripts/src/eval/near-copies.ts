/** Files that stand twice in a package (a build beside its source, a vendored copy) would give the answer away. */

/** A file of whose lines so many stand in one earlier file is a copy of it. */
const COPY_SHARE = 0.8;
/** Shorter lines (`}`, `return`) stand in all files. */
const MIN_LINE = 12;

/** @returns the files that are no copy of one before them, in order */
export function withoutCopies<T extends { readonly text: string }>(files: readonly T[]): T[] {
  const holders = new Map<string, number[]>();
  return files.filter((file, at) => {
    const lines = tellingLines(file.text);
    const shared = new Map<number, number>();
    for (const line of lines)
      for (const holder of holders.get(line) ?? []) shared.set(holder, (shared.get(holder) ?? 0) + 1);
    if (lines.size > 0 && Math.max(0, ...shared.values()) >= lines.size * COPY_SHARE) return false;
    for (const line of lines) {
      const known = holders.get(line) ?? [];
      known.push(at);
      holders.set(line, known);
    }
    return true;
  });
}

const tellingLines = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line.length >= MIN_LINE),
  );
