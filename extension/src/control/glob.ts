/** The globs of `dhi.excludeGlobs`: `*`, `?`, `**`, `{a,b}` and `[abc]`, case aside. */

/**
 * The folder that is open may lie inside the one that the server serves, so a glob matches from any folder on: one file too
 * many is held back rather than one too few.
 *
 * @param path relative to the workspace, with `/`
 * @param globs one that begins with a slash matches from the workspace only; one that names a folder, all that lies in it
 * @returns the first that matches
 */
export function matchingGlob(path: string, globs: readonly string[]): string | undefined {
  return globs.find((glob) => compiled(glob).test(path));
}

const cache = new Map<string, RegExp>();

function compiled(glob: string): RegExp {
  const known = cache.get(glob);
  if (known) return known;
  const pattern = glob.replace(/^\.?\//, "").replace(/\/$/, "");
  const anywhere = glob.startsWith("/") ? "" : "(?:.*/)?";
  const regex = new RegExp(`^${anywhere}${source(pattern)}(?:/.*)?$`, "is");
  cache.set(glob, regex);
  return regex;
}

/** `**` spans folders; a brace or bracket that is never closed stands for itself. */
const TOKENS = /\*\*\/|\*\*|\*|\?|\{[^{}]*\}|\[[^\]/]+\]|[\s\S]/g;

const source = (pattern: string): string => (pattern.match(TOKENS) ?? []).map(tokenSource).join("");

function tokenSource(token: string): string {
  if (token === "**/") return "(?:.*/)?";
  if (token === "**") return ".*";
  if (token === "*") return "[^/]*";
  if (token === "?") return "[^/]";
  if (token.length > 1 && token.startsWith("{"))
    return `(?:${token.slice(1, -1).split(",").map(source).join("|")})`;
  if (token.length > 1 && token.startsWith("[")) return classSource(token.slice(1, -1));
  return literal(token);
}

function classSource(inside: string): string {
  const not = /^[!^]/.test(inside) && inside.length > 1;
  const chars = (not ? inside.slice(1) : inside).replace(/[\\\]^[]/g, "\\$&");
  // A range written backwards is no pattern at all.
  return /(.)-(.)/.test(chars) && !isForward(chars) ? literal(`[${inside}]`) : `[${not ? "^" : ""}${chars}]`;
}

const isForward = (chars: string): boolean =>
  [...chars.matchAll(/(.)-(.)/g)].every(([, from = "", to = ""]) => from <= to);

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
