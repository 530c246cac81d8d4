/** The indexer's internal API, as the server asks it. */
import {
  type DocumentRequest,
  type DocumentResponse,
  documentResponse,
  type ExplainResponse,
  explainResponse,
  type IndexerStatus,
  type IndexResponse,
  indexerResponse,
  indexResponse,
  type Job,
  job,
} from "@dhi/core/protocol";
import { currentRequest, REQUEST_ID } from "@dhi/core/request-context";
import { describeError, isAbortError, UpstreamError } from "@dhi/core/upstream-error";
import { z } from "zod";
import type { IndexerPlace } from "./workspaces.ts";

/** Every call throws {@link UpstreamError} when the indexer is away, and {@link RefusedByIndexer} when it says no. */
export interface IndexerClient {
  /** One per workspace, in the order of the settings. */
  status(signal: AbortSignal): Promise<IndexerStatus[]>;
  index(
    file: IndexerPlace & { readonly content: string | undefined; readonly language: string | undefined },
    signal: AbortSignal,
  ): Promise<IndexResponse>;
  explain(file: IndexerPlace, signal: AbortSignal): Promise<ExplainResponse>;
  document(document: IndexerPlace & DocumentRequest, signal: AbortSignal): Promise<DocumentResponse>;
  /** @returns the job's id */
  sync(folder: IndexerPlace, signal: AbortSignal): Promise<string>;
  job(id: string, signal: AbortSignal): Promise<Job>;
  cancelJob(id: string, signal: AbortSignal): Promise<Job>;
  /** Tells that a completion runs. */
  busy(): Promise<unknown>;
}

/** The indexer answered with a 4xx: the caller's mistake, passed on as it is. */
export class RefusedByIndexer extends Error {
  override readonly name = "RefusedByIndexer";
  readonly status: number;
  readonly code: string;
  readonly hint: string | undefined;

  constructor(
    status: number,
    { code, message, hint }: { code: string; message: string; hint?: string | undefined },
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.hint = hint;
  }
}

const refusal = z.object({
  error: z.object({ code: z.string(), message: z.string(), hint: z.string().optional() }),
});

/** Parsing one large file takes well under a second; a longer silence means that the process hangs. */
const TIMEOUT_MS = 30_000;
/** Said too late it is not true any more. */
const BUSY_TIMEOUT_MS = 1_000;

export function createIndexerClient(url: string): IndexerClient {
  async function ask<T>(
    schema: z.ZodType<T>,
    method: string,
    path: string,
    body: unknown,
    signal: AbortSignal,
  ): Promise<T> {
    let response: Response;
    let answer: unknown;
    const caller = currentRequest();
    try {
      response = await fetch(`${url}${path}`, {
        method,
        headers: {
          ...(body !== undefined && { "content-type": "application/json" }),
          ...(caller && { [REQUEST_ID]: caller.id }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      answer = await response.json();
    } catch (error) {
      if (isAbortError(error)) throw error;
      throw new UpstreamError("indexer", `${describeError(error)} at ${url}`, { cause: error });
    }
    if (response.ok) return schema.parse(answer);
    const refused = refusal.safeParse(answer);
    if (refused.success && response.status < 500)
      throw new RefusedByIndexer(response.status, refused.data.error);
    throw new UpstreamError(
      "indexer",
      refused.success ? refused.data.error.message : `HTTP ${response.status}`,
    );
  }

  return {
    status: async (signal) => (await ask(indexerResponse, "GET", "/status", undefined, signal)).workspaces,
    index: (file, signal) => ask(indexResponse, "POST", "/index", file, signal),
    explain: ({ workspace, path }, signal) => {
      const query = new URLSearchParams({ path, ...(workspace !== undefined && { workspace }) });
      return ask(explainResponse, "GET", `/explain?${query}`, undefined, signal);
    },
    document: (document, signal) => ask(documentResponse, "POST", "/documents", document, signal),
    sync: async (folder, signal) =>
      (await ask(z.object({ job: z.string() }), "POST", "/sync", folder, signal)).job,
    job: (id, signal) => ask(job, "GET", `/jobs/${encodeURIComponent(id)}`, undefined, signal),
    cancelJob: (id, signal) => ask(job, "DELETE", `/jobs/${encodeURIComponent(id)}`, undefined, signal),
    busy: () => ask(z.object({}), "POST", "/busy", undefined, AbortSignal.timeout(BUSY_TIMEOUT_MS)),
  };
}
