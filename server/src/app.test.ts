import { once } from "node:events";
import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { createLogger } from "@dhi/core/log";
import {
  type ErrorResponse,
  explainResponse,
  type FimDone,
  type FimPreview,
  type FimRequest,
  fimDone,
  healthResponse,
  type IndexerStatus,
  type Job,
  promptResponse,
  type StatusResponse,
  statusResponse,
} from "@dhi/core/protocol";
import { closedPort, startFakeServer } from "@dhi/core/testing/fake-server";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { UpstreamError } from "@dhi/core/upstream-error";
import { workspacesOf } from "@dhi/core/workspaces";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { routes } from "./api.ts";
import { createApp } from "./app.ts";
import type { Call } from "./call.ts";
import { readConfig } from "./config.ts";
import { createDegrade } from "./degrade/degrade.ts";
import type { Engine, GenerateOptions } from "./engines/engine.ts";
import { noEvents } from "./events/events.ts";
import { createGenerations } from "./generation/generations.ts";
import { createQueues } from "./generation/queues.ts";
import { createWarmUps } from "./generation/warm-ups.ts";
import { createWriter } from "./generation/writer.ts";
import { createIndexerClient } from "./indexer-client.ts";
import { formatById } from "./prompt/fim-format.ts";
import { createLayouts } from "./prompt/layouts.ts";
import { createRequestStats } from "./request-stats.ts";
import type { Snippet } from "./retrieval/snippet.ts";
import { createSessions } from "./sessions.ts";
import { openWorkspace, type Workspace } from "./workspace.ts";
import { createWorkspaces } from "./workspaces.ts";

interface OpenApi {
  readonly paths: Record<string, Record<string, { readonly responses: { readonly default?: object } }>>;
}
type Generate = (options: GenerateOptions, signal: AbortSignal) => Promise<string>;

let fakeGenerate: Generate;
let finish: "stop" | "length";
let isPaid: boolean;
let preview: FimPreview | undefined;
let warmUps: number;
/** Calls that wait for the engine. */
let waiting: number;
let prompts: string[];
let languages: string[];
const fakeEngine: Engine = {
  name: "ollama",
  model: "fake",
  readsPrompt: true,
  get isPaid() {
    return isPaid;
  },
  preview: async () => preview,
  async generate({ prompt, request }, options, signal) {
    prompts.push(prompt);
    languages.push(request.languageId);
    const text = await fakeGenerate(options, signal);
    const usage = { promptTokens: 1, cachedTokens: null, completionTokens: 1 };
    return { text, finish, usage, meanLogprob: null, confidence: null, firstTokenMs: 1 };
  },
  health: async () => ({ status: "ok", detail: "fake" }),
  warmUp: async () => {
    warmUps++;
  },
};

let url: string;
let indexerUrl: string;
let stop: () => Promise<void>;
let token: string | undefined;
let format: string;
let served: Workspace[];

/** Its index is empty, and so is what is found in it, unless told otherwise. */
const fakeWorkspace = (name: string, path: string, roots = [path]): Workspace => ({
  ...{ name, path, roots },
  index: { get: () => undefined, close() {} },
  vectors: { search: async () => [], health: async () => ({ status: "ok", detail: "fake" }) },
  instant: {
    predict: () => ({ text: "", confidence: 0, tokens: 0, cut: false }),
    refresh: async () => {},
    status: () => ({ state: "ready", files: 0, tokens: 0, storedTokens: 0 }),
  },
  retrieve: async () => ({ snippets: [], found: new Map(), late: [], legMs: new Map() }),
  definedIn: () => [],
  close() {},
});

async function start() {
  const queue = createQueues(8, () => {});
  const app = createApp({
    config: readConfig({}),
    warmUps: createWarmUps({ queue }),
    completion: {
      queue,
      writer: createWriter(createGenerations<Call>()),
      layouts: createLayouts(),
    },
    running: {
      now: {
        asked: (request) => ({
          format: formatById(format)!,
          mode: request?.mode ?? "rag",
          budgetTokens: 2048,
          maxTokens: 64,
        }),
        engine: fakeEngine,
        engineFor: () => fakeEngine,
        isChosen: false,
        minMeanLogprob: undefined,
        degrade: createDegrade({
          ...{ engine: fakeEngine, instant: { ...fakeEngine, name: "instant", model: "n-gram" } },
          ...{ waiting: () => waiting, onStep() {} },
        }),
      },
      describe: () => Promise.reject(new Error("not asked here")),
      installed: async () => [],
      measured: () => ({
        model: "fake",
        rates: { prefill: null, decode: null, firstTextMs: null, calls: 0 },
        lastTest: undefined,
      }),
      change: async () => {},
      close() {},
    },
    workspaces: createWorkspaces(served),
    indexer: createIndexerClient(indexerUrl),
    events: noEvents,
    metrics: { answered() {}, failed() {}, text: async () => "", contentType: "text/plain", close() {} },
    sessions: createSessions(),
    stats: createRequestStats(),
    guard: { allowedHosts: [], token },
    log: createLogger("test", "silent"),
  });
  const http = createServer(app).listen(0, "127.0.0.1");
  await once(http, "listening");
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  stop = async () => {
    http.closeAllConnections();
    await new Promise((done) => http.close(done));
  };
}

