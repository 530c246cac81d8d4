/** How a file indents. */

export const indentOf = (line: string): string => /^[^\S\r\n]*/.exec(line)?.[0] ?? "";

export const TAB_COLUMNS = 4;

/** In columns, a tab counted as 4. */
export function columnsOf(indent: string): number {
  let columns = 0;
  for (const character of indent) columns += character === "\t" ? TAB_COLUMNS : 1;
  return columns;
}

/** A level of indentation: a tab, or so many spaces. */
export type IndentUnit = "\t" | 2 | 3 | 4 | 8;

const UNITS: readonly IndentUnit[] = [2, 3, 4, 8];
/** A step seen less often may be an alignment. */
const MIN_STEPS = 2;
/** Characters of either side that are looked at. */
const NEAR = 8_000;

/** @returns `undefined` when too little is indented, or not in one way */
export function indentUnitOf({
  prefix,
  suffix,
}: {
  readonly prefix: string;
  readonly suffix: string;
}): IndentUnit | undefined {
  const above = prefix
    .slice(-NEAR)
    .split("\n")
    .slice(prefix.length > NEAR ? 1 : 0, -1);
  const below = suffix.slice(0, NEAR).split("\n").slice(1);
  const lines = [...above, ...below].filter((line) => line.trim() !== "");
  const tabs = lines.filter((line) => line.startsWith("\t")).length;
  const spaces = lines.filter((line) => line.startsWith("  ")).length;
  if (tabs >= MIN_STEPS && tabs > 4 * spaces) return "\t";
  if (spaces < MIN_STEPS || spaces <= 4 * tabs) return undefined;

  // A continuation may be indented by more than a block.
  const blocks = stepsIn(lines, /[{:]\s*$/);
  const [best] = [...(blocks.size > 0 ? blocks : stepsIn(lines, /$/))].sort(([, a], [, b]) => b - a);
  return best && best[1] >= MIN_STEPS ? UNITS.find((unit) => unit === best[0]) : undefined;
}

/** How often each step follows a line that `opener` matches. */
function stepsIn(lines: readonly string[], opener: RegExp): ReadonlyMap<number, number> {
  const steps = new Map<number, number>();
  for (const [i, line] of lines.entries()) {
    const above = lines[i - 1];
    if (above === undefined || !opener.test(above)) continue;
    const step = columnsOf(indentOf(line)) - columnsOf(indentOf(above));
    if (step > 0) steps.set(step, (steps.get(step) ?? 0) + 1);
  }
  return steps;
}
