/** Fits snippets, path, prefix and suffix into the budget and renders them as the model's family was trained. */
import { languageOf } from "@dhi/core/languages";
import type { ContextMode, FimRequest, LegName, PromptPart } from "@dhi/core/protocol";
import type { Snippet } from "../retrieval/snippet.ts";
import {
  estimateTokens,
  HOP_TOKENS,
  MAX_SUFFIX_TOKENS,
  MIN_PREFIX_TOKENS,
  prefixWindow,
  suffixWindow,
} from "./budget.ts";
import type { FimFormat } from "./fim-format.ts";
import { neutralise } from "./neutralise.ts";
import { type Piece, type RenderedFile, type RenderInput, render } from "./render.ts";

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
}

export interface UsedSnippet extends Snippet {
  readonly legs: LegName[];
  /** Estimated, with its header. */
  readonly tokens: number;
}

export interface BuiltPrompt {
  readonly prompt: string;
  /** In order; together they are the prompt. Prefix and suffix are always there, even when empty. */
  readonly parts: readonly PromptPart[];
  /** What got in, in the order of the prompt. */
  readonly used: readonly UsedSnippet[];
  /** Estimated; the sum of the parts, at most `budgetTokens`. */
  readonly tokens: number;
}

/** Beyond half of the prompt, more snippets have not paid in published ablations (CrossCodeEval: a quarter). */
const SNIPPET_SHARE = 0.5;
const SUFFIX_SHARE = 0.25;
/** What path and repository name may take of a small budget. */
const HEADER_SHARE = 0.25;
/** The room of a short file's snippets shrinks in steps as the file grows, and not with each keystroke. */
const RESERVE_STEP_TOKENS = 64;

/**
 * Everything stable stands first and a keystroke changes the end alone, so that the engine's cache is good for the rest:
 * the prefix window moves in hops, and snippets are *chosen* by score but *ordered* by path and line: the same choice
 * gives the same bytes, whatever happened to the scores.
 */
export function buildPrompt(input: PromptInput): BuiltPrompt {
  const { request, format, budgetTokens } = input;
  const frame = { ...EMPTY, format, commentMark: languageOf(request.path).lineComment ?? "//" };
  const room = Math.max(0, budgetTokens - tokensOf(frame));

  const suffixRoom = Math.min(MAX_SUFFIX_TOKENS, Math.floor(room * SUFFIX_SHARE));
  const suffix = suffixWindow(request.suffix, suffixRoom, format);
  const header = headerOf(input, frame, room * HEADER_SHARE);
  const left = room - estimateTokens(suffix, format) - costIn(frame, header);

  const snippetRoom = Math.min(
    input.contextTokens ?? budgetTokens * SNIPPET_SHARE,
    left - prefixReserve(request.prefix, format),
  );
  // Without the open file's path its text would read as the end of the last snippet.
  const chosen = header.path ? choose(candidates(input, snippetRoom), snippetRoom, frame) : [];
  const snippetTokens = chosen.reduce((sum, { tokens }) => sum + tokens, 0);
  const prefix = prefixWindow(request.prefix, left - snippetTokens, format);

  const files = chosen.map(({ file }) => file);
  return {
    ...tile(render({ ...frame, ...header, files, prefix, suffix }), format),
    used: chosen.map(({ snippet, tokens }) => ({ ...snippet, legs: [...snippet.legs], tokens })),
  };
}

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

function candidates({ snippets, mode, format }: PromptInput, maxTokens: number): readonly Snippet[] {
  if (mode === "raw" || mode === "simple") return [];
  return snippets.filter(
    ({ legs, text }) =>
      text.length <= maxTokens * format.charsPerToken &&
      text.trim() !== "" &&
      (mode === "rag" || legs.includes("definitions")),
  );
}

interface Chosen {
  readonly snippet: Snippet;
  readonly file: RenderedFile;
  readonly tokens: number;
}

/** Best score first until nothing more fits, then in the order of path and line. Snippets are whole or left out. */
function choose(snippets: readonly Snippet[], maxTokens: number, frame: RenderInput): readonly Chosen[] {
  const chosen: Chosen[] = [];
  let left = maxTokens;
  for (const snippet of snippets.toSorted((a, b) => b.score - a.score || byPlace(a, b))) {
    const file = {
      path: oneLine(snippet.path, frame.format),
      text: neutralise(snippet.text, frame.format),
    };
    const tokens = costIn(frame, { files: [file] });
    if (tokens > left) continue;
    left -= tokens;
    chosen.push({ snippet, file, tokens });
  }
  return chosen.sort((a, b) => byPlace(a.snippet, b.snippet));
}

function byPlace(a: Snippet, b: Snippet): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.startLine - b.startLine || a.endLine - b.endLine;
}

const oneLine = (name: string, format: FimFormat): string =>
  neutralise(name.replace(/[\r\n]+/g, " "), format);

/** What `more` adds to the frame. */
const costIn = (frame: RenderInput, more: Partial<RenderInput>): number =>
  tokensOf({ ...frame, ...more }) - tokensOf(frame);

const tokensOf = (input: RenderInput): number =>
  render(input).reduce((sum, piece) => sum + pieceTokens(piece, input.format), 0);

const pieceTokens = ({ kind, text }: Piece, format: FimFormat): number =>
  kind === "sentinel" ? 1 : estimateTokens(text, format);

function tile(pieces: readonly Piece[], format: FimFormat): Omit<BuiltPrompt, "used"> {
  let prompt = "";
  let tokens = 0;
  const parts = pieces.map((piece): PromptPart => {
    const part = {
      kind: piece.kind,
      ...(piece.path !== undefined && { path: piece.path }),
      tokens: pieceTokens(piece, format),
      startOffset: prompt.length,
      endOffset: prompt.length + piece.text.length,
    };
    prompt += piece.text;
    tokens += part.tokens;
    return part;
  });
  return { prompt, parts, tokens };
}