beforeEach(async () => {
  fakeGenerate = async () => "total;";
  waiting = 0;
  isPaid = false;
  preview = undefined;
  warmUps = 0;
  finish = "stop";
  prompts = [];
  languages = [];
  token = undefined;
  format = "qwen";
  served = [fakeWorkspace("shop", "/work/shop")];
  indexerUrl = `http://127.0.0.1:${await closedPort()}`;
  await start();
});
afterEach(() => stop());

const post = (path: string, body: unknown, init: RequestInit = {}) =>
  fetch(url + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...init,
  });
const errorOf = async (response: Response) => ({
  status: response.status,
  ...((await response.json()) as ErrorResponse).error,
});
const events = async (response: Response): Promise<unknown[]> =>
  (await response.text())
    .split("\n\n")
    .filter(Boolean)
    .map((e) => JSON.parse(e.replace(/^data: /, "")));
const fim = { path: "src/a.ts", languageId: "typescript", prefix: "return ", suffix: "\n}" };

const oneStatus: IndexerStatus = {
  ...{ workspace: "shop", state: "watching", files: 2, chunks: 3, symbols: 4, skipped: {} },
  ...{ lastChangeAt: null, job: null, pendingEmbeddings: 0 },
  embedder: { id: "hash:1", status: "ok", detail: "EMBEDDER=hash" },
  vectors: { collection: "c", status: "ok", detail: "", stored: 3 },
  counters: { filesParsed: 0, textsEmbedded: 0 },
};

describe("bad input", () => {
  afterEach(async () => {
    const response = await post("/complete", { file_path: "a.ts", prefix: "return ", suffix: "\n" });
    expect(await response.json(), "the server goes on").toEqual({ completion: "total;" });
  });

  test.each([
    ["an unknown route", "/nope", {}, 404, "not_found", "no POST /nope here"],
    ["malformed JSON", "/complete", '{"file_path": ', 400, "bad_json", "the body is no JSON"],
    ["no body", "/complete", "", 400, "bad_request", "file_path: "],
    ["an array", "/complete", "[]", 400, "bad_request", "expected object"],
    ["missing fields", "/complete", { prefix: "a" }, 400, "bad_request", "file_path: "],
    ["wrong types", "/v1/fim", { path: 1, prefix: [] }, 400, "bad_request", "prefix: Invalid input"],
    ["a NUL byte", "/v1/fim", { ...fim, prefix: "a\0b" }, 400, "bad_request", "prefix: contains a NUL byte"],
    [
      "a NUL byte in the path",
      "/index",
      { file_path: "a\0.ts" },
      400,
      "bad_request",
      "file_path: contains a NUL",
    ],
    [
      "a lone surrogate",
      "/v1/fim",
      { ...fim, suffix: "\ud83d" },
      400,
      "bad_request",
      "suffix: contains a lone",
    ],
    [
      "a path outside",
      "/v1/fim",
      { ...fim, path: "../b.ts" },
      400,
      "outside_workspace",
      '"../b.ts" lies outside',
    ],
    [
      "an absolute path outside",
      "/index",
      { file_path: "/etc/passwd" },
      400,
      "outside_workspace",
      "/etc/passwd",
    ],
    ["the workspace as a file", "/v1/fim", { ...fim, path: "." }, 400, "not_a_file", "the workspace itself"],
    ["a Windows path", "/v1/fim", { ...fim, path: "C:\\a.ts" }, 400, "outside_workspace", "C:\\a.ts"],
    ["another workspace", "/v1/prompt", { ...fim, workspace: "x" }, 404, "no_such_workspace", 'only "shop"'],
    ["a folder outside", "/index-dir", { dir_path: "/" }, 400, "outside_workspace", "dir_path"],
    ["a 5 MB prefix", "/v1/fim", { ...fim, prefix: "x".repeat(5e6) }, 413, "too_large", "over 4 MiB"],
    ["too many results", "/search", { query: "a", n_results: 1e6 }, 400, "bad_request", "n_results: "],
    ["an unknown mode", "/v1/prompt", { ...fim, mode: "x" }, 400, "bad_request", "mode: "],
  ])("%s gets a clear error", async (_, path, body, status, code, words) => {
    const error = await errorOf(await post(path, body));
    expect(error).toMatchObject({ status, code });
    expect(error.message).toContain(words);
  });

  test("a body that is not compressed as it says is the client's mistake", async () => {
    const headers = { "content-encoding": "gzip" };
    expect(await errorOf(await post("/complete", "{}", { headers }))).toMatchObject({
      status: 400,
      code: "bad_request",
    });
  });

  test("so is a job's id that is no text", async () => {
    expect(await errorOf(await fetch(`${url}/v1/jobs/%ff`))).toMatchObject({ status: 400 });
  });

  test("every bad field is named, and where the right ones are described", async () => {
    const { message, hint } = await errorOf(await post("/complete", { file_path: "", prefix: 1 }));
    expect(message).toMatch(/file_path: .*; prefix: /);
    expect(hint).toBe("GET /openapi.json describes every request.");
  });

  test("a foreign Host or Origin is refused", async () => {
    const foreignOrigin = await fetch(`${url}/health`, { headers: { origin: "https://evil.example" } });
    expect(await errorOf(foreignOrigin)).toMatchObject({ status: 403, code: "foreign_origin" });
    const foreignHost = await new Promise((resolve, reject) => {
      httpRequest(`${url}/health`, { headers: { host: "evil.example" } }, (r) =>
        resolve(r.resume().statusCode),
      )
        .on("error", reject)
        .end();
    });
    expect(foreignHost).toBe(403);
  });
});

