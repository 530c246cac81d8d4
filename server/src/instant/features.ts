/** What is known of each candidate, in numbers of about the same size, for `ranker.ts` to weigh. */
import { logOdds } from "./calibration.ts";
import type { Candidate } from "./evidence.ts";
import type { InScope } from "./in-scope.ts";
import type { Kinds } from "./kinds.ts";
import { isWord } from "./lexer.ts";
import { fits, type NamesOfFile, type NameUses, usesOf } from "./name-uses.ts";
import type { KnownCall } from "./symbols.ts";
import { LINE_END, type Vocabulary } from "./vocabulary.ts";

/** What stands before the cursor, as far as it bears on what comes next. */
export interface Surroundings {
  readonly vocabulary: Vocabulary;
  /** Word → how many tokens back it was used last: before the cursor, or for what is not near before its line. */
  readonly lastUse: ReadonlyMap<number, number>;
  /** Tokens of the cursor's line so far. */
  readonly line: readonly number[];
  /** Characters of a word that are there already; 0 when none is being completed. */
  readonly typedLength: number;
  readonly guessed: Guessed;
  readonly kinds: Kinds;
  /** Of the open file. */
  readonly names: NamesOfFile;
  /** How often a word stands in the repository. */
  usesInRepository(id: number): number;
  /** In how many files of the repository it is defined. */
  definitions(id: number): number;
  /** What can stand behind the dot, or be imported → share; empty where that is not known. */
  readonly members: ReadonlyMap<number, number>;
  /** The call whose arguments are being written, where it is known. */
  readonly call: KnownCall | undefined;
  readonly inScope: ReadonlyMap<number, InScope>;
}

/** The tokens between the cursor and the one that is asked for. */
export interface Guessed {
  readonly tokens: number;
  /** That all of them are right; what is asked for is what comes next if they are. */
  readonly confidence: number;
}

/** Of the candidates together. */
interface Field {
  readonly matched: number;
  readonly renamed: number;
  readonly probability: number;
  readonly second: number;
  readonly likeness: number;
  readonly namesAround: number;
  readonly same: number;
  /** Behind a dot. */
  readonly isMember: boolean;
  readonly open: string;
  readonly hasOpenBracket: boolean;
  /** Largest share of a member. */
  readonly member: number;
}

const CLASSES = ["name", "keyword", "number", "open", "close", "quote", "end", "space", "other"] as const;
type TokenClass = (typeof CLASSES)[number];

/** In their order; after them comes one for each class of tokens. */
export const FEATURE_NAMES = [
  "probability",
  "probability in the open file",
  "probability in the repository",
  "lead over the others",
  "match",
  "match, less than the longest",
  "match under other names",
  "match under other names, less than the longest",
  "support",
  "support in the open file",
  "lines below are the same",
  "match, share of the line",
  "match under other names, share of the line",
  "used before",
  "used before, how far",
  "used in this line",
  "closes what is open",
  "ends the line with a bracket open",
  "share of names",
  "what is missing of the word",
  "guessed tokens",
  "confidence of the guessed tokens",
  "matches above",
  "matches above, how far",
  "likeness of the places",
  "likeness of the places in the open file",
  "likeness of lines that begin alike",
  "likeness, names around",
  "likeness, same tokens",
  "kind, share",
  "kind, share of the base",
  "uses in the open file",
  "uses in the open file, like this one",
  "uses in the open file, how far the first",
  "uses in the repository",
  "looks of the name, capital",
  "looks of the name, underscore",
  "symbols: member",
  "symbols: member, share",
  "symbols: imported",
  "symbols: imported, and not used yet",
  "symbols: of a head around the cursor",
  "symbols: in the block or one around it",
  "symbols: definitions",
  "symbols: called as the parameter is",
  "symbols: is one of the parameters",
  "symbols: closes a call with too few arguments",
  "symbols: closes a call with all arguments",
  "symbols: goes on after all arguments",
] as const;

