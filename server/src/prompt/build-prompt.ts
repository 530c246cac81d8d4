/** Fits snippets, path, prefix and suffix into the budget and renders them as the model's family was trained. */
import { identifiersOf } from "@dhi/core/identifiers";
import { languageOf } from "@dhi/core/languages";
import type { ContextMode, FimRequest, LegName, PromptPart } from "@dhi/core/protocol";
import type { Snippet } from "../retrieval/snippet.ts";
import {
  estimateTokens,
  HOP_TOKENS,
  MIN_PREFIX_TOKENS,
  mostSuffix,
  prefixWindow,
  suffixWindow,
  windowFrom,
} from "./budget.ts";
import type { FimFormat } from "./fim-format.ts";
import { type Before, layOut } from "./layout.ts";
import { neutralise } from "./neutralise.ts";
import { type Block, createPacker } from "./pack.ts";
import { joined, namesOf, type ShownLines, type SnippetForm } from "./pieces.ts";
import { type RenderedFile, type RenderedPart, type RenderInput, render } from "./render.ts";
import { worthOfHead } from "./worth.ts";

export interface PromptInput {
  readonly request: Pick<FimRequest, "path" | "prefix" | "suffix">;
  readonly snippets: readonly Snippet[];
  readonly format: FimFormat;
  readonly mode: ContextMode;
  /** Below some 20 tokens nothing but the sentinels is left, and those are always there. */
  readonly budgetTokens: number;
  /** Most tokens that snippets take; by default a share of the budget. */
  readonly contextTokens?: number;
  /** Empty when the repository has no name. */
  readonly repoName: string;
  /** Of a prompt that this one may share its start with. */
  readonly before?: Before;
}

/** What is shown of one file, under one header. */
export interface UsedSnippet extends Pick<Snippet, "path" | "startLine" | "endLine" | "text"> {
  readonly legs: LegName[];
  /** How likely it is needed; comparable within one prompt only. */
  readonly score: number;
  /** `signature`: nothing of it but heads of definitions. */
  readonly form: SnippetForm;
  readonly pieces: readonly ShownLines[];
  /** Estimated, with its header. */
  readonly tokens: number;
}

export interface BuiltPrompt {
  readonly prompt: string;
  /** In order; together they are the prompt. Prefix and suffix are always there, even when empty. */
  readonly parts: readonly PromptPart[];
  /** What got in, the likeliest to be needed first. */
  readonly used: readonly UsedSnippet[];
  /** The same as it was chosen, in the order of the prompt. */
  readonly blocks: readonly Block[];
  /** Where in the prefix that of the prompt begins, in UTF-16 units. */
  readonly prefixStart: number;
  /** Estimated; the sum of the parts, at most `budgetTokens`. */
  readonly tokens: number;
}

/** Beyond half of the prompt, more snippets have not paid in published ablations (CrossCodeEval: a quarter). */
const SNIPPET_SHARE = 0.5;
/** What path and repository name may take of a small budget. */
const HEADER_SHARE = 0.25;
/** The room of a short file's snippets shrinks in steps as the file grows, and not with each keystroke. */
const RESERVE_STEP_TOKENS = 64;

/** Names are near in so many lines above the cursor, and its own. */
const NEAR_LINES = 24;
/** So many names, the nearest, are near. */
const NEAR_NAMES = 12;

/**
 * Everything stable stands first and a keystroke changes the end alone, so that the engine's cache is good for the rest:
 * the prefix window moves in hops, no sooner than it has to, and snippets are *chosen* by value but *ordered* by path and line, and kept: the same
 * choice gives the same bytes, whatever happened to the values.
 */
export function buildPrompt(input: PromptInput): BuiltPrompt {
  const { request, format, budgetTokens } = input;
  const frame = { ...EMPTY, format, commentMark: languageOf(request.path).lineComment ?? "//" };
  const room = Math.max(0, budgetTokens - tokensOf(frame));

  const suffix = suffixWindow(request.suffix, mostSuffix(room, format), format);
  const header = headerOf(input, frame, room * HEADER_SHARE);
  const left = room - estimateTokens(suffix, format) - costIn(frame, header);

  const reserve = prefixReserve(request.prefix, format);
  const snippetRoom = Math.min(input.contextTokens ?? budgetTokens * SNIPPET_SHARE, left - reserve);
  const shown = `${prefixWindow(request.prefix, reserve, format)}\n${suffix}`;
  // Without the open file's path its text would read as the end of the last snippet.
  const blocks = header.path ? choose(input, frame, snippetRoom, shown) : [];
  const snippetTokens = blocks.reduce((sum, { tokens }) => sum + tokens, 0);
  const prefix = prefixOf(input, left - snippetTokens);

  const files = blocks.map((block) => fileOf(block, format));
  return {
    ...tile(render({ ...frame, ...header, files, prefix, suffix }), format),
    used: blocks.toSorted((a, b) => b.score - a.score).map(usedSnippet),
    blocks,
    prefixStart: Math.max(0, request.prefix.length - prefix.length),
  };
}

