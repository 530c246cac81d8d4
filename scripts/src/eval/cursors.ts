/** Places to complete at, cut out of real files: what stands before and after them, and what really came between. */
import { createRandom, pickSome, type Random } from "../bench/random.ts";
import { codeIdentifiers, maskedLine } from "./code-identifiers.ts";
import type { Corpus, CorpusFile } from "./corpus.ts";
import { type DefinitionSite, type Facts, goldOf } from "./facts.ts";
import { groupBy } from "./group-by.ts";

export const cursorKinds = ["next-line", "mid-line", "mid-identifier", "body"] as const;
/**
 * Where in the code: at the start of a line behind its indentation; between two tokens of it; inside an identifier that
 * is defined elsewhere; at the start of a function's body.
 */
export type CursorKind = (typeof cursorKinds)[number];

export interface Cursor {
  /** Package, path, line, column and kind: the same in every run. */
  readonly id: string;
  readonly package: string;
  readonly path: string;
  readonly language: string;
  readonly kind: CursorKind;
  readonly prefix: string;
  /** What really came: the rest of the line, of a body up to ten lines. Begins and ends without a line break. */
  readonly continuation: string;
  readonly suffix: string;
  /** 1-based. */
  readonly line: number;
  /** Identifiers of the continuation, the one the cursor stands in whole; each once. */
  readonly identifiers: readonly string[];
  /** Where those of them are defined that only other files of the package define; never empty. */
  readonly gold: readonly DefinitionSite[];
}

const MOST_BODY_LINES = 10;
/** Shorter identifiers have no inside. */
const MIN_SPLIT = 4;
/** Data and prose in lines. */
const MOST_LINE_CHARS = 240;
/** A round over kinds, so that any number of cursors has about the same mix. */
const ROUND: readonly CursorKind[] = [
  ...(["next-line", "mid-line", "mid-identifier", "next-line", "body"] as const),
  ...(["mid-line", "mid-identifier", "body"] as const),
];

/**
 * File after file gives one cursor, in a random order of files, so that `n` cursors are the first of any more.
 *
 * @returns fewer than `n` when the package has no more lines that use another file's definitions
 */
export function cutCursors(corpus: Corpus, facts: Facts, n: number, seed: number): Cursor[] {
  const random = createRandom(seed);
  const files = pickSome([...corpus.files.values()].filter(isCode), corpus.files.size, random);
  let open = files.map((file) => placesIn(file, facts, createRandom(random.below(2 ** 31))));
  const cursors: Cursor[] = [];
  while (open.length && cursors.length < n) {
    const left: Places[] = [];
    for (const places of open) {
      if (cursors.length === n) break;
      const cut = places.next(ROUND[cursors.length % ROUND.length] ?? "next-line");
      if (!cut) continue;
      cursors.push({ ...cut, package: corpus.name, id: `${corpus.name}/${cut.id}` });
      left.push(places);
    }
    open = left;
  }
  return cursors;
}

type Cut = Omit<Cursor, "package">;

interface Places {
  /** @returns one of the wanted kind; of another when there is none; `undefined` when all are used up */
  next(wanted: CursorKind): Cut | undefined;
}

/** A line is used once. Nothing is looked at before it is needed, since most of a package never is. */
function placesIn(file: CorpusFile, facts: Facts, random: Random): Places {
  let bodies: LineRange[] | undefined;
  let lines: number[] | undefined;
  const used = new Set<number>();
  function nextBody(): Cut | undefined {
    bodies ??= shuffled(bodiesOf(file, facts), random);
    for (let body = bodies.pop(); body; body = bodies.pop()) {
      const cut = linesIn(body).some((line) => used.has(line)) ? undefined : cutBody(file, facts, body);
      if (!cut) continue;
      for (const line of linesIn(body)) used.add(line);
      return cut;
    }
    return undefined;
  }
  function nextLine(kind: Exclude<CursorKind, "body">): Cut | undefined {
    lines ??= shuffled(bodyLinesOf(file, facts), random);
    for (let line = lines.pop(); line !== undefined; line = lines.pop()) {
      const cut = used.has(line) ? undefined : cutLine(file, facts, line, kind, random);
      if (!cut) continue;
      used.add(line);
      return cut;
    }
    return undefined;
  }
  return {
    next: (wanted) => (wanted === "body" ? (nextBody() ?? nextLine("next-line")) : nextLine(wanted)),
  };
}

const shuffled = <T>(items: readonly T[], random: Random): T[] => pickSome(items, items.length, random);

const isCode = ({ language }: CorpusFile): boolean => !/^(vue|svelte|astro)$/.test(language);

interface LineRange {
  /** 1-based and inclusive. */
  readonly first: number;
  readonly last: number;
}

const linesIn = ({ first, last }: LineRange): number[] =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i);

function bodyLinesOf(file: CorpusFile, facts: Facts): number[] {
  const bodies = facts.functionsOf(file.path).flatMap((site) => bodyOf(file, site) ?? []);
  return [...new Set(bodies.flatMap(linesIn))];
}

