/** Every route with its schemas, once: `app.ts` answers them, and `GET /openapi.json` is made from this table. */
import * as config from "@dhi/core/config-protocol";
import * as events from "@dhi/core/events-protocol";
import * as files from "@dhi/core/files-protocol";
import * as graph from "@dhi/core/graph-protocol";
import * as machine from "@dhi/core/machine-protocol";
import * as openaiApi from "@dhi/core/openai-protocol";
import * as protocol from "@dhi/core/protocol";
import { VERSION } from "@dhi/core/version";
import { z } from "zod";

export interface Route {
  readonly method: "get" | "post" | "put" | "delete";
  /** Parameters in braces. */
  readonly path: string;
  readonly summary: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly answer: z.ZodType;
  /** 200 unless said otherwise. */
  readonly status?: number;
  /** Answers with server-sent events, one `answer` per `data:` line. */
  readonly stream?: "always" | "on request";
  /** Of an answer that is no JSON: lines of these types, one `answer` each. */
  readonly lines?: readonly string[];
}

export const routes: readonly Route[] = [
  {
    method: "post",
    path: "/complete",
    summary: "Complete the code at a cursor",
    body: protocol.completeRequest,
    answer: protocol.completeResponse,
  },
  {
    method: "post",
    path: "/index",
    summary: "Bring one file up to date in the index",
    body: protocol.indexRequest,
    answer: protocol.indexResponse,
  },
  {
    method: "post",
    path: "/index-dir",
    summary: "Bring a folder up to date in the index, in the background",
    body: protocol.indexDirRequest,
    answer: protocol.indexDirResponse,
    status: 202,
  },
  {
    method: "post",
    path: "/search",
    summary: "Search the indexed code",
    body: protocol.searchRequest,
    answer: protocol.searchResponse,
  },
  {
    method: "get",
    path: "/health",
    summary: "What works; 503 when completions do not",
    answer: protocol.healthResponse,
  },
  {
    method: "post",
    path: "/v1/fim",
    summary: "Complete the code at a cursor, streamed; closing the stream is the cancel",
    body: protocol.fimRequest,
    answer: z.union([protocol.fimPreview, protocol.fimText, protocol.fimDone, protocol.errorResponse]),
    stream: "always",
  },
  {
    method: "post",
    path: "/v1/prompt",
    summary: "What a completion would send to the model, without asking it",
    body: protocol.promptRequest,
    answer: protocol.promptResponse,
  },
  {
    method: "post",
    path: "/v1/warm",
    summary:
      "Have the model ready before the first keystroke: an editor got the focus, or shows another file",
    body: protocol.warmRequest,
    answer: protocol.warmResponse,
  },
  {
    method: "post",
    path: "/v1/completions",
    summary:
      "As OpenAI's: complete a prompt and a suffix, or a prompt in a known fill-in-the-middle format; a stream ends with [DONE]",
    body: openaiApi.openaiCompletionRequest,
    answer: openaiApi.openaiCompletion,
    stream: "on request",
  },
  {
    method: "get",
    path: "/v1/models",
    summary: "As OpenAI's: the model that completes",
    answer: openaiApi.openaiModels,
  },
  {
    method: "post",
    path: "/v1/documents",
    summary: "Have an unsaved buffer stand for its file, or close it",
    body: protocol.documentRequest,
    answer: protocol.documentResponse,
  },
  {
    method: "get",
    path: "/v1/explain",
    summary: "Why a path is in the index or not",
    query: protocol.explainRequest,
    answer: protocol.explainResponse,
  },
  {
    method: "get",
    path: "/v1/files",
    summary: "Folders and files of the index, a folder at a time",
    query: files.filesRequest,
    answer: files.filesResponse,
  },
  {
    method: "get",
    path: "/v1/skipped",
    summary: "Files that the index leaves out, by reason, a page at a time",
    query: files.skippedRequest,
    answer: files.skippedResponse,
  },
  {
    method: "get",
    path: "/v1/contents",
    summary: "What the index holds by language, and what changed last",
    query: files.contentsRequest,
    answer: files.contentsResponse,
  },
  {
    method: "get",
    path: "/v1/file",
    summary: "The text of a file in the index",
    query: files.fileRequest,
    answer: files.fileResponse,
  },
  {
    method: "get",
    path: "/v1/symbols",
    summary: "Where a name is defined",
    query: graph.symbolsRequest,
    answer: graph.symbolsResponse,
  },
  {
    method: "get",
    path: "/v1/callers",
    summary: "Who uses a definition, and what it uses",
    query: graph.callersRequest,
    answer: graph.callersResponse,
  },
  {
    method: "get",
    path: "/v1/members",
    summary:
      "What can follow an expression and a dot; in TypeScript and JavaScript also how a name is declared",
    query: graph.membersRequest,
    answer: graph.membersResponse,
  },
  {
    method: "get",
    path: "/v1/jobs/{job}",
    summary: "Progress of an index job",
    answer: protocol.job,
    stream: "on request",
  },
  { method: "delete", path: "/v1/jobs/{job}", summary: "Cancel an index job", answer: protocol.job },
  {
    method: "get",
    path: "/v1/status",
    summary: "Workspaces, index, engine and recent drops",
    answer: protocol.statusResponse,
  },
  {
    method: "get",
    path: "/v1/config",
    summary: "Model, mode and engine, and what they can be changed to",
    answer: config.configResponse,
  },
  {
    method: "put",
    path: "/v1/config",
    summary:
      "Change model, mode or engine until the server stops; 409 when that cannot be, and nothing changes",
    body: config.configRequest,
    answer: config.configResponse,
  },
  {
    method: "post",
    path: "/v1/models/pull",
    summary: "Have Ollama fetch a model; closing the stream stops it, and the next pull goes on from there",
    body: config.pullRequest,
    answer: z.union([config.pullProgress, protocol.errorResponse]),
    stream: "always",
  },
  {
    method: "get",
    path: "/v1/machine",
    summary: "How fast the model is here, what its self-test gave, and which models fit into the memory",
    answer: machine.machineResponse,
  },
  {
    method: "get",
    path: "/v1/doctor",
    summary: "What is wrong with the set-up, and the commands that mend it",
    answer: config.doctorResponse,
  },
  {
    method: "post",
    path: "/v1/events",
    summary: "What became of suggestions; stored on this machine when DHI_METRICS says so, never code",
    body: events.eventsRequest,
    answer: events.eventsResponse,
  },
  {
    method: "get",
    path: "/v1/events",
    summary: "The stored events, a line each",
    query: events.eventsExportRequest,
    answer: events.storedEvent,
    lines: ["application/x-ndjson", "text/csv"],
  },
  {
    method: "get",
    path: "/v1/stats",
    summary: "How suggestions are received, by language, model and mode, and how long they take",
    query: events.statsRequest,
    answer: events.statsResponse,
  },
  {
    method: "get",
    path: "/metrics",
    summary: "Figures for Prometheus, without paths and code",
    answer: z.string(),
    lines: ["text/plain"],
  },
];