test("with a token set, everything but the health and the page that shows it wants it", async () => {
  token = "secret-token";
  await stop();
  await start();
  const headers = { authorization: "Bearer secret-token" };
  const complete = { file_path: "a.ts", prefix: "return " };
  expect(await errorOf(await post("/complete", complete))).toMatchObject({
    status: 401,
    code: "unauthorized",
    hint: expect.stringContaining("DHI_TOKEN"),
  });
  expect((await post("/complete", complete, { headers })).status).toBe(200);
  expect((await fetch(`${url}/v1/status`)).status).toBe(401);
  // Compose's health check and `npm start` ask without one.
  expect((await fetch(`${url}/health`)).status).toBe(200);
  // 503 when the page is not built.
  expect([200, 503]).toContain((await fetch(url)).status);
});

test("the path tells the language that a client does not name", async () => {
  const { languageId: _, ...unnamed } = fim;
  await (await post("/v1/fim", unnamed)).text();
  await (await post("/v1/fim", { ...fim, languageId: "vue" })).text();
  await (await post("/complete", { file_path: "a.py", prefix: "x" })).text();
  await (await post("/complete", { file_path: "a", prefix: "x", language: "go" })).text();
  expect(languages).toEqual(["typescript", "vue", "python", "go"]);
});

describe("/complete", () => {
  test("maps an absolute path inside the workspace to a relative one", async () => {
    await post("/complete", { file_path: "/work/shop/src/a.ts", prefix: "return ", suffix: "" });
    expect(prompts[0]).toContain("<|file_sep|>src/a.ts\n");
    expect(prompts[0]).not.toContain("/work/shop");
  });

  test("knows the workspace by its real path too, when it is a symbolic link", async () => {
    using home = tempDir();
    const link = join(home.dir, "link");
    const real = join(realpathSync(home.dir), "real");
    mkdirSync(real);
    symlinkSync(real, link);
    const config = readConfig({ WORKSPACE: link, WORKSPACE_NAME: "shop", DHI_HOME: home.dir });
    const [setting] = workspacesOf(config);
    const opened = openWorkspace(setting!, config, {
      instant: served[0]!.instant,
      log: createLogger("test", "silent"),
    });
    served = [opened];
    await stop();
    await start();
    for (const folder of [link, real]) {
      await post("/complete", { file_path: `${folder}/src/a.ts`, prefix: `return ${folder}`, suffix: "" });
      expect(prompts.pop()).toContain("<|file_sep|>src/a.ts\n");
    }
    opened.close();
  });

  test("answers an empty completion, not an error, when there is nothing to show", async () => {
    fakeGenerate = async () => "  \n";
    const response = await post("/complete", { file_path: "a.ts", prefix: "return ", suffix: "" });
    expect([response.status, await response.json()]).toEqual([200, { completion: "" }]);
  });

  test("passes on that the engine's server wants to be left alone for a while", async () => {
    fakeGenerate = async () => {
      throw new UpstreamError("openai", "429 slow down", { status: 429, retryAfterMs: 1_500 });
    };
    const response = await post("/complete", { file_path: "a.ts", prefix: "a" });
    expect(response.headers.get("retry-after")).toBe("2");
    expect(await errorOf(response)).toMatchObject({ status: 429, code: "upstream_busy" });
  });

  test("answers 502 with the words of the engine's server", async () => {
    fakeGenerate = async () => {
      throw new UpstreamError("ollama", "404 model 'x' not found");
    };
    expect(await errorOf(await post("/complete", { file_path: "a.ts", prefix: "a" }))).toMatchObject({
      status: 502,
      code: "upstream",
      message: "ollama: 404 model 'x' not found",
    });
  });
});

test("a model that turns out to be of another family is asked in its format from the next request on", async () => {
  await (await post("/v1/fim", fim)).text();
  format = "starcoder2";
  await (await post("/v1/fim", { ...fim, path: "src/b.ts" })).text();
  expect(prompts.map((prompt) => prompt.match(/<.?fim_middle.?>$/)?.[0])).toEqual([
    "<|fim_middle|>",
    "<fim_middle>",
  ]);
  const status = (await (await fetch(`${url}/v1/status`)).json()) as StatusResponse;
  expect(status.engine.format).toBe("starcoder2");
});

describe("/v1/warm", () => {
  test("warms the engine up once, and not at all once it was used", async () => {
    expect(await (await post("/v1/warm", {})).json()).toEqual({ state: "warming" });
    await (await post("/v1/fim", fim)).text();
    expect(await (await post("/v1/warm", {})).json()).toEqual({ state: "warm" });
    expect(warmUps).toBe(1);
  });

  test("has a cursor's prompt read, up to the next request of its session", async () => {
    const ended: string[] = [];
    fakeGenerate = ({ maxTokens }, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          ended.push(String(maxTokens));
          reject(signal.reason);
        });
      });
    await post("/v1/warm", { ...fim, sessionId: "s" });
    await expect.poll(() => prompts.length).toBe(1);
    expect(prompts[0]).toContain("return ");
    fakeGenerate = async () => "total;";
    await (await post("/v1/fim", { ...fim, sessionId: "s" })).text();
    expect(ended).toEqual(["1"]);
    expect(prompts[1]).toBe(prompts[0]);
  });

  test("reads nothing ahead for nobody in particular", async () => {
    await post("/v1/warm", fim);
    await (await post("/v1/fim", fim)).text();
    expect(prompts).toHaveLength(1);
  });

  test("refuses a path outside the workspace", async () => {
    const error = await errorOf(await post("/v1/warm", { path: "../b.ts" }));
    expect(error).toMatchObject({ status: 400 });
  });
});

