/** The wire: what editors, scripts and the server say to each other. Line numbers are 1-based and inclusive. */
import { z } from "zod";
import { path, text, workspace } from "./wire-fields.ts";

/** Longest request body in bytes; beyond it the server answers 413. */
export const BODY_LIMIT_BYTES = 4 * 1024 * 1024;

export const contextMode = z.enum(["rag", "symbols", "simple", "raw"]);
/** What goes into the prompt: everything retrieved, definitions only, the path only, nothing but the file. */
export type ContextMode = z.infer<typeof contextMode>;

export const legName = z.enum(["definitions", "lexical", "vector", "similar", "edits", "tests", "siblings"]);
/** Asked for by requests and settings that name none. `tests` showed no gain on the eval's development packages. */
export const usualLegs: readonly z.infer<typeof legName>[] = [
  "definitions",
  "lexical",
  "vector",
  "similar",
  "siblings",
  "edits",
];
/** One way of finding context for a prompt; each is a file of `server/src/retrieval/legs/`. */
export type LegName = z.infer<typeof legName>;

export const engineName = z.enum(["ollama", "llama-server", "openai", "instant"]);
export type EngineName = z.infer<typeof engineName>;

export const degradeStep = z.enum(["full", "short-prompt", "one-line", "slow-typing", "instant", "skip"]);
/** How much is asked of an engine that cannot keep up, from all to nothing; each step includes those before. */
export type DegradeStep = z.infer<typeof degradeStep>;

// --- the original API, snake_case ---------------------------------------------------------------------------------

export const completeRequest = z.object({
  workspace,
  file_path: path,
  prefix: text,
  suffix: text.default(""),
  language: text.max(64).optional(),
});
export const completeResponse = z.object({
  completion: z.string().describe("Empty when there is nothing to show"),
});

export const indexRequest = z.object({
  workspace,
  file_path: path,
  content: text.optional().describe("Without it the file is read from the workspace"),
  language: text.max(64).optional().describe("Of the content; by default the file's name tells"),
});
export const indexResponse = z.object({
  indexed: z.int().describe("Chunks the file has in the index now"),
  skipped: z.string().optional().describe("Why the file stays out of the index"),
});
export type IndexResponse = z.infer<typeof indexResponse>;

export const explainRequest = z.object({
  workspace: indexRequest.shape.workspace,
  path: text.max(4096).default(".").describe("A file or folder, there or not"),
});
export type ExplainRequest = z.infer<typeof explainRequest>;
export const explainResponse = z.object({
  path: z.string().describe("Relative to the workspace; as it was asked for when it lies outside"),
  indexed: z.boolean().describe("Whether completions can see it, or some of it"),
  chunks: z.int().optional(),
  language: z.string().optional(),
  skipped: z.string().optional().describe("The kind of reason that keeps it out"),
  detail: z.string().describe("Why, with the rule and where that stands"),
  hint: z.string().optional().describe("What can be done about it"),
});
export type ExplainResponse = z.infer<typeof explainResponse>;

export const indexDirRequest = z.object({
  workspace,
  dir_path: text.max(4096).default(".").describe("Relative to the workspace; . is all of it"),
});
export const indexDirResponse = z.object({ job: z.string() });

export const job = z.object({
  id: z.string(),
  state: z.enum(["running", "done", "failed", "cancelled"]),
  files: z.int().describe("Files looked at so far"),
  filesTotal: z.int(),
  chunks: z.int().describe("Chunks made or found again so far"),
  embedded: z.int().describe("Chunks whose vector is stored, of chunksTotal"),
  chunksTotal: z.int(),
  etaMs: z
    .number()
    .nullable()
    .describe(
      "Until its files are read and their vectors stored, which goes on after the job is done; null while too little is known",
    ),
  error: z.string().optional(),
});
export type Job = z.infer<typeof job>;

export const searchMode = z.enum(["hybrid", "vector", "lexical", "symbols"]);
export const searchRequest = z.object({
  workspace,
  query: text.min(1).max(10_000),
  n_results: z.int().min(1).max(100).default(10),
  mode: searchMode.default("hybrid"),
});
export type SearchRequest = z.infer<typeof searchRequest>;
export const searchResult = z.object({
  file_path: z.string(),
  start_line: z.int(),
  end_line: z.int(),
  language: z.string(),
  node_type: z.string(),
  name: z.string().nullable(),
  score: z.number(),
  legs: z.array(z.string()).describe("Which searches found it"),
  document: z.string(),
});
export const searchResponse = z.object({ results: z.array(searchResult) });
export type SearchResponse = z.infer<typeof searchResponse>;

