/** Random trees with random rules in them, drawn from few names so that rules often meet files. */
import fc from "fast-check";

const name = fc.constantFrom(
  "a",
  "b",
  "ab",
  "a.ts",
  "b.log",
  "c d",
  "a.b.ts",
  "[x]",
  "é",
  "#h",
  "!n",
  "A",
  "z ",
);
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));

const segment = fc.oneof(
  { weight: 4, arbitrary: name },
  { weight: 1, arbitrary: fc.constantFrom("*", "**", "?", "*.ts", "*.log", "a*", "*b", "a?", "***", "**a") },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "[ab]",
      "[!a]",
      "[^b]*",
      "[a-c]",
      "[[:alpha:]]",
      "\\a",
      "\\[x\\]",
      "[x",
      "a\\ ",
    ),
  },
);
const pattern = fc
  .tuple(
    fc.constantFrom("", "", "", "!", "!", "\\!", "#", "\\#"),
    fc.constantFrom("", "", "/"),
    fc.array(segment, { minLength: 1, maxLength: 3 }),
    fc.constantFrom("", "", "/", "/*", "/**"),
    fc.constantFrom("", "", "", " ", "\\ ", "\t", "\r"),
  )
  .map(([mark, start, segments, end, tail]) => mark + start + segments.join("/") + end + tail);

/** What a `.gitignore` may hold. */
export const ignoreFile = fc
  .tuple(
    fc.constantFrom("", "", "\uFEFF"),
    fc.array(
      fc.oneof(
        { weight: 9, arbitrary: pattern },
        { weight: 1, arbitrary: fc.constantFrom("", " ", "!", "/", "\\") },
      ),
      {
        maxLength: 6,
      },
    ),
    fc.constantFrom("\n", ""),
  )
  .map(([start, lines, end]) => start + lines.join("\n") + end);

/** path → content; no file lies where another needs a folder. */
export const fileTree: fc.Arbitrary<Record<string, string>> = fc
  .tuple(
    fc.array(path, { minLength: 3, maxLength: 12 }),
    fc.array(fc.tuple(fc.nat(), ignoreFile), { minLength: 1, maxLength: 4 }),
  )
  .map(([paths, ignoreFiles]) => {
    const files: Record<string, string> = {};
    for (const path of paths) if (!isTaken(path, files)) files[path] = "";
    const folders = ["", ...Object.keys(files).flatMap(foldersOf)];
    for (const [at, content] of ignoreFiles) files[`${folders[at % folders.length]}.gitignore`] = content;
    return files;
  });

const isTaken = (path: string, files: Record<string, string>): boolean =>
  Object.keys(files).some(
    (other) => other === path || other.startsWith(`${path}/`) || path.startsWith(`${other}/`),
  );

/** `a/b/c` → `a/`, `a/b/` */
function foldersOf(path: string): string[] {
  const names = path.split("/");
  return names.slice(1).map((_, i) => `${names.slice(0, i + 1).join("/")}/`);
}
