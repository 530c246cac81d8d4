/** Makes another file of one, as a colleague's project would have it: other names and numbers, the same shape. */

/**
 * Half of the longer names get a word behind them, always the same half and the same word for one copy: so names that
 * belong together, paths and import specifiers included, still do. Keywords stay, and what is parsed before is parsed after.
 *
 * @param copy 0 leaves the text as it is
 */
export function renameIdentifiers(text: string, copy: number): string {
  if (copy === 0) return text;
  const word = wordOf(copy);
  return text.replace(NAME_OR_NUMBER, (token) => {
    if (/^\d/.test(token)) return String(Number(token) + copy);
    return isRenamed(token, copy) ? withWord(token, word) : token;
  });
}

/** The same for a path: its extension stays, and so does what a tool expects under its name (`mod.rs`, `__init__.py`). */
export function renamePath(path: string, copy: number): string {
  const dot = path.lastIndexOf(".");
  return dot > path.lastIndexOf("/") + 1
    ? renameIdentifiers(path.slice(0, dot), copy) + path.slice(dot)
    : renameIdentifiers(path, copy);
}

/** A readable name for a copy, also for its folder. */
export const wordOf = (copy: number): string => {
  const word = WORDS[copy % WORDS.length] ?? "";
  return copy < WORDS.length ? word : `${word}${Math.floor(copy / WORDS.length)}`;
};

const NAME_OR_NUMBER = /(?<![\w$.])[1-9]\d{1,3}(?![\w.])|(?<![\w$])[A-Za-z$][\w$]{3,}/g;

function withWord(name: string, word: string): string {
  if (/^[A-Z][A-Z\d_]*$/.test(name)) return `${name}_${word.toUpperCase()}`;
  if (/[A-Z]/.test(name)) return name + word.charAt(0).toUpperCase() + word.slice(1);
  return `${name}_${word}`;
}

function isRenamed(name: string, copy: number): boolean {
  if (KEPT.has(name)) return false;
  let hash = 0x811c9dc5 ^ copy;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  hash ^= hash >>> 15;
  return (Math.imul(hash, 0x85ebca6b) >>> 16) % 2 === 0;
}

const WORDS = [
  ..."main amber birch cedar delta ember fjord grove haven inlet jasper karst lotus maple".split(" "),
  ..."nimbus ocean pearl quartz raven sable topaz umber violet willow xenon yarrow zephyr".split(" "),
];

/** Keywords of the six languages, what tags and attributes their files are made of, and names that everybody has. */
const KEPT: ReadonlySet<string> = new Set(
  `abstract accessor append assert asserts async await bigint bool boolean break byte case catch chan char class code
  cell_type cells compl concept console const constructor continue crate debugger declare default defer deferred del
  delete derive Dict double dyn each elif else elseif enum error except execution_count export exports extends extern
  fallthrough false False final finally float float32 float64 from func function global globals goto html html impl
  implements import imports index infer init instanceof int16 int32 int64 interface into isize join keyof lambda lang
  length list List long loop macro_rules main make markdown match metadata module move name namespace native nbformat
  nbformat_minor never None nonlocal null number object operator Option outputs output override package panic pass
  permits print println private proc property protected public raise range readonly record require Result return rune
  satisfies script sealed select self Self setup short signed sizeof slot snippet some Some source static staticmethod
  str strictfp String string struct style super svelte switch symbol synchronized template test tests text this throw
  throws trait transient true True try tuple type typeof uint uint32 uint64 undefined union unique unknown unsafe usize
  using value values var virtual void volatile when where while with yield`.split(/\s+/),
);
