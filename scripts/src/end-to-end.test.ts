/** The whole of Dhi in one process: real git, SQLite and Chroma, asked over HTTP as an editor asks. */
import { mkdirSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { indexDir } from "@dhi/core/index-db";
import { createLogger } from "@dhi/core/log";
import type {
  FimDone,
  HealthResponse,
  PromptResponse,
  SearchResponse,
  StatusResponse,
} from "@dhi/core/protocol";
import { startChroma } from "@dhi/core/testing/chroma-server";
import { closedPort, startFakeServer } from "@dhi/core/testing/fake-server";
import { type TempRepo, tempDir, tempRepo } from "@dhi/core/testing/temp-repo";
import { readConfig as readIndexerConfig } from "@dhi/indexer/config";
import { lockIndex } from "@dhi/indexer/lock";
import { startIndexer } from "@dhi/indexer/start-indexer";
import { readConfig as readServerConfig } from "@dhi/server/config";
import { startServer } from "@dhi/server/start-server";
import { expect, test } from "vitest";

const WAIT = { timeout: 20_000, interval: 50 };
const log = createLogger("test", "silent");

const money = `/** Cents as people read them. */
export function formatCents(amount: number): string {
  return (amount / 100).toFixed(2);
}
`;
const invoice = `import { formatCents } from "./money";

export function label(total: number): string {
  return formatCents(total);
}
`;

interface Stack extends AsyncDisposable {
  readonly url: string;
  ask<T>(path: string, body?: unknown): Promise<{ status: number; body: T }>;
}

/** Indexer and server on a repository; `env` on top of what a machine without Ollama has. */
async function startStack(repo: TempRepo, home: string, env: Record<string, string> = {}): Promise<Stack> {
  const settings = {
    WORKSPACE: repo.dir,
    DHI_HOME: home,
    EMBEDDER: "hash",
    ENGINE: "instant",
    CHROMA_HOST: `127.0.0.1:${await closedPort()}`,
    OLLAMA_HOST: `127.0.0.1:${await closedPort()}`,
    // A busy machine is slow, and a prompt without context is a failure here.
    RETRIEVAL_TIMEOUT_MS: "10000",
    INDEXER_PORT: "0",
    DHI_PORT: "0",
    ...env,
  };
  const indexer = await startIndexer(readIndexerConfig(settings), log);
  const server = await startServer(readServerConfig({ ...settings, INDEXER_HOST: indexer.url }), log);
  await indexer.watching;
  const url = `http://127.0.0.1:${(server.http.address() as AddressInfo).port}`;
  return {
    url,
    async ask(path, body) {
      const response = await fetch(
        url + path,
        body === undefined ? {} : { method: "POST", body: JSON.stringify(body) },
      );
      return { status: response.status, body: (await response.json()) as never };
    },
    async [Symbol.asyncDispose]() {
      await server.close();
      await indexer.close();
    },
  };
}

const cursor = {
  path: "src/new.ts",
  languageId: "typescript",
  prefix: 'import * as m from "./money";\nconst t = formatC',
  suffix: "\n",
};
/** Where the snippets of a prompt come from, with the legs that found them. */
async function sources(stack: Stack, request: object = cursor): Promise<Record<string, string>> {
  const { body } = await stack.ask<PromptResponse>("/v1/prompt", request);
  return Object.fromEntries(
    body.sources.map((s) => [`${s.path}:${s.startLine}`, [...s.legs].sort().join("+")]),
  );
}
const indexed = async (stack: Stack) => (await stack.ask<StatusResponse>("/v1/status")).body.indexer;

test("a prompt holds the definition that lies in another file, found by name, by word and by vector", async () => {
  using repo = tempRepo({ "src/money.ts": money, "src/invoice.ts": invoice });
  repo.commit();
  using home = tempDir();
  using data = tempDir();
  await using chroma = await startChroma(data.dir);
  await using stack = await startStack(repo, home.dir, { CHROMA_HOST: chroma.url });

  const request = { ...cursor, prefix: `// cents, amount\nformatCents(1);\n${cursor.prefix}` };
  await expect
    .poll(() => sources(stack, request), WAIT)
    .toMatchObject({
      "src/money.ts:1": expect.stringMatching(/^definitions\+(edits\+)?lexical\+similar\+vector$/),
    });
  const { body } = await stack.ask<PromptResponse>("/v1/prompt", request);
  expect(body.prompt).toContain(
    "<|file_sep|>src/money.ts\n/** Cents as people read them. */\nexport function formatCents",
  );
});

test("the built-in engine completes a name that is defined in another file", async () => {
  using repo = tempRepo({ "src/money.ts": money, "src/invoice.ts": invoice });
  repo.commit();
  using home = tempDir();
  await using stack = await startStack(repo, home.dir);
  await expect
    .poll(
      async () =>
        (
          await stack.ask<{ completion: string }>("/complete", {
            file_path: cursor.path,
            prefix: cursor.prefix,
            suffix: "\n",
          })
        ).body.completion,
      WAIT,
    )
    .toMatch(/^ents\b/);
});

test("save, rename, delete and checkout show in the next prompt", async () => {
  using repo = tempRepo({ "src/money.ts": money });
  repo.commit();
  using home = tempDir();
  await using stack = await startStack(repo, home.dir);
  // By what it is alike to, a file may be found whatever its names are.
  const found = async () =>
    Object.entries(await sources(stack)).flatMap(([source, legs]) =>
      legs.split("+").includes("definitions") ? [source] : [],
    );
  await expect.poll(found, WAIT).toEqual(["src/money.ts:1"]);

  repo.git("checkout", "-q", "-b", "feature");
  repo.write("src/money.ts", money.replaceAll("formatCents", "orbitOf"));
  await expect.poll(found, WAIT).toEqual([]);
  repo.write("src/cents.ts", money);
  await expect.poll(found, WAIT).toEqual(["src/cents.ts:1"]);
  repo.git("add", "-A");
  repo.git("mv", "src/cents.ts", "src/coins.ts");
  await expect.poll(found, WAIT).toEqual(["src/coins.ts:1"]);
  repo.commit();
  repo.git("checkout", "-q", "main");
  await expect.poll(found, WAIT).toEqual(["src/money.ts:1"]);
  const parsed = (await indexed(stack))?.counters.filesParsed;
  repo.git("checkout", "-q", "feature");
  await expect.poll(found, WAIT).toEqual(["src/coins.ts:1"]);
  repo.remove("src/coins.ts");
  await expect.poll(found, WAIT).toEqual([]);
  expect((await indexed(stack))?.counters.filesParsed, "a branch seen before costs no parsing").toBe(parsed);
});

test("Chroma may come late, die and return: completions go on, health says so, the vectors catch up", async () => {
  using repo = tempRepo({ "src/money.ts": money });
  repo.commit();
  using home = tempDir();
  using data = tempDir();
  const port = await closedPort();
  await using stack = await startStack(repo, home.dir, { CHROMA_HOST: `127.0.0.1:${port}` });
  const health = async () => (await stack.ask<HealthResponse>("/health")).body;
  const nearest = async (query: string) =>
    (
      await stack.ask<{ results: { file_path: string }[] }>("/search", {
        query,
        mode: "vector",
        n_results: 1,
      })
    ).body.results?.[0]?.file_path;

  // The server searches by itself the vectors that Chroma does not have yet.
  await expect.poll(() => sources(stack), WAIT).toEqual({ "src/money.ts:1": "definitions+lexical+vector" });
  expect(await health()).toMatchObject({ status: "degraded", components: { chroma: { status: "down" } } });

  const first = await startChroma(data.dir, port);
  // What is not in Chroma yet is found all the same: that it has all says health alone.
  await expect.poll(health, WAIT).toMatchObject({ status: "ok", components: { chroma: { status: "ok" } } });
  expect(await nearest("format cents amount")).toBe("src/money.ts");

  await first.kill();
  repo.write("src/planet.ts", "export function orbitOf(planet: string) {\n  return planet.length;\n}\n");
  await expect
    .poll(async () => Object.keys(await sources(stack, { ...cursor, prefix: "orbitO" })), WAIT)
    .toEqual(["src/planet.ts:1"]);
  await expect.poll(async () => (await health()).components.chroma.status, WAIT).toBe("down");
  expect((await stack.ask<FimDone>("/complete", { file_path: "a.ts", prefix: "x" })).status).toBe(200);

  await using _second = await startChroma(data.dir, port);
  await expect.poll(async () => (await health()).status, WAIT).toBe("ok");
  expect(await nearest("orbit of planet")).toBe("src/planet.ts");
});

test("without Ollama, auto answers with the built-in engine and says so; ollama answers 502 with Ollama's words", async () => {
  using repo = tempRepo({ "src/money.ts": money, "src/invoice.ts": invoice });
  repo.commit();
  using home = tempDir();
  await using auto = await startStack(repo, home.dir, { ENGINE: "auto" });
  const { body } = await auto.ask<HealthResponse>("/health");
  expect(body.components.engine).toMatchObject({ status: "ok" });
  expect(body.components.engine.detail).toMatch(/instant.*(ollama|Ollama)/);
  expect((await auto.ask<StatusResponse>("/v1/status")).body.engine.name).toBe("instant");
  await auto[Symbol.asyncDispose]();

  await using fakeOllama = await startFakeServer((_, response) => {
    response.writeHead(404).end(JSON.stringify({ error: "model 'qwen2.5-coder:1.5b-base' not found" }));
  });
  await using strict = await startStack(repo, home.dir, { ENGINE: "ollama", OLLAMA_HOST: fakeOllama.url });
  const refused = await strict.ask<{ error: { message: string } }>("/complete", {
    file_path: "a.ts",
    prefix: "x",
  });
  expect([refused.status, refused.body.error.message]).toEqual([
    502,
    expect.stringContaining("model 'qwen2.5-coder:1.5b-base' not found"),
  ]);
});

test("of two workspaces each completes from its own code alone; one that cannot be opened does not stop the other", async () => {
  using shop = tempRepo({ "src/money.ts": money, "src/invoice.ts": invoice });
  shop.commit();
  using bank = tempDir();
  const inFrance = (code: string) =>
    code.replaceAll("formatCents", "formatCentimes").replaceAll("Cents", "Centimes");
  mkdirSync(join(bank.dir, "src"));
  writeFileSync(join(bank.dir, "src/money.ts"), inFrance(money));
  writeFileSync(join(bank.dir, "src/invoice.ts"), inFrance(invoice));
  using home = tempDir();
  using data = tempDir();
  await using chroma = await startChroma(data.dir);
  const env = { CHROMA_HOST: chroma.url, DHI_WORKSPACES: `shop=${shop.dir},bank=${bank.dir}` };
  await using stack = await startStack(shop, home.dir, env);

  const cursorIn = (workspace: string) => ({ ...cursor, workspace, prefix: `// cents\n${cursor.prefix}` });
  const prompt = async (workspace: string) =>
    (await stack.ask<PromptResponse>("/v1/prompt", cursorIn(workspace))).body;
  const search = async (workspace: string, query: string, mode: string) => {
    const { status, body } = await stack.ask<SearchResponse>("/search", { workspace, query, mode });
    expect(status, JSON.stringify(body)).toBe(200);
    return body.results.map(({ document }) => document).join();
  };
  const completion = async (body: object) =>
    (await stack.ask<{ completion: string }>("/complete", { prefix: cursor.prefix, suffix: "\n", ...body }))
      .body.completion;

  for (const [own, name, foreign] of [
    ["shop", /\bformatCents\b/, /formatCentimes/],
    ["bank", /\bformatCentimes\b/, /formatCents\b/],
  ] as const) {
    await expect
      .poll(async () => (await prompt(own)).sources.flatMap(({ legs }) => legs), WAIT)
      .toContain("vector");
    const { prompt: text, sources: found } = await prompt(own);
    expect(text).toMatch(name);
    expect(text).not.toMatch(foreign);
    expect(found.map(({ text: snippet }) => snippet).join()).not.toMatch(foreign);
    for (const mode of ["vector", "lexical", "symbols", "hybrid"]) {
      const words = "format cents centimes formatCentimes formatCents";
      let code = "";
      // On a busy machine a single query of Chroma may fail.
      const searched = async () => {
        code = await search(own, words, mode);
        return code;
      };
      await expect.poll(searched, WAIT).toMatch(name);
      expect(code).not.toMatch(foreign);
    }
  }
  await expect
    .poll(() => completion({ workspace: "shop", file_path: "src/new.ts" }), WAIT)
    .toMatch(/^ents\b/);
  await expect
    .poll(() => completion({ file_path: join(bank.dir, "src/new.ts") }), WAIT)
    .toMatch(/^entimes\b/);

  writeFileSync(join(bank.dir, "src/money.ts"), inFrance(money).replaceAll("formatCentimes", "formatCoins"));
  await expect.poll(async () => (await prompt("bank")).prompt, WAIT).not.toMatch(/function formatCentimes/);
  expect((await prompt("shop")).prompt).toContain("function formatCents(");
  await stack[Symbol.asyncDispose]();

  const lock = lockIndex(indexDir(home.dir, bank.dir));
  await using half = await startStack(shop, home.dir, env);
  const states = async () =>
    (await half.ask<StatusResponse>("/v1/status")).body.workspaces.map((w) => [
      ...[w.name, w.path, w.indexer?.state === "failed"],
    ]);
  await expect.poll(states, WAIT).toEqual([
    ["shop", shop.dir, false],
    ["bank", bank.dir, true],
  ]);
  // A part that takes two seconds to answer counts as down, as it may on a busy machine.
  await expect
    .poll(async () => (await half.ask<HealthResponse>("/health")).body.components.indexer, WAIT)
    .toEqual({
      status: "degraded",
      detail: expect.stringMatching(/^shop: .*; bank: another indexer owns /),
    });
  const found = await half.ask<PromptResponse>("/v1/prompt", cursorIn("shop"));
  expect(found.body.prompt).toContain("function formatCents(");
  lock.release();
});

test("an unsaved rename shows in every leg at once, survives a save, and goes back on close", async () => {
  using repo = tempRepo({ "src/money.ts": money, "src/invoice.ts": invoice });
  repo.commit();
  using home = tempDir();
  using data = tempDir();
  await using chroma = await startChroma(data.dir);
  await using stack = await startStack(repo, home.dir, { CHROMA_HOST: chroma.url });
  const renamed = money.replaceAll("formatCents", "orbitOfPlanet");
  const edit = (body: object) => stack.ask<object>("/v1/documents", { path: "src/money.ts", ...body });
  const found = async (query: string, mode: string) => {
    const { body } = await stack.ask<{ results: { file_path: string; document: string }[] }>("/search", {
      query,
      mode,
    });
    return body.results.filter((r) => r.document.includes(query)).map((r) => r.file_path);
  };
  const completed = async (prefix: string) =>
    (await stack.ask<{ completion: string }>("/complete", { file_path: "src/new.ts", prefix, suffix: "\n" }))
      .body.completion;
  const atOnce = async (name: string) => ({
    prompt: (await sources(stack, { ...cursor, prefix: `const t = ${name.slice(0, -4)}` }))["src/money.ts:1"],
    symbols: await found(name, "symbols"),
    lexical: (await found(name, "lexical")).includes("src/money.ts"),
    hybrid: (await found(name, "hybrid")).includes("src/money.ts"),
    ghost: (await completed(`const t = ${name.slice(0, -4)}`)).slice(0, 4),
  });
  const everywhere = (name: string) => ({
    ...{ prompt: "definitions+lexical", symbols: ["src/money.ts"], lexical: true, hybrid: true },
    ghost: name.slice(-4),
  });
  await expect.poll(() => found("formatCents", "vector"), WAIT).toContain("src/money.ts");
  await expect.poll(() => atOnce("formatCents"), WAIT).toEqual(everywhere("formatCents"));

  expect(await edit({ version: 2, content: renamed })).toEqual({ status: 200, body: { indexed: 1 } });
  expect(await atOnce("orbitOfPlanet")).toEqual(everywhere("orbitOfPlanet"));
  expect(await found("formatCents", "vector"), "the old vector").not.toContain("src/money.ts");
  expect(await found("formatCents", "symbols")).toEqual([]);
  await expect.poll(() => found("orbitOfPlanet", "vector"), WAIT).toContain("src/money.ts");

  await edit({ closed: true });
  expect(await atOnce("formatCents")).toEqual(everywhere("formatCents"));
  expect(await found("orbitOfPlanet", "symbols")).toEqual([]);

  await edit({ version: 1, content: renamed });
  repo.write("src/money.ts", renamed);
  await edit({ version: 2, content: `${renamed}\nexport const typedOn = 1;\n` });
  const { body } = await stack.ask<{ indexed: number }>("/index", { file_path: "src/money.ts" });
  expect(body.indexed).toBe(1);
  expect(await found("typedOn", "symbols"), "while the save is taken in").toEqual(["src/money.ts"]);
  await edit({ closed: true });
  expect(await atOnce("orbitOfPlanet")).toEqual(everywhere("orbitOfPlanet"));
  expect(await found("typedOn", "symbols")).toEqual([]);

  expect(await stack.ask("/v1/documents", { path: ".env", version: 1, content: "SECRET_VALUE=1" })).toEqual({
    status: 200,
    body: { indexed: 0, skipped: "secret" },
  });
  expect(await found("SECRET_VALUE", "lexical")).toEqual([]);
  expect(await stack.ask("/v1/documents", { path: "a.ts", version: -1 })).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringMatching(/version[\s\S]*content/) } },
  });
});