const component = z.object({ status: z.enum(["ok", "degraded", "starting", "down"]), detail: z.string() });
export type Component = z.infer<typeof component>;
export const healthResponse = z.object({
  status: z.enum(["ok", "degraded", "starting", "down"]),
  components: z.object({ chroma: component, engine: component, embedder: component, indexer: component }),
  version: z.string(),
});
export type HealthResponse = z.infer<typeof healthResponse>;

// --- the native API, camelCase -------------------------------------------------------------------------------------

export const fimRequest = z.object({
  requestId: text.max(200).optional(),
  sessionId: text
    .max(200)
    .optional()
    .describe("One per editor window; a newer request of it ends the older one"),
  workspace,
  path,
  languageId: text.max(64).default("").describe("As VS Code names it; empty: the path tells"),
  documentVersion: z.int().optional(),
  prefix: text,
  suffix: text.default(""),
  trigger: z.enum(["automatic", "manual"]).default("automatic"),
  mode: contextMode.optional(),
  legs: z
    .array(legName)
    .max(20)
    .optional()
    .describe("Ask only these, of those that the mode has; default: as RETRIEVAL_LEGS has it"),
  contextTokens: z
    .int()
    .min(0)
    .max(131_072)
    .optional()
    .describe("Most tokens of the prompt that snippets take"),
  engine: engineName.optional(),
  singleLine: z.boolean().optional(),
  maxLines: z.int().min(1).max(200).optional(),
  maxTokens: z.int().min(1).max(2048).optional(),
  alternative: z
    .int()
    .min(0)
    .max(2)
    .optional()
    .describe(
      "0: the usual answer. 1 or 2: another one, which ends no older request of its session; sent when it is done",
    ),
  deadlineMs: z.int().min(1).max(600_000).optional(),
  ahead: z
    .boolean()
    .optional()
    .describe(
      "The stream stays open after its last event while what may be wanted next is written; closing it ends that",
    ),
  preview: z
    .boolean()
    .optional()
    .describe("The stream may begin with a preview, where a model is to answer and ENGINE is auto"),
  openFiles: z.array(path).max(50).optional(),
  recentEdits: z
    .array(z.object({ path, startLine: z.int(), endLine: z.int() }))
    .max(50)
    .optional(),
});
/** As it arrives, defaults not yet filled in. */
export type FimRequestInput = z.input<typeof fimRequest>;
export type FimRequest = z.infer<typeof fimRequest>;

/** Somebody is about to type: the editor got the focus, or another file is shown. */
export const warmRequest = z.object({
  ...fimRequest.pick({ sessionId: true, workspace: true, languageId: true }).shape,
  path: path
    .optional()
    .describe(
      "With prefix, what a completion there would have to read is read now, if nothing else is asked",
    ),
  prefix: text.optional(),
  suffix: text.default(""),
  contextOnly: z
    .boolean()
    .optional()
    .describe(
      "Nothing is asked of a model: what other files have for the cursor is looked for, so that the first keystroke there finds it",
    ),
});
export type WarmRequest = z.infer<typeof warmRequest>;
export const warmResponse = z.object({
  state: z
    .enum(["warming", "warm", "off"])
    .describe("warming: in the background, from now or before; off: no model is to answer"),
});
export type WarmResponse = z.infer<typeof warmResponse>;

/** An editor's unsaved buffer, or that it was closed. */
export const documentRequest = z
  .object({
    workspace,
    path,
    sessionId: text
      .max(200)
      .optional()
      .describe(
        "One per editor window; versions of another session begin anew, and only its own closing counts",
      ),
    version: z.int().min(0).optional().describe("Grows with each change; a repeat keeps the buffer alive"),
    content: text.optional().describe("All of it"),
    languageId: text.max(64).default("").describe("As VS Code names it; asked when the path tells nothing"),
    closed: z.literal(true).optional().describe("The file on the disk counts again"),
  })
  .superRefine(({ version, content, closed }, context) => {
    if (closed) return;
    for (const [field, value] of Object.entries({ version, content }))
      if (value === undefined)
        context.addIssue({ code: "custom", path: [field], message: "expected, or closed: true" });
  });
export type DocumentRequest = z.infer<typeof documentRequest>;
export const documentResponse = z.object({
  indexed: z.int().describe("Chunks the path has in the index now"),
  skipped: z
    .string()
    .optional()
    .describe('Why the buffer is not in the index; "outdated" for a version older than the known one'),
});
export type DocumentResponse = z.infer<typeof documentResponse>;