/** Those two that {@link Guessed} gives, in the order of {@link FEATURE_NAMES} and of the features of none. */
export const GUESSED_FEATURE = FEATURE_NAMES.indexOf("guessed tokens");
export const NONE_GUESSED_FEATURE = 6;

export const CANDIDATE_FEATURES = FEATURE_NAMES.length + CLASSES.length;
export const NONE_FEATURES = 16 + CLASSES.length;

export interface Features {
  /** {@link CANDIDATE_FEATURES} of each, one candidate after another. */
  readonly candidates: Float64Array;
  /** {@link NONE_FEATURES} of the case that it is none of them. */
  readonly none: readonly number[];
}

export function featuresOf(candidates: readonly Candidate[], around: Surroundings): Features {
  const field = fieldOf(candidates, around);
  const all = new Float64Array(candidates.length * CANDIDATE_FEATURES);
  candidates.forEach((candidate, i) => {
    all.set(candidateFeatures(candidate, field, around), i * CANDIDATE_FEATURES);
  });
  return { candidates: all, none: noneFeatures(candidates.length, field, around) };
}

function candidateFeatures(c: Candidate, field: Field, around: Surroundings): number[] {
  const { vocabulary, lastUse, line, typedLength, guessed, kinds, names, usesInRepository } = around;
  const text = vocabulary.text(c.id);
  const kind = classOf(c.id, vocabulary);
  const isName = kind === "name";
  const own = usesOf(names, c.id);
  const used = lastUse.get(c.id);
  const others = c.probability === field.probability ? field.second : field.probability;
  const inLine = line.includes(c.id);
  return [
    logOdds(c.probability),
    Math.log(c.openProbability + 0.01),
    Math.log(c.repositoryProbability + 0.01),
    Math.log((c.probability + 0.01) / (others + 0.01)),
    Math.log1p(c.matched),
    Math.log1p(field.matched) - Math.log1p(c.matched),
    Math.log1p(c.renamed),
    Math.log1p(field.renamed) - Math.log1p(c.renamed),
    Math.log1p(c.support),
    Math.log1p(c.openSupport),
    c.aligned / 4,
    Math.min(1, c.matched / (line.length + 1)),
    Math.min(1, c.renamed / (line.length + 1)),
    used === undefined ? 0 : 1,
    used === undefined ? 0 : Math.log1p(used) / 4,
    inLine && isName ? 1 : 0,
    kind === "close" ? (closes(field.open, text) ? 1 : -1) : 0,
    kind === "end" && field.hasOpenBracket ? 1 : 0,
    Math.log(c.share + 0.001) / 4,
    typedLength > 0 ? (text.length > typedLength ? Math.log1p(text.length - typedLength) : -1) : 0,
    Math.log1p(guessed.tokens),
    Math.log(guessed.confidence),
    c.distance > 0 ? 1 : 0,
    Math.log1p(c.distance) / 4,
    logShare(c.likeness),
    logShare(c.openLikeness),
    logShare(c.lineLikeness),
    c.namesAround / 8,
    c.same / 8,
    logShare(kinds.share(c.id, c.spaced)),
    typedLength > 0 ? 0 : Math.log(c.share + 0.0003) / 2,
    own ? Math.log1p(own.uses) : 0,
    isName ? (own ? fits(own, field.isMember) : UNUSED) : 0,
    own ? Math.log1p(own.first) / 4 : 0,
    isName ? Math.log1p(usesInRepository(c.id)) / 4 : 0,
    isName && /^[A-Z]/.test(text) ? 1 : 0,
    isName && text.includes("_") ? 1 : 0,
    ...symbolFeatures(c.id, text, { kind, own, around }),
    ...CLASSES.map((name) => (name === kind ? 1 : 0)),
  ];
}

