/** Tries the post-processing on real files and hostile outputs, with a parser as the judge. */
import type { GrammarName } from "@dhi/core/languages";
import { loadTreeSitter, type TreeSitter } from "@dhi/indexer/chunker/tree-sitter";
import { type Postprocessed, postprocess } from "@dhi/server/postprocess/postprocess";
import { formatById, leaksOf } from "@dhi/server/prompt/fim-format";
import { createRandom, pickSome, type Random } from "../bench/random.ts";
import type { SourcePackage } from "../source-packages.ts";
import { type CodeCursor, cursorIn, cursorKinds, filesOf, readCodeFile } from "./cursors.ts";
import { type Hostile, hostiles } from "./hostile.ts";
import { bare, invariants, type Shown } from "./invariants.ts";

export interface CheckOptions {
  readonly cursors: number;
  /** Kinds of hostile outputs tried at each cursor, in turn; all by default. */
  readonly kindsPerCursor?: number;
  readonly seed: number;
}

export interface Violation {
  readonly invariant: string;
  readonly hostile: string;
  readonly cursor: CodeCursor;
  readonly output: string;
  readonly text: string;
}

export interface CheckResult {
  readonly cursors: Readonly<Record<string, number>>;
  readonly outputs: number;
  readonly shown: number;
  /** Hostile kind → reason → outputs. */
  readonly reasons: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** What became of the truth itself. */
  readonly truth: { readonly whole: number; readonly cut: number; readonly dropped: number };
  readonly violations: readonly Violation[];
  /** Milliseconds of processor time for one post-processing. */
  readonly ms: { readonly p50: number; readonly p95: number; readonly max: number };
}

const PARSE_TIMEOUT_MS = 2_000;

/** Every grammar gets as many cursors, as long as it has files without a parse error. */
export async function checkPostprocess(
  packages: readonly SourcePackage[],
  { cursors, kindsPerCursor = Object.keys(hostiles).length, seed }: CheckOptions,
): Promise<CheckResult> {
  const treeSitter = await loadTreeSitter();
  const random = createRandom(seed);
  const stop = leaksOf(formatById("qwen") ?? fail("no format qwen"));
  const counts: Record<string, number> = {};
  const reasons = new Map<string, Map<string, number>>();
  const truth = { whole: 0, cut: 0, dropped: 0 };
  const violations: Violation[] = [];
  const times: number[] = [];
  let outputs = 0;
  let shown = 0;

  for (const cursor of cursorsIn(packages, cursors, treeSitter, random)) {
    counts[cursor.languageId] = (counts[cursor.languageId] ?? 0) + 1;
    const others = Object.keys(hostiles).filter((name) => name !== "truth");
    for (const name of ["truth", ...pickSome(others, kindsPerCursor - 1, random)]) {
      const hostile = hostiles[name] ?? fail(name);
      const at = hostile.crlf ? withCrlf(cursor) : cursor;
      const output = hostile.make(at, random);
      const { prefix, suffix, languageId } = at;
      const request = { prefix, suffix, languageId, path: at.path, trigger: "manual" as const };
      const context = { request, stop, promptPaths: ["lib/other.ts"] };
      const started = process.cpuUsage();
      const result = postprocess(output, context);
      const used = process.cpuUsage(started);
      times.push((used.user + used.system) / 1000);
      outputs++;
      countReason(reasons, name, result);
      if (name === "truth") truth[fateOf(result, at)]++;
      if (result.reason !== "ok") continue;
      shown++;
      const tree = judge(hostile, at, result.text, treeSitter);
      const facts: Shown = {
        ...{ cursor: at, output, text: result.text },
        again: postprocess(result.text, { ...context, request: { ...request } }),
        ...tree,
      };
      for (const [invariant, holds] of Object.entries(invariants)) {
        if (!holds(facts))
          violations.push({ invariant, hostile: name, cursor: at, output, text: result.text });
      }
    }
  }
  times.sort((a, b) => a - b);
  const quantile = (q: number) => times[Math.floor(q * (times.length - 1))] ?? 0;
  return {
    ...{ cursors: counts, outputs, shown, reasons, truth, violations },
    ms: { p50: quantile(0.5), p95: quantile(0.95), max: quantile(1) },
  };
}

function* cursorsIn(
  packages: readonly SourcePackage[],
  count: number,
  treeSitter: TreeSitter,
  random: Random,
): Generator<CodeCursor> {
  const byGrammar = [...filesOf(packages)];
  for (const [index, [, paths]] of byGrammar.entries()) {
    const share = Math.floor(count / byGrammar.length) + (index < count % byGrammar.length ? 1 : 0);
    // Files that are left out, and places without code, come up often.
    let tries = 40 * share;
    for (let made = 0; made < share && tries > 0; tries--) {
      const file = readCodeFile(random.pick(paths));
      if (!file || errorsIn(file.text, file.grammar, treeSitter) !== 0) continue;
      for (let here = 0; here < 12 && made < share; here++) {
        const cursor = cursorIn(file, random.pick(cursorKinds), random);
        if (!cursor) continue;
        made++;
        yield { ...cursor, inText: isInText(cursor, treeSitter) };
      }
    }
  }
}

