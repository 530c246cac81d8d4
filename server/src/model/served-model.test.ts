import { existsSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "@dhi/core/env";
import { createLogger } from "@dhi/core/log";
import type { Component } from "@dhi/core/protocol";
import { closedPort, startFakeServer } from "@dhi/core/testing/fake-server";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readConfig } from "../config.ts";
import type { Engine } from "../engines/engine.ts";
import { formatById } from "../prompt/fim-format.ts";
import { type ShownModel, shownModels } from "../testing/shown-models.ts";
import { createCheckLog } from "./check-log.ts";
import type { ModelProfile } from "./profiles.ts";
import { openServedModel, type ServedModel } from "./served-model.ts";

/** What this Ollama has, by name. */
type Library = Record<
  string,
  { readonly shown: ShownModel; readonly digest?: string; readonly answer?: string }
>;

const live = () => new AbortController().signal;
const OK: Component = { status: "ok", detail: "there" };

let home: ReturnType<typeof tempDir>;
let library: Library;
let prompts: string[];
let closers: (() => Promise<void> | void)[];
let host: string;
let shows: number;

beforeEach(async () => {
  home = tempDir();
  library = {};
  prompts = [];
  closers = [];
  shows = 0;
  const server = await startFakeServer(({ path, body }, response) => {
    const models = Object.entries(library).map(([name, { digest = name }]) => ({ name, digest }));
    if (path === "/api/tags") return void response.end(JSON.stringify({ models }));
    shows++;
    const { shown } = library[(body as { model: string }).model] ?? {};
    response.statusCode = shown ? 200 : 404;
    response.end(JSON.stringify(shown ?? { error: "model not found" }));
  });
  host = server.url;
  closers.push(async () => server[Symbol.asyncDispose]());
});
afterEach(async () => {
  for (const close of closers.reverse()) await close();
  home[Symbol.dispose]();
});

/** Counts each token of the model that is shown as one, and other text by two characters. */
const fakeOllama = (model: string): Engine => ({
  ...{ name: "ollama", model, readsPrompt: true },
  async generate({ prompt }) {
    prompts.push(prompt);
    const { shown, answer = "+ b" } = library[model] ?? {};
    const special = (shown?.model_info["tokenizer.ggml.tokens"] ?? []) as string[];
    const rest = special.reduce((text, token) => text.replaceAll(token, "\0"), prompt);
    const promptTokens = rest.split("\0").reduce((sum, text) => sum + 1 + Math.ceil(text.length / 2), -1);
    const usage = { promptTokens, cachedTokens: null, completionTokens: 1 };
    return { text: answer, finish: "stop", usage, meanLogprob: null, confidence: null, firstTokenMs: 1 };
  },
  health: async () => (library[model] ? OK : { status: "down", detail: "missing" }),
  warmUp: async () => {},
});

async function open(env: NodeJS.ProcessEnv, profile: ModelProfile = {}) {
  const config = readConfig({ OLLAMA_HOST: host, DHI_HOME: home.dir, ...env });
  const log = createLogger("test", "silent");
  const model = await openServedModel({
    config,
    profile,
    checks: createCheckLog(home.dir),
    log,
    lookEveryMs: 0,
  });
  closers.push(() => model.close());
  return { model, engine: model.checked(fakeOllama(config.FIM_MODEL)) };
}

/** Waits until the model was looked at, its self-test included. */
const formatOf = async ({ model, engine }: { model: ServedModel; engine: Engine }, id: string) => {
  await engine.warmUp(live());
  await expect.poll(() => model.asked().format.id).toBe(id);
};

