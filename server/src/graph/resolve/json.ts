/** Configuration as people write it: with comments, trailing commas and a byte order mark. */
import type { z } from "zod";
import type { Tree } from "../tree.ts";

/** Strings are matched too, so that nothing inside them is taken for a comment. */
const COMMENT = /"(?:\\.|[^"\\])*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
const TRAILING_COMMA = /"(?:\\.|[^"\\])*"|,(?=\s*[}\]])/g;

/** @returns `undefined` for what is missing, broken or of another shape */
export function readJson<T extends object>(tree: Tree, path: string, schema: z.ZodType<T>): T | undefined {
  const { value } = tree.once(`json ${path}`, () => ({ value: parseJson(tree.text(path)) }));
  return schema.safeParse(value).data;
}

function parseJson(text: string): unknown {
  const keepStrings = (match: string) => (match.startsWith('"') ? match : "");
  try {
    return JSON.parse(
      text
        .replace(/^\ufeff/, "")
        .replace(COMMENT, keepStrings)
        .replace(TRAILING_COMMA, keepStrings),
    );
  } catch {
    return undefined;
  }
}