/** Begins where it did before, as long as that is good; else as far from the cursor as it fits. */
function prefixOf({ request: { prefix }, format, before }: PromptInput, maxTokens: number): string {
  const room = before?.stays === 0 ? maxTokens : maxTokens - Math.min(AHEAD_TOKENS, maxTokens / 16);
  const same = before && windowFrom(prefix, before.prefixStart, room, format);
  return same ?? prefixWindow(prefix, room, format);
}

/** What is written ahead of the user stands behind the same prefix. */
const AHEAD_TOKENS = 32;
const EMPTY = { files: [], prefix: "", suffix: "" };

/** Path and repository name, the path alone, or neither: the first that costs no more than `maxTokens`. */
function headerOf(
  { mode, request, repoName, format }: PromptInput,
  frame: RenderInput,
  maxTokens: number,
): Pick<RenderInput, "path" | "repoName"> {
  if (mode === "raw") return {};
  const path = oneLine(request.path, format);
  const headers = [{ path, repoName: oneLine(repoName, format) }, { path }];
  return headers.find((header) => costIn(frame, header) <= maxTokens) ?? {};
}

/** How much of the prefix no snippet may take. */
function prefixReserve(prefix: string, format: FimFormat): number {
  const most = MIN_PREFIX_TOKENS + HOP_TOKENS;
  if (prefix.length > most * format.charsPerToken) return most;
  const tokens = estimateTokens(prefix, format);
  return Math.min(most, Math.ceil(tokens / RESERVE_STEP_TOKENS) * RESERVE_STEP_TOKENS);
}

/** @param shown of the open file, in any case */
function choose(
  { snippets, mode, request, before }: PromptInput,
  frame: RenderInput,
  maxTokens: number,
  shown: string,
): readonly Block[] {
  if (mode === "raw" || mode === "simple" || maxTokens <= 0) return [];
  const partial = /[\p{L}_$][\p{L}\p{N}_$]*$/u.exec(request.prefix.slice(-MAX_PARTIAL))?.[0] ?? "";
  const empty = tokensOf(frame);
  const cost = (file: RenderedFile) => tokensOf({ ...frame, files: [fileOf(file, frame.format)] }) - empty;
  const packer = createPacker({
    snippets: snippets.filter(({ legs }) => mode === "rag" || legs.includes("definitions")),
    maxTokens,
    costOf: cost,
    charsPerToken: frame.format.charsPerToken,
    visible: new Set(identifiersOf(shown)),
    near: namesNear(request.prefix),
    partial,
  });
  // The model may be another one by now.
  const counted = before && {
    ...before,
    blocks: before.blocks.map((block) => ({ ...block, tokens: cost(block) })),
  };
  return layOut(packer, maxTokens, counted);
}

/** Longer names are data. */
const MAX_PARTIAL = 200;
const MAX_NEAR_CHARS = 8_000;

function namesNear(prefix: string): ReadonlySet<string> {
  const near = new Set<string>();
  for (const line of prefix.slice(-MAX_NEAR_CHARS).split("\n").slice(-NEAR_LINES).reverse())
    for (const name of namesOf(line)) if (near.size < NEAR_NAMES) near.add(name);
  return near;
}

const fileOf = ({ path, text }: RenderedFile, format: FimFormat): RenderedFile => ({
  path: oneLine(path, format),
  text: neutralise(text, format),
});

function usedSnippet({ path, pieces, text, tokens, score }: Block): UsedSnippet {
  return {
    path,
    startLine: Math.min(...pieces.map(({ startLine }) => startLine)),
    endLine: Math.max(...pieces.map(({ endLine }) => endLine)),
    text,
    legs: [...new Set(pieces.flatMap(({ snippet }) => snippet.legs))],
    score,
    pieces: joined(pieces, worthOfHead),
    form: pieces.every(({ form }) => form === "signature") ? "signature" : "body",
    tokens,
  };
}

const oneLine = (name: string, format: FimFormat): string =>
  neutralise(name.replace(/[\r\n]+/g, " "), format);

/** What `more` adds to the frame. */
const costIn = (frame: RenderInput, more: Partial<RenderInput>): number =>
  tokensOf({ ...frame, ...more }) - tokensOf(frame);

const tokensOf = (input: RenderInput): number =>
  render(input).reduce((sum, part) => sum + partTokens(part, input.format), 0);

const partTokens = ({ kind, text }: RenderedPart, format: FimFormat): number =>
  kind === "sentinel" ? 1 : estimateTokens(text, format);

function tile(
  rendered: readonly RenderedPart[],
  format: FimFormat,
): Pick<BuiltPrompt, "prompt" | "parts" | "tokens"> {
  let prompt = "";
  let tokens = 0;
  const parts = rendered.map((one): PromptPart => {
    const part = {
      kind: one.kind,
      ...(one.path !== undefined && { path: one.path }),
      tokens: partTokens(one, format),
      startOffset: prompt.length,
      endOffset: prompt.length + one.text.length,
    };
    prompt += one.text;
    tokens += part.tokens;
    return part;
  });
  return { prompt, parts, tokens };
}
