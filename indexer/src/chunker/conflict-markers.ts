/** The lines that git writes around both sides of a conflict; `|||||||` and what is below it with merge.conflictStyle=diff3. */
const MARKER = /^(?:<{7}|\|{7}|>{7})(?: .*)?$|^={7}$/gm;

/** Some grammars lose the definitions around them. @returns text of the same length */
export function withoutConflictMarkers(code: string): string {
  // A row of `=` alone is a heading.
  if (!/^<{7} /m.test(code)) return code;
  return code.replace(MARKER, (line) => " ".repeat(line.length));
}
