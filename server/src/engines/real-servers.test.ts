/** The same engines on real servers, where this machine has them: what fakes can't show. */
import { fimRequest } from "@dhi/core/protocol";
import { UpstreamError } from "@dhi/core/upstream-error";
import { afterAll, describe, expect, test } from "vitest";
import { describeEngine } from "./engine.contract.ts";
import type { Engine } from "./engine.ts";
import { generateFrom } from "./generate-from.ts";
import { createLlamaServerEngine } from "./llama-server.ts";
import { createOllamaEngine } from "./ollama.ts";
import { createOpenaiEngine } from "./openai.ts";
import {
  COPY_MODEL,
  type Installed,
  type RealServer,
  realLlamaServer,
  realOllama,
} from "./testing/real-servers.ts";

const NUM_CTX = 2_048;
/** Enough for a request to have begun to be read, and too little to be read to its end. */
const LEFT_AFTER_MS = 150;
declare module "vitest" {
  interface TaskMeta {
    /** What `npm run engines` shows beside the result. */
    note?: string;
  }
}

const live = () => new AbortController().signal;
const inputOf = (prompt: string) => ({
  prompt,
  request: fimRequest.parse({ path: "a.ts", prefix: prompt, sessionId: "window" }),
});

const ollama = shared(realOllama());
const llamaServer = shared(realLlamaServer());

describeReal("ollama engine", ollama, (host) =>
  createOllamaEngine({ host, model: COPY_MODEL, numCtx: NUM_CTX, keepAlive: "5m", numThread: 1 }),
);
describeReal("llama-server engine", llamaServer, (host) =>
  createLlamaServerEngine({ host, model: COPY_MODEL }),
);
describeReal("openai engine on llama-server", llamaServer, (url) =>
  createOpenaiEngine({ baseUrl: `${url}/v1`, model: COPY_MODEL, sessionHeader: "x-session-id" }),
);