function bodiesOf(file: CorpusFile, facts: Facts): LineRange[] {
  return facts.functionsOf(file.path).flatMap((site) => {
    const body = bodyOf(file, site);
    if (!body) return [];
    let last = Math.min(body.last, body.first + MOST_BODY_LINES - 1);
    while ((file.lines[last - 1] ?? "").trim() === "") last--;
    return [{ first: body.first, last }];
  });
}

/** @returns the lines between a function's head and its end; `undefined` for one that has none of its own */
export function bodyOf({ lines, family }: CorpusFile, site: DefinitionSite): LineRange | undefined {
  const opens = family === "python" ? /:\s*(#.*)?$/ : /\{\s*(\/\/.*)?$/;
  let head = site.nameLine;
  while (head < site.endLine && !opens.test(lines[head - 1] ?? "")) head++;
  let first = head + 1;
  let last = family === "python" ? site.endLine : site.endLine - 1;
  const quote = /^\s*[rRuU]?("""|''')/.exec(lines[first - 1] ?? "")?.[1];
  if (family === "python" && quote) {
    const opening = (lines[first - 1] ?? "").replace(quote, "");
    if (!opening.includes(quote)) while (++first <= last && !(lines[first - 1] ?? "").includes(quote));
    first++;
  }
  while (first <= last && (lines[first - 1] ?? "").trim() === "") first++;
  while (first <= last && (lines[last - 1] ?? "").trim() === "") last--;
  return first <= last ? { first, last } : undefined;
}

/** @returns those names of the line that other files define, with where */
function goldNames(file: CorpusFile, facts: Facts, line: number): Map<string, readonly DefinitionSite[]> {
  const text = file.lines[line - 1] ?? "";
  const gold = new Map<string, readonly DefinitionSite[]>();
  if (text.length > MOST_LINE_CHARS || /^\s*(import|from|use|package|export \*|\/\/|#|\*|\/\*)/.test(text))
    return gold;
  for (const name of codeIdentifiers(text, file.family)) {
    const sites = goldOf(facts, name, file, line);
    if (sites.length) gold.set(name, sites);
  }
  return gold;
}

function cutLine(
  file: CorpusFile,
  facts: Facts,
  line: number,
  kind: Exclude<CursorKind, "body">,
  random: Random,
): Cut | undefined {
  const text = file.lines[line - 1] ?? "";
  const gold = goldNames(file, facts, line);
  // Most lines: they need not be cut to see that.
  if (gold.size === 0) return undefined;
  const columns = columnsFor(kind, text, file, new Set(gold.keys()));
  if (!columns.length) return undefined;
  return cut(file, facts, { kind, first: line, last: line, column: random.pick(columns) });
}

function columnsFor(
  kind: Exclude<CursorKind, "body">,
  text: string,
  { family }: CorpusFile,
  names: ReadonlySet<string>,
): number[] {
  const indent = text.length - text.trimStart().length;
  if (kind === "next-line") return [indent];
  const code = maskedLine(text, family);
  const tokens = [...code.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*|\p{N}+|[^\s\p{L}\p{N}_$]/gu)];
  const golden = tokens.filter(([token]) => names.has(token));
  if (kind === "mid-line") {
    const lastGold = golden.at(-1)?.index ?? 0;
    return tokens
      .slice(1)
      .map(({ index }) => index)
      .filter((index) => index <= lastGold);
  }
  return golden
    .filter(([token]) => token.length >= MIN_SPLIT)
    .flatMap(({ 0: token, index }) => Array.from(token.slice(1), (_, i) => index + 1 + i));
}

const cutBody = (file: CorpusFile, facts: Facts, { first, last }: LineRange): Cut | undefined => {
  const text = file.lines[first - 1] ?? "";
  return cut(file, facts, { kind: "body", first, last, column: text.length - text.trimStart().length });
};

interface CutPlace extends LineRange {
  readonly kind: CursorKind;
  /** In the first line, 0-based. */
  readonly column: number;
}

function cut(file: CorpusFile, facts: Facts, { kind, first, last, column }: CutPlace): Cut | undefined {
  const { lines, path, family } = file;
  const before = lines.slice(0, first - 1);
  const text = lines[first - 1] ?? "";
  const prefix = [...before, text.slice(0, column)].join("\n");
  const middle = [text, ...lines.slice(first, last)];
  const continuation = [text.slice(column), ...middle.slice(1)].join("\n");
  const after = lines.slice(last);
  const started = /[\p{L}_$][\p{L}\p{N}_$]*$/u.exec(text.slice(0, column))?.[0] ?? "";
  const identifiers = [...new Set(codeIdentifiers(started + continuation, family))];
  const gold = middle.flatMap((_, i) => {
    const names = goldNames(file, facts, first + i);
    return [...names].filter(([name]) => identifiers.includes(name)).flatMap(([, sites]) => sites);
  });
  if (!gold.length) return undefined;
  return {
    id: `${path}:${first}:${column + 1}:${kind}`,
    path,
    language: file.language,
    kind,
    prefix,
    continuation,
    suffix: after.length ? `\n${after.join("\n")}` : "",
    line: first,
    identifiers,
    gold: [...groupBy(gold, (site) => `${site.path}:${site.nameLine}:${site.name}`).values()].flatMap(
      ([site]) => site ?? [],
    ),
  };
}