describe("the format", () => {
  test("is the name's until Ollama has the model, and then what that says of itself", async () => {
    const served = await open({ FIM_MODEL: "qwen2.5-coder:7b-base" });
    expect(served.model.asked().format).toEqual(formatById("qwen"));
    expect((await served.engine.health(live())).status).toBe("down");
    library["qwen2.5-coder:7b-base"] = { shown: shownModels.starcoder2 };
    await formatOf(served, "starcoder2");
  });

  test("of a model under a name of its own is the model's", async () => {
    library["my-coder"] = { shown: shownModels.deepseek };
    const served = await open({ FIM_MODEL: "my-coder" });
    await formatOf(served, "deepseek");
    expect(await served.engine.health(live())).toEqual(OK);
  });

  test("follows a model that is replaced under the same name", async () => {
    library.mine = { shown: shownModels.qwen, digest: "1" };
    const served = await open({ FIM_MODEL: "mine" });
    await formatOf(served, "qwen");
    library.mine = { shown: shownModels.starcoder2, digest: "2" };
    await served.engine.health(live());
    await expect.poll(() => served.model.asked().format.id).toBe("starcoder2");
  });

  test("is asked for once as long as the model stays", async () => {
    library.mine = { shown: shownModels.qwen };
    const served = await open({ FIM_MODEL: "mine" });
    await formatOf(served, "qwen");
    for (let i = 0; i < 5; i++) await served.engine.warmUp(live());
    expect(shows).toBe(1);
  });

  test("of FIM_FORMAT counts before a profile's, and that before all that the model says", async () => {
    library["my-coder"] = { shown: shownModels.deepseek };
    const { model, engine } = await open({ FIM_MODEL: "my-coder" }, { format: formatById("starcoder")! });
    await engine.warmUp(live());
    await expect
      .poll(async () => (await engine.health(live())).detail)
      .toMatch(
        /^there; Model "my-coder" is asked as a starcoder, as it was set, although it reads <fim_prefix> as/,
      );
    expect(model.asked().format.id).toBe("starcoder");
    const explicit = await open(
      { FIM_MODEL: "my-coder", FIM_FORMAT: "qwen" },
      { format: formatById("starcoder")! },
    );
    expect(explicit.model.asked().format.id).toBe("qwen");
  });

  test("that nobody knows stops the start", async () => {
    await expect(open({ FIM_FORMAT: "qwem" })).rejects.toThrow(
      /FIM_FORMAT=qwem: expected auto or one of qwen, /,
    );
  });
});

describe("a model that cannot fill in the middle", () => {
  const refused = async (served: Awaited<ReturnType<typeof open>>, words: RegExp) => {
    await served.engine.warmUp(live());
    await expect.poll(async () => (await served.engine.health(live())).detail).toMatch(words);
    expect((await served.engine.health(live())).status).toBe("down");
    prompts.length = 0;
    const input = { prompt: "p", request: { prefix: "", suffix: "" } as never };
    await expect(served.engine.generate(input, { stop: [], maxTokens: 1 }, live())).rejects.toThrow(words);
    expect(prompts).toEqual([]);
  };

  test("by its vocabulary is down, whatever its name, and is not asked", async () => {
    library["qwen2.5-coder:0.5b"] = { shown: shownModels.smollm2 };
    const served = await open({ FIM_MODEL: "qwen2.5-coder:0.5b" });
    await refused(served, /cannot fill in the middle: its vocabulary has no tokens for it .*FIM_MODEL=/);
  });

  test("because it embeds is down", async () => {
    library.mine = { shown: shownModels.allMinilm };
    await refused(await open({ FIM_MODEL: "mine" }), /Ollama says that its use is embedding/);
  });

  test("because it only chats is down after the self-test", async () => {
    library.mine = { shown: shownModels.qwen, answer: "```python\nreturn a + b" };
    await refused(await open({ FIM_MODEL: "mine" }), /it chats instead of filling in.*FIM_MODEL=/);
  });

  test("because its sentinels are text to it is down, where only the count tells", async () => {
    const { "tokenizer.ggml.tokens": _, ...model_info } = shownModels.smollm2.model_info;
    library["starcoder2:3b"] = { shown: { ...shownModels.smollm2, model_info } };
    await refused(await open({ FIM_MODEL: "starcoder2:3b" }), /it reads <fim_prefix> as text/);
  });

  test("by its name stops the start", async () => {
    await expect(open({ FIM_MODEL: "llama3.2:1b" })).rejects.toThrow(ConfigError);
    await expect(open({ FIM_MODEL: "llama3.2:1b" })).rejects.toThrow(
      /FIM_MODEL=llama3\.2:1b: Model "llama3\.2:1b" cannot/,
    );
  });

  test("by its name is taken all the same when Ollama shows that it can", async () => {
    library["llama-of-ours"] = { shown: shownModels.deepseek };
    const { model } = await open({ FIM_MODEL: "llama-of-ours" });
    expect(model.asked().format.id).toBe("deepseek");
  });

  test("is in use again once the name has other weights", async () => {
    library.mine = { shown: shownModels.smollm2, digest: "1" };
    const served = await open({ FIM_MODEL: "mine" });
    await refused(served, /no tokens/);
    library.mine = { shown: shownModels.starcoder2, digest: "2" };
    await formatOf(served, "starcoder2");
    expect(await served.engine.health(live())).toEqual(OK);
  });
});

