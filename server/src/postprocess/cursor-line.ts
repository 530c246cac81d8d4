/** The line the cursor is in, and the lines around it. */

/** No line that people write is longer; minified ones are not worth reading whole at each keystroke. */
const MAX_LINE = 1000;
const MAX_LINES_AROUND = 20;

/** Left of the cursor; the last 1,000 characters at most. */
export function beforeCursor(prefix: string): string {
  const line = prefix.slice(-MAX_LINE);
  return line.slice(line.lastIndexOf("\n") + 1);
}

/** Right of the cursor, without the line end; the first 1,000 characters at most. */
export function afterCursor(suffix: string): string {
  const line = suffix.slice(0, MAX_LINE);
  const end = line.indexOf("\n");
  return withoutCr(end < 0 ? line : line.slice(0, end));
}

/** Whether nothing but this line may be completed: code stands right of the cursor, or the request says so. */
export const isOneLine = ({
  suffix,
  singleLine,
}: {
  readonly suffix: string;
  readonly singleLine?: boolean | undefined;
}): boolean => singleLine === true || afterCursor(suffix).trim() !== "";

/** The nearest lines above the cursor's that are not blank, at most 20, top down, without trailing blanks. */
export function linesAbove(prefix: string): readonly string[] {
  const near = prefix.slice(-MAX_LINE * 4).split("\n");
  // The cursor's own line, and one that the slice may have cut.
  const whole = near.slice(prefix.length > MAX_LINE * 4 ? 1 : 0, -1);
  return notBlank(whole).slice(-MAX_LINES_AROUND);
}

/** The nearest lines below the cursor's that are not blank, at most 20, without trailing blanks. */
export function linesBelow(suffix: string): readonly string[] {
  const near = suffix.slice(0, MAX_LINE * 4).split("\n");
  const whole = near.slice(1, suffix.length > MAX_LINE * 4 ? -1 : undefined);
  return notBlank(whole).slice(0, MAX_LINES_AROUND);
}

/** @returns the text up to, and without, the line break before its `index`th line, 0-based */
export function firstLines(text: string, index: number): string {
  if (index === 0) return "";
  let end = -1;
  for (let line = 0; line < index; line++) {
    end = text.indexOf("\n", end + 1);
    if (end < 0) return text;
  }
  return withoutCr(text.slice(0, end));
}

const withoutCr = (line: string): string => (line.endsWith("\r") ? line.slice(0, -1) : line);

const notBlank = (lines: readonly string[]): string[] =>
  lines.map((line) => line.trimEnd()).filter((line) => line !== "");