/** OpenAPI 3.1, whose schemas are JSON Schema 2020-12 as Zod writes it. */
export function openapi(): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: operation(route) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Dhi", version: VERSION, license: { name: "MIT", identifier: "MIT" } },
    paths,
    components: { schemas: { Error: jsonSchema(protocol.errorResponse, "output") } },
  };
}

function operation({ path, summary, query, body, answer, status = 200, stream, lines }: Route): object {
  const types = {
    undefined: ["application/json"],
    always: ["text/event-stream"],
    "on request": ["application/json", "text/event-stream"],
  };
  const schema = jsonSchema(answer, "output");
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const inQuery = Object.entries(query?.shape ?? {}).map(([name, field]) => ({
    name,
    in: "query",
    required: !field.safeParse(undefined).success,
    schema: jsonSchema(field, "input"),
  }));
  const parameters = [...inPath, ...inQuery];
  return {
    summary,
    ...(parameters.length && { parameters }),
    ...(body && {
      requestBody: { required: true, content: { "application/json": { schema: jsonSchema(body, "input") } } },
    }),
    responses: {
      [status]: {
        description: summary,
        content: Object.fromEntries(
          (lines ?? types[stream ?? "undefined"]).map((type) => [type, { schema }]),
        ),
      },
      default: {
        description: "What went wrong, and what to do",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    },
  };
}

function jsonSchema(schema: z.ZodType, io: "input" | "output"): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io });
  return rest;
}