export const promptRequest = fimRequest.extend({
  budgetTokens: z.int().min(64).max(131_072).optional().describe("Instead of CONTEXT_TOKENS"),
});
export type PromptRequest = z.infer<typeof promptRequest>;

export const source = z.object({
  path: z.string(),
  startLine: z.int(),
  endLine: z.int(),
  legs: z.array(z.string()),
  score: z.number(),
  tokens: z.int().describe("Estimated"),
});
/** A snippet that stands in the prompt; from an engine that reads none, where a name of the completion is defined. */
export type Source = z.infer<typeof source>;

/** Milliseconds by stage. */
export const timings = z.object({
  queue: z.number(),
  retrieval: z.number(),
  prompt: z.number(),
  firstToken: z.number().nullable(),
  engine: z.number(),
  postprocess: z.number(),
  total: z.number(),
});

export const usage = z.object({
  promptTokens: z.int().nullable(),
  cachedTokens: z.int().nullable().describe("null when the engine does not say"),
  completionTokens: z.int().nullable(),
});
export type Usage = z.infer<typeof usage>;

export const dropReason = z.enum([
  /** Nothing but white space. */
  "blank",
  /** It starts on the next line, where only this line may be completed. */
  "multi-line",
  /** The code right of or below the cursor says it already. */
  "repeats-suffix",
  /** It goes round in circles, or repeats the lines above the cursor. */
  "repetition",
  /** It closes what is not open, or opens a string or comment that would swallow the code after it. */
  "unbalanced",
  /** Python could not read it at this depth, or never run it. */
  "indentation",
  /** It repeats the prompt: special tokens, headers of other files. */
  "prompt-text",
  /** It talks about the code instead of writing it. */
  "prose",
  /** It holds something that looks like a key or password and stands nowhere in the file. */
  "secret",
  /** One closing mark: accepting it takes as many keys as typing it. */
  "too-short",
  /** The model itself gives it little chance. */
  "low-confidence",
  /** Asked for another answer, the engine gave one that is known already. */
  "repeats-usual",
]);
/** Why the server's post-processing shows nothing of what an engine wrote. */
export type DropReason = z.infer<typeof dropReason>;

export const fimText = z.object({
  text: z
    .string()
    .describe("May be drawn behind those before it: never taken back, and together they are the completion"),
});
/** A piece of the completion: a line or more, sent once it is sure to be in it. */
export type FimText = z.infer<typeof fimText>;
export const fimPreview = z.object({
  preview: z
    .string()
    .describe(
      "May be drawn until text comes, which begins with it or takes its place, or an answer without any; at most one, of one line, before all text",
    ),
  confidence: z.number().describe("That it is right, 0 to 1"),
});
/** What the tier without a model is almost sure of, while a model has written nothing yet. */
export type FimPreview = z.infer<typeof fimPreview>;
/** All but the last event of a completion. */
export type FimPiece = FimText | FimPreview;
export const fimDone = z.object({
  done: z.literal(true),
  requestId: z.string(),
  completion: z.string().describe("The whole text to show: all that was streamed, put together"),
  reason: z.string().describe('"ok", or why nothing is shown'),
  engine: engineName,
  model: z.string(),
  mode: contextMode,
  format: z.string(),
  step: degradeStep.describe("What the engine could bear"),
  debounceMs: z
    .number()
    .nullable()
    .describe("How long an editor should wait after a keystroke; null for its own choice"),
  reuse: z
    .enum(["none", "cached", "joined"])
    .describe(
      "Whether a call for an earlier request wrote the text: one that is over, or one still going on",
    ),
  finish: z.enum(["stop", "length", "aborted", "deadline", "none"]),
  meanLogprob: z.number().nullable(),
  confidence: z.number().nullable(),
  sources: z.array(source),
  usage,
  timings,
});
export type FimDone = z.infer<typeof fimDone>;