test.skipIf(llamaServer.missing)("a real llama-server obeys a grammar", async () => {
  const engine = createLlamaServerEngine({ host: (await llamaServer.get()).url, model: COPY_MODEL });
  const options = { stop: [], maxTokens: 6, grammar: 'root ::= "(two" [^\\n]*' };
  const { text } = await engine.generate(inputOf(COPIED), options, live());
  expect(text).toMatch(/^\(two/);
});

test.skipIf(llamaServer.missing)(
  "a real llama-server goes on with a begun word, and says nothing of it",
  async () => {
    const engine = createLlamaServerEngine({ host: (await llamaServer.get()).url, model: COPY_MODEL });
    const said: string[] = [];
    const options = { stop: [" {"], maxTokens: 8, onText: (piece: string) => said.push(piece) };
    const { text } = await generateFrom(engine, "(on", inputOf(COPIED), options, live());
    expect(text).toBe("e, two)");
    expect(said.join("")).toBe(text);
  },
);

test.skipIf(llamaServer.missing)(
  "a real llama-server reads ahead for another file, and forgets none",
  async () => {
    const engine = createLlamaServerEngine({ host: (await llamaServer.get()).url, model: COPY_MODEL });
    const files = new Map(["a.ts", "b.ts"].map((path) => [path, `${distinct(40)}${COPIED}`]));
    async function ask(path: string, maxTokens: number) {
      const prompt = files.get(path) ?? "";
      const request = fimRequest.parse({ path, prefix: prompt, sessionId: "window" });
      return engine.generate({ prompt, request }, { stop: ["\n"], maxTokens }, live());
    }
    await ask("a.ts", 8);
    await ask("b.ts", 1);
    for (const path of files.keys()) {
      const { text, usage } = await ask(path, 8);
      expect(text).toBe("(one, two) {");
      expect(usage.cachedTokens).toBeGreaterThan(0.9 * (usage.promptTokens ?? 0));
    }
  },
);

/** Is continued with `(one, two) {`. */
const COPIED = "function alpha(one, two) {\n  return beta(one);\n}\nfunction alpha";

function describeReal(name: string, server: Shared, create: (url: string) => Engine): void {
  const skip = server.missing !== undefined;
  const title = `${name} on the real server${skip ? ` (skipped: ${server.missing})` : ""}`;
  const start = async () => create((await server.get()).url);

  describeEngine(
    title,
    async () => ({
      engine: await start(),
      input: inputOf(COPIED),
      stop: " {",
      async [Symbol.asyncDispose]() {},
    }),
    { skip },
  );

  describe.skipIf(skip)(title, () => {
    test("reports tokens, cached tokens and the mean log-probability", async ({ task }) => {
      const { url, version } = await server.get();
      const engine = create(url);
      const options = { stop: ["\n"], maxTokens: 8 };
      const ask = (prompt: string) => engine.generate(inputOf(prompt), options, live());
      const long = `${distinct(100)}${COPIED}`;
      await ask(long);
      const { usage, meanLogprob, text } = await ask(`${long}(one`);
      task.meta.note = `${usage.cachedTokens} of ${usage.promptTokens} tokens cached; version ${version}`;
      expect(text).toBe(", two) {");
      expect(meanLogprob).toBeGreaterThan(-0.1);
      expect(meanLogprob).toBeLessThanOrEqual(0);
      expect(usage.promptTokens).toBeGreaterThan(400);
      expect(usage.completionTokens).toBeGreaterThan(1);
      expect(usage.cachedTokens).toBeGreaterThan(0.5 * (usage.promptTokens ?? 0));
    });

    test("quotes a prompt that is over the context", async () => {
      const engine = await start();
      const failed = engine.generate(inputOf(distinct(1_000)), { stop: [], maxTokens: 4 }, live());
      const error = await failed.then(
        () => undefined,
        (e: unknown) => e,
      );
      expect(error).toBeInstanceOf(UpstreamError);
      expect(error).toMatchObject({ status: 400, message: expect.stringMatching(/exceeds .*context/) });
    });

    test("is free for the next call after one that was left while it wrote", async ({ task }) => {
      const engine = await start();
      const usual = await msToText(engine);
      const abort = new AbortController();
      const options = { stop: [], maxTokens: 1_000, onText: () => abort.abort() };
      await expect(engine.generate(inputOf(COPIED.repeat(4)), options, abort.signal)).rejects.toThrow();
      task.meta.note = `${await msToText(engine)} ms, else ${usual} ms`;
    });

    test("is free for the next call after one that was left while it read", async ({ task }) => {
      const engine = await start();
      const usual = await msToText(engine);
      const signal = AbortSignal.timeout(LEFT_AFTER_MS);
      const left = engine.generate(inputOf(distinct(120)), { stop: [], maxTokens: 4 }, signal);
      await expect(left).rejects.toThrow("timeout");
      task.meta.note = `${await msToText(engine)} ms, else ${usual} ms`;
    });
  });
}

/** @returns milliseconds until a short prompt, which nothing is cached of, is answered */
async function msToText(engine: Engine): Promise<number> {
  const startedAt = performance.now();
  const input = inputOf(`${distinct(1)}${COPIED}`);
  const { text } = await engine.generate(input, { stop: ["\n"], maxTokens: 8 }, AbortSignal.timeout(25_000));
  expect(text).toBe("(one, two) {");
  return Math.round(performance.now() - startedAt);
}

/** Lines that share nothing with what another test sends, so that nothing of them is cached. */
function distinct(lines: number): string {
  const seed = Math.random().toString(36).slice(2, 8);
  return `// ${seed}\n${Array.from({ length: lines }, (_, i) => `const ${seed}${i} = ${i * 7};\n`).join("")}`;
}

interface Shared {
  readonly missing: string | undefined;
  get(): Promise<RealServer>;
}

/** One server for the file, started by the first test that needs it. */
function shared({ missing, start }: Installed): Shared {
  let started: Promise<RealServer> | undefined;
  afterAll(async () => {
    await (await started)?.[Symbol.asyncDispose]();
  });
  return {
    missing,
    get: () => {
      started ??= start();
      return started;
    },
  };
}