describe("/v1/fim", () => {
  test("streams what is sure to be shown, then one done event with the whole text", async () => {
    fakeGenerate = async ({ onText }) => {
      onText?.("tot");
      onText?.("al;");
      return "total;";
    };
    const [first, done, ...rest] = await events(await post("/v1/fim", { ...fim, requestId: "r1" }));
    expect([first, rest]).toEqual([{ text: "total;" }, []]);
    expect(fimDone.parse(done)).toMatchObject({
      requestId: "r1",
      completion: "total;",
      reason: "ok",
      engine: "ollama",
      model: "fake",
      mode: "rag",
      format: "qwen",
    });
  });

  test("a preview comes first where a model is to answer, for who asks for it", async () => {
    preview = { preview: "tot", confidence: 0.9 };
    fakeGenerate = async () => {
      await setImmediate();
      return "total;";
    };
    const unasked = await events(await post("/v1/fim", fim));
    const [first, second, done] = await events(
      await post("/v1/fim", { ...fim, prefix: "return a + ", preview: true }),
    );
    expect([unasked[0], first, second]).toEqual([{ text: "total;" }, preview, { text: "total;" }]);
    expect(fimDone.parse(done)).toMatchObject({ completion: "total;", engine: "ollama" });
    expect(await (await post("/complete", { file_path: "a.ts", prefix: "let b = " })).json()).toEqual({
      completion: "total;",
    });
  });

  test("has the line after the accept written while the stream stays open, and ends that with it", async () => {
    const ended: string[] = [];
    fakeGenerate = ({ onText }, signal) =>
      new Promise((_, reject) => {
        onText?.(prompts.length === 1 ? "total;\n" : "next");
        signal.addEventListener("abort", () => {
          ended.push(prompts.at(-1) ?? "");
          reject(signal.reason);
        });
      });
    const leaving = new AbortController();
    const body = { ...fim, sessionId: "s", ahead: true };
    const response = await post("/v1/fim", body, { signal: leaving.signal });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ""; !text.includes('"done":true'); ) text += (await reader.read()).value;
    expect(ended).toEqual([]);
    leaving.abort();
    await expect.poll(() => ended.length).toBe(1);
  });

  test("asks ahead for what is wanted once a completion is accepted, which answers it", async () => {
    fakeGenerate = async () => (prompts.length === 1 ? "total;" : "\n  next();");
    finish = "length";
    const body = { ...fim, suffix: "", sessionId: "s" };
    const [, done] = (await events(await post("/v1/fim", body))) as FimDone[];
    await expect.poll(() => prompts.length).toBe(2);
    expect(prompts[1]).toContain("return total;");
    const accepted = { ...body, prefix: `${body.prefix}${done?.completion}` };
    const [, next] = (await events(await post("/v1/fim", accepted))) as FimDone[];
    expect(next).toMatchObject({ completion: "\n  next();", reuse: "cached" });
  });

  test("asks a paid engine nothing that nobody waits for", async () => {
    isPaid = true;
    const body = { ...fim, sessionId: "s" };
    await post("/v1/warm", body);
    for (const path of ["src/a.ts", "src/b.ts"])
      await (await post("/v1/fim", { ...body, path, ahead: true })).text();
    expect(prompts).toHaveLength(2);
  });

  test("says why nothing is shown, and counts it", async () => {
    fakeGenerate = async () => "\n";
    const [done] = (await events(await post("/v1/fim", fim))) as FimDone[];
    expect(done).toMatchObject({ completion: "", reason: "blank" });
    const status = (await (await fetch(`${url}/v1/status`)).json()) as StatusResponse;
    expect(status.requests).toEqual({ completions: 1, shown: 0, drops: { blank: 1 } });
    expect(status.lastDrops).toMatchObject([{ path: "src/a.ts", reason: "blank" }]);
  });

  test("closing the stream stops the engine", async () => {
    const stopped = new Promise<void>((resolve) => {
      fakeGenerate = (_, signal) =>
        new Promise((__, reject) =>
          signal.addEventListener("abort", () => {
            resolve();
            reject(signal.reason);
          }),
        );
    });
    const controller = new AbortController();
    const answer = post("/v1/fim", fim, { signal: controller.signal }).catch((e: Error) => e.name);
    await expect.poll(() => prompts.length).toBe(1);
    controller.abort();
    await stopped;
    expect(await answer).toBe("AbortError");
  });

  test("a newer request of the same session ends the older one, another session's goes on", async () => {
    const live: AbortSignal[] = [];
    fakeGenerate = (_, signal) => {
      live.push(signal);
      return new Promise((resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
        if (live.length === 3) resolve("total;");
      });
    };
    const old = post("/v1/fim", { ...fim, sessionId: "a" });
    await expect.poll(() => live.length).toBe(1);
    const other = post("/v1/fim", { ...fim, sessionId: "b", prefix: "other " });
    await expect.poll(() => live.length).toBe(2);
    await (await post("/v1/fim", { ...fim, sessionId: "a", prefix: "newer " })).text();
    expect(live.map((s) => s.aborted)).toEqual([true, false, false]);
    expect((await (await old).text()).length).toBe(0);
    stop = ((end) => async () => {
      await end();
      await other.catch(() => {});
    })(stop);
  });

  describe("asked for an alternative", () => {
    const usual = { ...fim, sessionId: "a" };
    const asked: GenerateOptions[] = [];
    const answerWith = (texts: readonly string[]) => {
      // Nothing is asked ahead.
      isPaid = true;
      asked.length = 0;
      fakeGenerate = async (options) => texts[asked.push(options) - 1] ?? "";
    };
    const done = async (body: object) => (await events(await post("/v1/fim", body))).at(-1) as FimDone;

    test("has the same prompt written on in another way", async () => {
      answerWith(["total;", "sum;", "all;"]);
      expect(await done(usual)).toMatchObject({ completion: "total;" });
      expect(await done({ ...usual, alternative: 1 })).toMatchObject({ completion: "sum;", reason: "ok" });
      expect(await done({ ...usual, alternative: 2 })).toMatchObject({ completion: "all;", reuse: "none" });
      expect(new Set(prompts).size).toBe(1);
      expect(asked.map(({ sampling }) => sampling)).toEqual([
        undefined,
        { temperature: 0.7, seed: 1 },
        { temperature: 0.8, seed: 2 },
      ]);
    });

    test("keeps it apart from the usual answer", async () => {
      answerWith(["sum;", "total;"]);
      expect(await done({ ...usual, alternative: 1 })).toMatchObject({ completion: "sum;" });
      expect(await done({ ...usual, alternative: 0 })).toMatchObject({ completion: "total;", reuse: "none" });
      expect(await done(usual)).toMatchObject({ completion: "total;", reuse: "cached" });
      expect(await done({ ...usual, alternative: 1 })).toMatchObject({ completion: "sum;", reuse: "cached" });
    });

    test("says so when it is the usual answer, and draws none of it", async () => {
      answerWith(["total;", "total;\n"]);
      await done(usual);
      const all = await events(await post("/v1/fim", { ...usual, alternative: 1 }));
      expect(all).toMatchObject([{ done: true, completion: "", reason: "repeats-usual" }]);
    });

    test("lets the session's older request be, and ends with its next one", async () => {
      const live: AbortSignal[] = [];
      fakeGenerate = (_, signal) =>
        new Promise((resolve, reject) => {
          live.push(signal);
          signal.addEventListener("abort", () => reject(signal.reason));
          if (live.length === 3) resolve("next;");
        });
      const older = post("/v1/fim", { ...usual, prefix: "older " });
      await expect.poll(() => live.length).toBe(1);
      const alternative = post("/v1/fim", { ...usual, alternative: 1 });
      await expect.poll(() => live.length).toBe(2);
      expect(live.map((signal) => signal.aborted)).toEqual([false, false]);
      expect(await done({ ...usual, prefix: "newer " })).toMatchObject({ completion: "next;" });
      expect(live.map((signal) => signal.aborted)).toEqual([true, true, false]);
      for (const ended of [older, alternative]) expect(await (await ended).text()).toBe("");
    });
  });

  test("a newer request of the same session that typed on joins the older one's call", async () => {
    let write: (piece: string) => void = () => {};
    let calls = 0;
    fakeGenerate = ({ onText }, signal) => {
      calls++;
      write = (piece) => onText?.(piece);
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    };
    const old = post("/v1/fim", { ...fim, sessionId: "a" });
    await expect.poll(() => calls).toBe(1);
    const newer = post("/v1/fim", { ...fim, sessionId: "a", prefix: `${fim.prefix}to` });
    expect(await (await old).text()).toBe("");
    write("total;\n");
    const answered = (await events(await newer)).at(-1) as FimDone;
    expect(answered).toMatchObject({ completion: "tal;", reuse: "joined" });
    const again = await events(await post("/v1/fim", { ...fim, prefix: `${fim.prefix}tot` }));
    expect(again.at(-1)).toMatchObject({ completion: "al;", reuse: "joined" });
    expect(calls).toBe(1);
  });

  test("an engine that fails again and again is left alone, which everybody can see", async () => {
    const generate = fakeGenerate;
    fakeGenerate = () => Promise.reject(new UpstreamError("ollama", "out of memory"));
    const ask = async (n: number) => {
      const sent = await events(await post("/v1/fim", { ...fim, prefix: `return ${n} + ` }));
      return sent.at(-1) as FimDone;
    };
    for (let n = 0; n < 3; n++) expect(await ask(n)).toMatchObject({ error: { code: "upstream" } });
    fakeGenerate = generate;
    expect(await ask(3)).toMatchObject({
      completion: "total;",
      engine: "instant",
      step: "instant",
      debounceMs: 225,
    });
    const health = healthResponse.parse(await (await fetch(`${url}/health`)).json());
    expect(health.components.engine).toEqual({
      status: "degraded",
      detail: "fake; instant: nothing measured yet",
    });
    const status = (await (await fetch(`${url}/v1/status`)).json()) as StatusResponse;
    expect(status.engine.step).toBe("instant");
    // Asked for by hand, it is tried.
    const byHand = await events(await post("/v1/fim", { ...fim, trigger: "manual", prefix: "return 4 + " }));
    expect(byHand.at(-1)).toMatchObject({ engine: "ollama", step: "full" });
  });

  test("with too many calls waiting nothing is generated, and the answer says so", async () => {
    waiting = 64;
    const sent = await events(await post("/v1/fim", fim));
    expect(sent).toEqual([expect.objectContaining({ completion: "", reason: "overloaded", step: "skip" })]);
    expect(prompts).toEqual([]);
  });

  test("a deadline that passes is a 504 with what to do", async () => {
    fakeGenerate = (_, signal) =>
      new Promise((__, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    expect(await errorOf(await post("/v1/fim", { ...fim, deadlineMs: 20 }))).toMatchObject({
      status: 504,
      code: "deadline",
    });
  });

  test("asks the engine for no more tokens than the server allows", async () => {
    const asked: number[] = [];
    fakeGenerate = async ({ maxTokens }) => {
      asked.push(maxTokens);
      return "x";
    };
    for (const maxTokens of [8, 2000]) await (await post("/v1/fim", { ...fim, maxTokens })).text();
    expect(asked).toEqual([8, 64]);
  });
});

test("tells the indexer that a completion runs, and answers all the same when that fails", async () => {
  await using fakeIndexer = await startFakeServer((_, response) => {
    response.writeHead(500).end();
  });
  await stop();
  indexerUrl = fakeIndexer.url;
  served = [
    {
      ...fakeWorkspace("shop", "/work/shop"),
      async retrieve() {
        await setImmediate();
        await setImmediate();
        return { snippets: [], found: new Map(), late: [], legMs: new Map() };
      },
    },
  ];
  await start();
  const response = await post("/complete", { file_path: "a.ts", prefix: "return ", suffix: "\n" });
  expect(await response.json()).toEqual({ completion: "total;" });
  await expect
    .poll(() => fakeIndexer.requests.map(({ method, path }) => `${method} ${path}`))
    .toEqual(["POST /busy"]);
});

test("open files reach retrieval as paths of the workspace, and one outside of it is no error", async () => {
  let seen: FimRequest | undefined;
  served = [
    {
      ...fakeWorkspace("shop", "/work/shop"),
      retrieve: async (request) => {
        seen = request;
        return { snippets: [], found: new Map(), late: [], legMs: new Map() };
      },
    },
  ];
  await stop();
  await start();
  const response = await post("/v1/prompt", {
    ...{ path: "/work/shop/a.ts", prefix: "return ", openFiles: ["/work/shop/b.ts", "/etc/passwd"] },
    recentEdits: [{ path: "/work/shop/c.ts", startLine: 1, endLine: 2 }],
  });
  expect(response.status).toBe(200);
  expect(seen).toMatchObject({
    ...{ path: "a.ts", openFiles: ["b.ts"] },
    recentEdits: [{ path: "c.ts", startLine: 1, endLine: 2 }],
  });
});

test("asks the indexer to explain a path, and explains itself what no workspace holds", async () => {
  const answer = { path: "a b.ts", indexed: true, chunks: 1, language: "typescript", detail: "in the index" };
  await using fakeIndexer = await startFakeServer((_, response) => void response.end(JSON.stringify(answer)));
  await stop();
  indexerUrl = fakeIndexer.url;
  await start();
  const explained = async (path: string) =>
    explainResponse.parse(await (await fetch(`${url}/v1/explain?path=${encodeURIComponent(path)}`)).json());
  expect(await explained("/work/shop/a b.ts")).toEqual(answer);
  expect(fakeIndexer.requests.map((r) => r.path)).toEqual(["/explain?path=a+b.ts"]);
  expect(await explained("/etc/passwd")).toMatchObject({
    ...{ path: "/etc/passwd", indexed: false, skipped: "outside" },
    detail: expect.stringContaining("lies outside the workspace"),
  });
  expect(fakeIndexer.requests).toHaveLength(1);
});

describe("several workspaces", () => {
  const snippetOf = (path: string): Snippet => ({
    ...{
      path,
      startLine: 1,
      endLine: 1,
      text: `export const ${path.slice(0, -3)} = 1;`,
      language: "typescript",
    },
    ...{ name: null, kind: "lines", signature: null, legs: ["lexical"], score: 1 },
    ranks: new Map([["lexical", 0]]),
  });
  const statusOf = (workspace: string, state: IndexerStatus["state"]): IndexerStatus => ({
    ...{ ...oneStatus, workspace, state },
    ...(state === "failed" && { error: `${workspace} is locked` }),
  });

  beforeEach(async () => {
    served = ["shop", "docs"].map((name) => ({
      ...fakeWorkspace(name, `/work/${name}`),
      retrieve: async () => ({
        snippets: [snippetOf(`${name}.ts`)],
        found: new Map(),
        late: [],
        legMs: new Map(),
      }),
    }));
    await stop();
    await start();
  });

  test.each<[string, object, string]>([
    ["by name", { ...fim, workspace: "docs" }, "docs"],
    ["by an absolute path", { ...fim, path: "/work/docs/src/a.ts" }, "docs"],
    ["by both", { ...fim, workspace: "shop", path: "/work/shop/src/a.ts" }, "shop"],
  ])("a completion sees only the workspace it is about: %s", async (_, body, name) => {
    await (await post("/v1/fim", body)).text();
    const { prompt } = promptResponse.parse(await (await post("/v1/prompt", body)).json());
    expect(prompts).toEqual([prompt]);
    expect(prompt).toBe(
      `<|repo_name|>${name}\n<|file_sep|>${name}.ts\nexport const ${name} = 1;\n` +
        "<|file_sep|>src/a.ts\n<|fim_prefix|>return <|fim_suffix|>\n}<|fim_middle|>",
    );
  });

  test("/complete takes the workspace too", async () => {
    const body = { file_path: "a.ts", prefix: "return ", suffix: "", workspace: "docs" };
    expect(await (await post("/complete", body)).json()).toEqual({ completion: "total;" });
    expect(prompts[0]).toContain("<|repo_name|>docs\n");
  });

  test.each<[string, string, object]>([
    ["/complete", "file_path", { file_path: "a.ts", prefix: "" }],
    ["/v1/fim", "path", fim],
    ["/v1/prompt", "path", fim],
    ["/search", "", { query: "x" }],
    ["/index", "file_path", { file_path: "a.ts" }],
    ["/index-dir", "dir_path", {}],
    ["/v1/documents", "path", { path: "a.ts", version: 1, content: "" }],
  ])("%s wants to know which, and names the choices", async (path, field, body) => {
    expect(await errorOf(await post(path, body))).toEqual({
      ...{ status: 400, code: "workspace_needed", hint: "Send workspace, or an absolute path." },
      message: 'several workspaces are served and none is named: "shop", "docs"',
    });
    expect(await errorOf(await post(path, { ...body, workspace: "bank" }))).toMatchObject({
      ...{ status: 404, code: "no_such_workspace", message: 'no workspace "bank" here, only "shop", "docs"' },
    });
    if (!field) return;
    const foreign = { ...body, workspace: "shop", [field]: "/work/docs/a.ts" };
    expect(await errorOf(await post(path, foreign))).toMatchObject({
      ...{
        status: 400,
        code: "outside_workspace",
        message: expect.stringContaining(`${field}: "/work/docs/a.ts"`),
      },
    });
  });

  test("tells the indexer which, and reports what it says of each", async () => {
    await using fakeIndexer = await startFakeServer(({ path }, response) => {
      const workspaces = [statusOf("shop", "watching"), statusOf("docs", "failed")];
      response.end(
        JSON.stringify({ "/status": { workspaces }, "/sync": { job: "7" } }[path] ?? { indexed: 1 }),
      );
    });
    await stop();
    indexerUrl = fakeIndexer.url;
    await start();
    await post("/index", { file_path: "/work/docs/a.ts" });
    await post("/index", { workspace: "shop", file_path: "a.ts" });
    await post("/index-dir", { workspace: "docs" });
    expect(fakeIndexer.requests.map((r) => r.body)).toEqual([
      { workspace: "docs", path: "a.ts" },
      { workspace: "shop", path: "a.ts" },
      { workspace: "docs", path: "." },
    ]);
    const status = statusResponse.parse(await (await fetch(`${url}/v1/status`)).json());
    expect(status.workspaces).toEqual([
      { name: "shop", path: "/work/shop", indexer: statusOf("shop", "watching") },
      { name: "docs", path: "/work/docs", indexer: statusOf("docs", "failed") },
    ]);
    expect(status.indexer).toEqual(statusOf("shop", "watching"));
    expect(await (await fetch(`${url}/health`)).json()).toMatchObject({
      status: "degraded",
      components: {
        indexer: { status: "degraded", detail: "shop: watching: 2 files, 3 chunks; docs: docs is locked" },
        embedder: { status: "ok", detail: "shop: hash:1: EMBEDDER=hash" },
        chroma: { status: "ok", detail: "fake" },
      },
    });
  });
});

test("says of a Chroma that answers and takes nothing more what the indexer knows", async () => {
  const vectors = { collection: "c", status: "down", detail: "no room left on its disk", stored: 3 };
  const workspaces = [{ ...oneStatus, vectors }];
  await using fakeIndexer = await startFakeServer(
    (_, response) => void response.end(JSON.stringify({ workspaces })),
  );
  await stop();
  indexerUrl = fakeIndexer.url;
  await start();
  expect(await (await fetch(`${url}/health`)).json()).toMatchObject({
    status: "degraded",
    components: {
      chroma: { status: "degraded", detail: "no room left on its disk" },
      indexer: { status: "ok" },
    },
  });
});

test("says of a Chroma that does not answer in time that it is down, and how the rest is", async () => {
  const health = (signal: AbortSignal) =>
    new Promise<never>((_, fail) => signal.addEventListener("abort", () => fail(signal.reason)));
  const vectors = { search: async () => [], health: (_: unknown, signal: AbortSignal) => health(signal) };
  served = [{ ...fakeWorkspace("shop", "/work/shop"), vectors }];
  await stop();
  await start();
  const response = await fetch(`${url}/health`);
  expect([response.status, await response.json()]).toMatchObject([
    200,
    { status: "degraded", components: { chroma: { status: "down" }, engine: { status: "ok" } } },
  ]);
});

test("/v1/prompt shows what would be sent and calls no engine", async () => {
  const answer = promptResponse.parse(await (await post("/v1/prompt", fim)).json());
  expect(answer.prompt).toBe(
    "<|repo_name|>shop\n<|file_sep|>src/a.ts\n<|fim_prefix|>return <|fim_suffix|>\n}<|fim_middle|>",
  );
  expect(prompts).toEqual([]);
});

describe("the indexer's part", () => {
  const job: Job = {
    id: "7",
    state: "running",
    files: 1,
    filesTotal: 2,
    chunks: 3,
    embedded: 0,
    chunksTotal: 3,
    etaMs: null,
  };

  test("passes index calls on and streams a job's progress until it ends", async () => {
    const states: Job["state"][] = ["running", "done"];
    await using fakeIndexer = await startFakeServer(({ method, path }, response) => {
      const answers: Record<string, unknown> = {
        "POST /index": { indexed: 3 },
        "POST /sync": { job: "7" },
        "GET /jobs/7": { ...job, state: method === "GET" && states.shift() },
        "DELETE /jobs/7": { ...job, state: "cancelled" },
      };
      response
        .setHeader("content-type", "application/json")
        .end(JSON.stringify(answers[`${method} ${path}`]));
    });
    await stop();
    indexerUrl = fakeIndexer.url;
    await start();
    const unsaved = { content: "def run(): pass", language: "python" };
    expect(await (await post("/index", { file_path: "a.ts", ...unsaved })).json()).toEqual({ indexed: 3 });
    const started = await post("/index-dir", { dir_path: "." });
    expect([started.status, await started.json()]).toEqual([202, { job: "7" }]);
    const followed = await fetch(`${url}/v1/jobs/7`, { headers: { accept: "text/event-stream" } });
    expect(((await events(followed)) as Job[]).map((j) => j.state)).toEqual(["running", "done"]);
    const cancelled = await fetch(`${url}/v1/jobs/7`, { method: "DELETE" });
    expect(await cancelled.json()).toMatchObject({ state: "cancelled" });
    expect(fakeIndexer.requests.map((r) => r.body).slice(0, 2)).toEqual([
      { path: "a.ts", ...unsaved },
      { path: "." },
    ]);
  });

  test("passes its refusals on as they are", async () => {
    await using fakeIndexer = await startFakeServer((_, response) => {
      response
        .writeHead(404)
        .end(JSON.stringify({ error: { code: "no_job", message: "no job 9", hint: "start one" } }));
    });
    await stop();
    indexerUrl = fakeIndexer.url;
    await start();
    expect(await errorOf(await fetch(`${url}/v1/jobs/9`))).toEqual({
      status: 404,
      code: "no_job",
      message: "no job 9",
      hint: "start one",
    });
  });

  test("completions go on when it is down, and health says degraded", async () => {
    expect(await errorOf(await post("/index", { file_path: "a.ts" }))).toMatchObject({
      status: 502,
      code: "upstream",
    });
    expect(await (await post("/complete", { file_path: "a.ts", prefix: "a" })).json()).toEqual({
      completion: "total;",
    });
    const response = await fetch(`${url}/health`);
    expect([response.status, healthResponse.parse(await response.json())]).toMatchObject([
      200,
      { status: "degraded", components: { indexer: { status: "down" }, engine: { status: "ok" } } },
    ]);
  });
});

test("symbols and callers name what is wrong with a question, and know nothing without an index", async () => {
  const asked = async (query: string) => errorOf(await fetch(`${url}/v1/${query}`));
  expect(await (await fetch(`${url}/v1/symbols?name=total`)).json()).toEqual({ symbols: [] });
  expect(await asked("symbols?limit=0")).toMatchObject({
    ...{ status: 400, message: expect.stringMatching(/name: .*limit: /) },
  });
  expect(await asked("callers?path=/etc/passwd&name=total")).toMatchObject({
    ...{ status: 400, code: "outside_workspace" },
  });
  expect(await asked("callers?path=a.ts&name=total")).toMatchObject({ status: 404, code: "not_indexed" });
});

test("members name what is wrong with a question, and know nothing without an index", async () => {
  const members = (query: string) => fetch(`${url}/v1/members?${query}`);
  expect(await (await members("path=a.ts&expression=a.b&line=2")).json()).toEqual({
    ...{ type: null, signature: null, from: "nothing", members: [] },
  });
  expect(await errorOf(await members("path=a.ts&line=0"))).toMatchObject({
    ...{ status: 400, message: expect.stringMatching(/expression: .*line: /) },
  });
  expect(await errorOf(await members("path=/etc/passwd&expression=a"))).toMatchObject({
    ...{ status: 400, code: "outside_workspace" },
  });
});

test("every route of the API is in openapi.json and is answered", async () => {
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApi;
  for (const { method, path } of routes) {
    expect(paths[path]?.[method]?.responses.default).toBeDefined();
    const response = await fetch(url + path.replace("{job}", "1"), { method: method.toUpperCase() });
    await response.body?.cancel();
    expect([path, response.status]).not.toEqual([path, 404]);
  }
});