export const promptPart = z.object({
  kind: z.enum(["repo", "snippet", "path", "prefix", "suffix", "sentinel"]),
  path: z.string().optional(),
  tokens: z.int().describe("Estimated"),
  startOffset: z.int().describe("UTF-16 units from the start of prompt"),
  endOffset: z.int(),
});
export type PromptPart = z.infer<typeof promptPart>;
export const promptResponse = z.object({
  prompt: z.string(),
  format: z.string(),
  parts: z.array(promptPart),
  begun: z
    .string()
    .optional()
    .describe(
      "The begun word that the prompt ends before: the model writes it once more, from a token's start",
    ),
  sources: z
    .array(
      source.extend({
        text: z.string(),
        form: z.enum(["body", "signature"]).describe("signature: nothing but heads of definitions"),
        pieces: z
          .array(
            z.object({
              ...{ startLine: z.int(), endLine: z.int(), text: z.string() },
              score: z.number().describe("How likely it is needed; comparable within one prompt only"),
            }),
          )
          .describe("What is shown of the file, in line order; lines that follow each other are one piece"),
      }),
    )
    .describe("What the prompt shows of other files, the likeliest to be needed first; one for each file"),
  candidates: z
    .array(
      z.object({
        leg: legName,
        path: z.string(),
        startLine: z.int(),
        endLine: z.int(),
        score: z.number().describe("Comparable within the leg only"),
      }),
    )
    .describe("What each leg found, best first, before fusion and packing"),
  late: z
    .array(legName)
    .describe("Legs that were not waited for any longer; the next keystroke gets what they find"),
  tokens: z.int().describe("Estimated"),
  timings: z.object({
    retrieval: z.number(),
    prompt: z.number(),
    legs: z
      .array(z.object({ leg: legName, ms: z.number() }))
      .describe("From when it was asked to its answer, or to the deadline"),
  }),
});
export type PromptResponse = z.infer<typeof promptResponse>;

/** How far TypeScript's language service has looked at the files it can read. */
export const typescriptStatus = z.object({
  state: z.enum(["off", "working", "idle", "failed"]).describe("failed: it is tried again"),
  files: z.int().describe("Files looked at as they are now, of filesTotal"),
  filesTotal: z.int(),
  detail: z.string().describe("What failed, and which projects do not fit into memory"),
});
export type TypeScriptStatus = z.infer<typeof typescriptStatus>;

/** What the indexer says of a workspace. */
export const indexerStatus = z.object({
  workspace: z.string().describe("Its name"),
  state: z.enum(["starting", "syncing", "watching", "failed"]),
  error: z.string().optional(),
  files: z.int().describe("Files in the index"),
  chunks: z.int(),
  symbols: z.int(),
  skipped: z.record(z.string(), z.int()).describe("Files left out, by reason"),
  embedder: z.object({ id: z.string(), status: z.enum(["ok", "down"]), detail: z.string() }),
  pendingEmbeddings: z.int(),
  vectors: z.object({
    collection: z.string(),
    status: z.enum(["ok", "down", "catching-up"]),
    detail: z.string(),
    stored: z.int(),
  }),
  typescript: typescriptStatus.optional().describe("Missing while the workspace is not open"),
  etaMs: z
    .number()
    .nullable()
    .optional()
    .describe(
      "Until every file is read and every vector stored: 0 when all is; null while too little is known",
    ),
  lastChangeAt: z.string().nullable().describe("ISO time of the last change taken into the index"),
  job: job.nullable().describe("The newest full sync"),
  counters: z.object({ filesParsed: z.int(), textsEmbedded: z.int() }).describe("Since the process started"),
});
export type IndexerStatus = z.infer<typeof indexerStatus>;
/** One per workspace, in the order of the settings. */
export const indexerResponse = z.object({ workspaces: z.array(indexerStatus) });

export const statusResponse = z.object({
  version: z.string(),
  startedAt: z.string().describe("ISO 8601; another one means that the server forgot unsaved buffers"),
  workspaces: z.array(
    z.object({
      name: z.string(),
      path: z.string(),
      indexer: indexerStatus.nullable().describe("null when the indexer does not answer"),
    }),
  ),
  engine: z.object({
    ...{ name: engineName, model: z.string(), format: z.string(), detail: z.string() },
    status: component.shape.status.optional().describe("starting while its model is loaded"),
    step: degradeStep.describe("How much is asked of it"),
  }),
  mode: contextMode,
  indexer: indexerStatus.nullable().describe("Of the first workspace"),
  requests: z.object({ completions: z.int(), shown: z.int(), drops: z.record(z.string(), z.int()) }),
  lastDrops: z.array(z.object({ at: z.string(), path: z.string(), reason: z.string() })),
});
export type StatusResponse = z.infer<typeof statusResponse>;

export const errorResponse = z.object({
  error: z.object({ code: z.string(), message: z.string(), hint: z.string().optional() }),
});
export type ErrorResponse = z.infer<typeof errorResponse>;