/** What the trees say: of the beginning of the truth nothing, for that is right by definition. */
function judge(
  hostile: Hostile,
  cursor: CodeCursor,
  text: string,
  treeSitter: TreeSitter,
): Pick<Shown, "errors" | "swallows"> {
  const { prefix, suffix, truth, grammar, inText } = cursor;
  const same = commonStart(truth, text);
  // A comment that is open has one error, whatever is in it.
  if (same.isAll || hostile.judge === "nothing" || (hostile.inCode && inText)) return { swallows: false };
  const right = truth.slice(0, same.length);
  const code = suffix.search(/\S/);
  const isText = (middle: string) =>
    code >= 0 &&
    isTextAt(prefix + middle + suffix, prefix.length + middle.length + code, grammar, treeSitter);
  const swallows = isText(text) && ![truth, right, ""].some(isText);
  if (hostile.judge === "code") return { swallows };

  const count = (middle: string) => errorsIn(prefix + middle + suffix, grammar, treeSitter);
  const shown = count(text);
  return shown === 0 ? { swallows } : { swallows, errors: { shown, before: count(""), right: count(right) } };
}

function isTextAt(text: string, at: number, grammar: GrammarName, treeSitter: TreeSitter): boolean {
  return (
    treeSitter.parse(text, grammar, PARSE_TIMEOUT_MS, (root) => {
      const node = root.descendantForIndex(at, at + 1);
      return [node, node?.parent].some((near) => near && TEXT_NODE.test(near.type) && near.startIndex < at);
    }) ?? false
  );
}

const TEXT_NODE = /string|comment|template|char|escape|jsx_text|regex/;

/** Whether the cursor stands in a string or comment of the file as it was. */
const isInText = (
  { prefix, truth, suffix, grammar }: Omit<CodeCursor, "inText">,
  treeSitter: TreeSitter,
): boolean =>
  treeSitter.parse(prefix + truth + suffix, grammar, PARSE_TIMEOUT_MS, (root) => {
    const node = root.descendantForIndex(Math.max(0, prefix.length - 1), prefix.length);
    return [node, node?.parent].some((near) => near && TEXT_NODE.test(near.type));
  }) ?? false;

/** Nodes that are an error or missing; a text that cannot be parsed in time has one. */
const errorsIn = (text: string, grammar: GrammarName, treeSitter: TreeSitter): number =>
  treeSitter.parse(text, grammar, PARSE_TIMEOUT_MS, (root) => {
    if (!root.hasError) return 0;
    let errors = 0;
    const open = [root];
    for (let node = open.pop(); node; node = open.pop()) {
      if (node.isError || node.isMissing) errors++;
      for (const child of node.children) if (child?.hasError || child?.isMissing) open.push(child);
    }
    return errors;
  }) ?? 1;

/** How far `truth` and `text` say the same, white space aside. */
function commonStart(truth: string, text: string): { readonly length: number; readonly isAll: boolean } {
  let a = 0;
  let b = 0;
  for (;;) {
    while (b < text.length && isBlank(text[b])) b++;
    if (b === text.length) return { length: a, isAll: true };
    while (a < truth.length && isBlank(truth[a])) a++;
    if (a === truth.length || truth[a] !== text[b]) return { length: a, isAll: false };
    a++;
    b++;
  }
}

const isBlank = (character = ""): boolean => character.trim() === "";

const withCrlf = (cursor: CodeCursor): CodeCursor => {
  const crlf = (text: string) => text.replace(/\r?\n/g, "\r\n");
  return {
    ...cursor,
    prefix: crlf(cursor.prefix),
    truth: crlf(cursor.truth),
    suffix: crlf(cursor.suffix),
  };
};

function fateOf({ text, reason }: Postprocessed, { truth }: CodeCursor): "whole" | "cut" | "dropped" {
  if (reason !== "ok") return "dropped";
  return bare(text) === bare(truth) ? "whole" : "cut";
}

function countReason(reasons: Map<string, Map<string, number>>, hostile: string, { reason }: Postprocessed) {
  const counts = reasons.get(hostile) ?? new Map<string, number>();
  reasons.set(hostile, counts);
  counts.set(reason, (counts.get(reason) ?? 0) + 1);
}

function fail(what: string): never {
  throw new Error(what);
}