/** Those whose names begin with `symbols`, in their order. */
function symbolFeatures(
  id: number,
  text: string,
  {
    kind,
    own,
    around: { members, call, inScope, definitions },
  }: { readonly kind: TokenClass; readonly own: NameUses | undefined; readonly around: Surroundings },
): number[] {
  const member = members.get(id);
  const scope = inScope.get(id);
  const isName = kind === "name";
  const missing = call ? call.parameters.length - call.argument - Number(!call.isAtStart) : 0;
  return [
    member !== undefined ? 1 : isName && members.size > 0 ? -1 : 0,
    member === undefined ? 0 : 1 + Math.log(member + 0.01) / 4,
    isName && own && own.imported > 0 ? 1 : 0,
    isName && own && own.imported > 0 && own.imported === own.uses ? 1 : 0,
    isName && scope === "head" ? 1 : 0,
    isName && scope === "block" ? 1 : 0,
    isName ? Math.log1p(definitions(id)) / 2 : 0,
    isName && call?.isAtStart && text === call.parameters[call.argument] ? 1 : 0,
    isName && call?.isAtStart && call.parameters.includes(text) ? 1 : 0,
    call && text === ")" && missing > 0 ? 1 : 0,
    call && text === ")" && missing <= 0 ? 1 : 0,
    call && text === "," && missing <= 0 ? 1 : 0,
  ];
}

function noneFeatures(
  candidates: number,
  { matched, renamed, probability, second, likeness, namesAround, same, member }: Field,
  around: Surroundings,
): number[] {
  const before = classOf(around.line.at(-1) ?? LINE_END, around.vocabulary);
  return [
    Math.log1p(matched),
    Math.log1p(renamed),
    logOdds(probability),
    logOdds(second),
    Math.log1p(candidates),
    Math.log1p(around.typedLength),
    Math.log1p(around.guessed.tokens),
    Math.log(around.guessed.confidence),
    around.kinds.name,
    around.kinds.share(LINE_END, false),
    likeness,
    namesAround / 8,
    same / 8,
    around.members.size > 0 ? 1 : 0,
    member,
    around.call ? 1 : 0,
    ...CLASSES.map((name) => (name === before ? 1 : 0)),
  ];
}

function fieldOf(candidates: readonly Candidate[], { vocabulary, line, members }: Surroundings): Field {
  let [matched, renamed, probability, second] = [0, 0, 0, 0];
  let [likeness, namesAround, same] = [0, 0, 0];
  for (const c of candidates) {
    matched = Math.max(matched, c.matched);
    renamed = Math.max(renamed, c.renamed);
    likeness = Math.max(likeness, c.likeness);
    namesAround = Math.max(namesAround, c.namesAround);
    same = Math.max(same, c.same);
    if (c.probability > probability) [probability, second] = [c.probability, probability];
    else second = Math.max(second, c.probability);
  }
  const open: string[] = [];
  for (const id of line) {
    const text = vocabulary.text(id);
    if (OPENING.has(text)) open.push(text);
    else if (closes(open.at(-1) ?? "", text)) open.pop();
  }
  let member = 0;
  for (const share of members.values()) member = Math.max(member, share);
  return {
    ...{ matched, renamed, probability, second, likeness, namesAround, same, member },
    ...{ open: open.at(-1) ?? "", hasOpenBracket: open.length > 0 },
    isMember: vocabulary.isDot(line.at(-1) ?? LINE_END),
  };
}

/** How a name that the open file does not use fits in there. */
const UNUSED = -0.5;

const OPENING = new Set(["(", "[", "{"]);
const CLOSING: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };
const closes = (open: string, text: string): boolean => open !== "" && CLOSING[text] === open;

function classOf(id: number, vocabulary: Vocabulary): TokenClass {
  if (id === LINE_END) return "end";
  if (vocabulary.isLineBreak(id)) return "end";
  const text = vocabulary.text(id);
  if (vocabulary.isName(id)) return isWord(text) ? "name" : "number";
  if (isWord(text)) return "keyword";
  if (OPENING.has(text)) return "open";
  if (CLOSING[text] !== undefined) return "close";
  if (/^["'`]$/.test(text)) return "quote";
  return text.trim() === "" ? "space" : "other";
}

/** Shares below 0.3 % are all the same. */
const logShare = (share: number): number => Math.log(share + 0.003) / 2;