describe("a name that tells nothing", () => {
  test("waits for Ollama", async () => {
    const host = `http://127.0.0.1:${await closedPort()}`;
    const { model, engine } = await open({ FIM_MODEL: "my-coder", OLLAMA_HOST: host });
    const input = { prompt: "p", request: { prefix: "", suffix: "" } as never };
    const generated = engine.generate(input, { stop: [], maxTokens: 1 }, live());
    await expect(generated).rejects.toThrow(/"my-coder" is not known to fill in the middle/);
    expect(model.asked().mode).toBe("rag");
  });

  test("stops the start of an engine that has nobody to ask", async () => {
    await expect(open({ FIM_MODEL: "my-coder", ENGINE: "instant" })).rejects.toThrow(
      /"my-coder" is not known/,
    );
  });
});

describe("the self-test", () => {
  test("is not made again for the same weights, also after a restart", async () => {
    library.mine = { shown: shownModels.qwen };
    await formatOf(await open({ FIM_MODEL: "mine" }), "qwen");
    await expect.poll(() => existsSync(join(home.dir, "model-checks.json"))).toBe(true);
    expect(prompts).toHaveLength(2);
    library["other-name"] = { ...library.mine, digest: "mine" };
    const again = await open({ FIM_MODEL: "other-name" });
    await formatOf(again, "qwen");
    await again.engine.warmUp(live());
    expect(prompts).toHaveLength(2);
  });
});

describe("a profile", () => {
  test("says how the model is asked", async () => {
    const profile: ModelProfile = {
      contextTokens: 512,
      maxTokens: 9,
      stop: ["\n"],
      charsPerToken: 2,
      mode: "simple",
    };
    const { model } = await open({}, profile);
    expect(model.asked()).toEqual({
      format: { ...formatById("qwen")!, stop: ["\n"], charsPerToken: 2 },
      ...{ mode: "simple", budgetTokens: 512, maxTokens: 9 },
    });
  });

  test.each([
    ["rag", "symbols"],
    ["symbols", "symbols"],
    ["simple", "simple"],
    ["raw", "raw"],
  ] as const)("that takes no more than symbols makes of %s %s", async (asked, given) => {
    const { model } = await open({}, { mode: "symbols" });
    expect(model.asked({ mode: asked }).mode).toBe(given);
  });

  test("without a mode leaves it to the settings, and a request may ask for another", async () => {
    const { model } = await open({ CONTEXT_MODE: "simple" });
    expect([model.asked().mode, model.asked({ mode: "rag" }).mode]).toEqual(["simple", "rag"]);
  });
});

test("what the engine counts changes the estimate, for requests of a session alone", async () => {
  library["qwen2.5-coder:7b-base"] = { shown: shownModels.qwen };
  const { model, engine } = await open({ FIM_MODEL: "qwen2.5-coder:7b-base" });
  const input = { prompt: "0123456789".repeat(100), request: { prefix: "", suffix: "" } as never };
  for (let i = 0; i < 10; i++) await engine.generate(input, { stop: [], maxTokens: 1 }, live());
  const of = (sessionId?: string) => model.asked({ sessionId }).format.charsPerToken;
  expect(of()).toBe(3.3);
  expect(of("window")).toBeGreaterThan(3.3);
  expect(of("window")).toBeLessThanOrEqual(3.3 * 1.25);
});
