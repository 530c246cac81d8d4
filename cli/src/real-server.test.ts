/** The commands against the real server, as `npm start` starts it. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { indexDir } from "@dhi/core/index-db";
import type { IndexerStatus, Job } from "@dhi/core/protocol";
import { closedPort, type FakeServer, startFakeServer } from "@dhi/core/testing/fake-server";
import { type TempRepo, tempRepo } from "@dhi/core/testing/temp-repo";
import { startFakeOllama } from "@dhi/server/testing/fake-ollama";
import { seedIndex } from "@dhi/server/testing/seed-index";
import { type Served, serve } from "@dhi/server/testing/serve";
import { shownModels } from "@dhi/server/testing/shown-models";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dhi } from "./dhi.ts";

const MODEL = "qwen2.5-coder:1.5b-base";
const SOURCE = "export function totalPrice(a: number) {\n  return a \n}\n";

let repo: TempRepo;
let ollama: FakeServer;
let indexer: FakeServer;
let server: Served;
/** Answers of the indexer about its job, the next one first. */
let states: Job["state"][] = [];
/** Of that job. */
let filesTotal = 4;
/** Of the index, each time the indexer is asked for its status. */
let chunksNow = () => 9;

const status: IndexerStatus = {
  ...{ workspace: "shop", state: "watching", files: 4, chunks: 9, symbols: 2, skipped: {} },
  ...{ lastChangeAt: null, job: null, pendingEmbeddings: 0 },
  embedder: { id: "hash:1", status: "ok", detail: "EMBEDDER=hash" },
  vectors: { collection: "c", status: "ok", detail: "", stored: 9 },
  counters: { filesParsed: 0, textsEmbedded: 0 },
};

beforeAll(async () => {
  repo = tempRepo({ "src/a.ts": SOURCE });
  ollama = await startFakeOllama({
    [MODEL]: { shown: shownModels.qwen, size: 1_200_000_000 },
    embed: { shown: shownModels.allMinilm, size: 100_000_000 },
  });
  const about = { id: "7", chunks: 9, embedded: 5, chunksTotal: 9, etaMs: 2_000 };
  indexer = await startFakeServer(({ method, path, body }, response) => {
    const { path: file } = (body ?? {}) as { path?: string };
    const state = path === "/jobs/7" ? (states.shift() ?? "done") : "running";
    const answers: Record<string, object> = {
      "POST /sync": { job: "7" },
      "POST /index": file === "src/key.pem" ? { indexed: 0, skipped: "secret" } : { indexed: 2 },
      "GET /status": { workspaces: [{ ...status, chunks: chunksNow() }] },
      "GET /jobs/7": { ...about, state, filesTotal, files: filesTotal - states.length },
    };
    response.end(JSON.stringify(answers[`${method} ${path}`] ?? {}));
  });
  server = await serve(
    {
      ...{ OLLAMA_HOST: ollama.url, INDEXER_HOST: indexer.url, ENGINE: "ollama", WORKSPACE: repo.dir },
      DHI_METRICS: "on",
    },
    (home) =>
      seedIndex(indexDir(home, repo.dir), [
        { path: "src/a.ts", text: SOURCE, symbols: ["totalPrice"] },
      ]).close(),
  );
});
afterAll(async () => {
  for (const one of [server, indexer, ollama]) await one[Symbol.asyncDispose]();
  repo[Symbol.dispose]();
});

/** Prompts that a model got, but for the server's own test of it. */
const completions = (): string[] =>
  ollama.requests
    .map(({ body }) => (body as { prompt?: string } | undefined)?.prompt ?? "")
    .filter((text) => text.includes("totalPrice"));

/** Scripts that were run, with their arguments. */
let scripts: (readonly string[])[] = [];

async function run(...args: string[]) {
  scripts = [];
  const interrupted = new AbortController();
  const out: string[] = [];
  const err: string[] = [];
  const shown: string[] = [];
  const exit = await dhi(args, {
    ...{ cwd: repo.dir, env: { ...process.env, DHI_URL: server.url, DHI_TOKEN: "" } },
    print(text) {
      out.push(text);
      // A watch goes on until then.
      if (args.includes("--watch") && out.length === 3) interrupted.abort();
    },
    interrupted: () => interrupted.signal,
    async runScript(file, flags) {
      scripts.push([basename(file), ...flags]);
      return existsSync(file) ? 7 : 1;
    },
    complain: (text) => void err.push(text),
    progress: (line) => void shown.push(line),
  });
  return { exit, out: out.join("\n"), err: err.join("\n"), shown };
}

describe("complete", () => {
  test("prints what an editor would show at a place, and the answer as JSON", async () => {
    expect(await run("complete", "src/a.ts:2:12")).toMatchObject({ exit: 0, out: "+ b", err: "" });
    const { out } = await run("complete", "src/a.ts:2:12", "--json");
    expect(JSON.parse(out)).toMatchObject({ done: true, completion: "+ b", model: MODEL });
    expect(completions()).toHaveLength(1);
    expect(completions()[0]).toContain("src/a.ts\n<|fim_prefix|>");
    expect(completions()[0]).toMatch(/\n {2}return a <\|fim_suffix\|>\n}\n<\|fim_middle\|>$/);
  });

  test.each([
    ["src/a.ts:9:1", /src\/a\.ts has 4 lines, and no line 9/],
    ["src/a.ts:3:9", /line 3 of src\/a\.ts has columns 1 to 2, and no 9/],
  ])("says what is wrong with %s", async (place, words) => {
    expect(await run("complete", place)).toMatchObject({ exit: 2, err: expect.stringMatching(words) });
  });
});

test("prompt prints what would be sent, and sends nothing", async () => {
  const asked = completions().length;
  const { exit, out } = await run("prompt", "src/a.ts:2:12");
  expect(exit).toBe(0);
  expect(out).toMatch(
    /^<\|repo_name\|>shop\n<\|file_sep\|>src\/a\.ts\n<\|fim_prefix\|>export function totalPrice/,
  );
  expect(completions()).toHaveLength(asked);
});

test("search prints a line for each result, and exits with 1 for none", async () => {
  expect(await run("search", "totalPrice", "--mode", "symbols")).toMatchObject({
    ...{ exit: 0, out: expect.stringMatching(/^src\/a\.ts:1-4 {2}function {2}\(definitions\)$/) },
  });
  expect(await run("search", "nothing at all", "--mode", "symbols")).toMatchObject({ exit: 1, out: "" });
  expect(await run("search", "x", "--mode", "all")).toMatchObject({
    exit: 2,
    err: expect.stringContaining("mode: "),
  });
});

describe("index", () => {
  test("shows how far a folder is until it is done", async () => {
    states = ["running", "running", "done"];
    const { exit, out, shown } = await run("index");
    expect([exit, out]).toEqual([0, "done: 4 files, 9 chunks; 4 vectors follow in the background"]);
    expect(shown[0]).toBe(`[${"#".repeat(12)}${".".repeat(12)}] 2 of 4 files, 9 chunks, 2 s left`);
    expect(shown.at(-1)).toBe("");
  });

  test("of a folder with nothing in it says so", async () => {
    states = ["done"];
    filesTotal = 0;
    const { exit, out } = await run("index", "sr");
    filesTotal = 4;
    expect([exit, out]).toEqual([0, "done: there are no files that can be indexed"]);
  });

  test("of a folder that fails exits with 1", async () => {
    states = ["failed"];
    expect(await run("index", "src", "--json")).toMatchObject({
      exit: 1,
      out: expect.stringContaining('"failed"'),
    });
    expect(indexer.requests.findLast(({ path }) => path === "/sync")?.body).toEqual({ path: "src" });
  });

  test("of a file says what the file has in the index, or why it is left out", async () => {
    expect(await run("index", "src/a.ts")).toMatchObject({ exit: 0, out: "indexed: 2 chunks" });
    repo.write("src/key.pem", "");
    expect(await run("index", "src/key.pem")).toMatchObject({ exit: 1, out: "left out: secret" });
  });
});

test("index --watch tells what changes, until it is interrupted", async () => {
  states = ["done"];
  let asked = 0;
  chunksNow = () => (asked++ < 3 ? 9 : 12);
  const { exit, out } = await run("index", "--watch");
  expect([exit, out.split("\n").slice(1)]).toEqual([
    0,
    [9, 12].map((chunks) => `shop: watching: 4 files, ${chunks} chunks, 2 symbols`),
  ]);
});

test("start and bench run the project's scripts with all that follows, and end as they do", async () => {
  expect((await run("start", "--port", "8001", "--help")).exit).toBe(7);
  expect(scripts).toEqual([["start.mjs", "--port", "8001", "--help"]]);
  expect((await run("bench", "typing", "--json")).exit).toBe(7);
  expect(scripts).toEqual([["run.mjs", "bench-typing", "--json"]]);
  expect(await run("bench", "all")).toMatchObject({
    exit: 2,
    err: expect.stringContaining('no bench "all"'),
  });
  expect(scripts).toEqual([]);
});

/** A shell that is not there is not tried. */
const hasProgram = (name: string): boolean => spawnSync(name, ["--version"]).error === undefined;

describe("completion", () => {
  const words = async (line: readonly string[]) => {
    const { out } = await run("completion", "bash");
    const set = `COMP_WORDS=(${line.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${line.length - 1}`;
    const script = `${out}\n${set}\n_dhi\nprintf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync("bash", ["-c", script], { cwd: repo.dir, encoding: "utf8" }).trim().split("\n");
  };

  test("in bash knows commands, their options, and files", async () => {
    expect(await words(["dhi", "mo"])).toEqual(["mode", "model"]);
    expect(await words(["dhi", "search", "--"])).toEqual([
      ...["--mode", "--limit", "--json", "--workspace", "--server", "--help"],
    ]);
    expect(await words(["dhi", "explain", "src/a"])).toEqual(["src/a.ts"]);
    expect(await words(["dhi", "mode", "r"])).toEqual(["rag", "raw"]);
    expect(await words(["dhi", "completion", ""])).toEqual(["bash", "zsh", "fish"]);
    repo.write("two words.ts", "");
    expect(await words(["dhi", "explain", "two"])).toEqual(["two words.ts"]);
  });

  test.runIf(hasProgram("zsh"))("in zsh is taken by a shell that completes nothing yet", async () => {
    const { out } = await run("completion", "zsh");
    const print = "print $_comps[dhi]; whence -w _dhi";
    const shell = { cwd: repo.dir, encoding: "utf8", env: { ...process.env, HOME: repo.dir } } as const;
    expect(execFileSync("zsh", ["-fc", `${out}\n${print}`], shell)).toMatch(
      /_bash_complete.*\n_dhi: function/,
    );
  });

  test.runIf(hasProgram("fish"))("in fish knows commands, options and choices", async () => {
    const { out } = await run("completion", "fish");
    const ask = (line: string) =>
      execFileSync("fish", ["--no-config", "-c", `${out}\ncomplete -C '${line}'`], {
        ...{ cwd: repo.dir, encoding: "utf8", env: { ...process.env, HOME: repo.dir } },
      });
    expect(ask("dhi doc")).toMatch(/^doctor\tlook for what is wrong/);
    expect(ask("dhi search --li")).toMatch(/^--limit/);
    expect(ask("dhi mode ra")).toBe("rag\nraw\n");
  });

  test("of another shell is printed, or refused", async () => {
    expect((await run("completion", "zsh")).out).toMatch(/\nautoload .*bashcompinit\n_dhi\(\) \{/);
    expect((await run("completion", "fish")).out).toContain("-a doctor -d 'look for what is wrong");
    expect(await run("completion", "tcsh")).toMatchObject({
      exit: 2,
      err: expect.stringContaining('"tcsh"'),
    });
  });
});

test("mode and model tell what is, and change it until the server stops", async () => {
  expect(await run("mode")).toMatchObject({ exit: 0, out: "  raw\n  simple\n  symbols\n* rag", err: "" });
  expect(await run("mode", "simple")).toMatchObject({
    ...{ exit: 0, out: "  raw\n* simple\n  symbols\n  rag" },
    err: expect.stringContaining("CONTEXT_MODE in .env is for good"),
  });
  expect(await run("mode", "rag", "--json")).toMatchObject({
    exit: 0,
    out: expect.stringContaining('"rag"'),
  });
  expect(await run("model")).toMatchObject({
    out: `* ${MODEL}  1.2 GB  (ollama answers)\n  embed  0.1 GB  (cannot fill in)`,
  });
  expect(await run("model", "embed")).toMatchObject({
    ...{
      exit: 2,
      err: expect.stringMatching(/its use is embedding.*\nOllama has qwen2\.5-coder:1\.5b-base\.$/),
    },
  });
});

test("stats prints what is stored, as a table, JSON or CSV", async () => {
  expect(await run("stats")).toMatchObject({ exit: 1, out: "Nothing is stored of the last 30 days." });
  expect(await run("stats", "--csv")).toMatchObject({ exit: 1, out: expect.stringMatching(/^at,[\w,]+$/) });
  const about = { requestId: "r", languageId: "typescript" };
  const events = [
    { ...about, event: "shown", chars: 3, latencyMs: 40 },
    { ...about, event: "accepted", chars: 3, visibleMs: 500 },
    { ...about, event: "survived", afterMs: 30_000, kept: 0.5 },
  ];
  await server.send("POST", "/v1/events", { events });
  const { exit, out } = await run("stats", "--days", "7");
  expect(exit).toBe(0);
  expect(out.split("\n")).toEqual(
    expect.arrayContaining([
      "     shown  accepted  partial  rejected   rate  kept 30 s  2 min  5 min  10 min",
      "all      1         1        0         0  100 %       50 %      –      –       –",
      expect.stringMatching(/^typescript +1 +1 +0 +0 +100 %/),
      expect.stringMatching(/^keystroke +1 +40\.0 +40\.0/),
    ]),
  );
  expect(JSON.parse((await run("stats", "--json")).out)).toMatchObject({ total: { accepted: 1 } });
  expect((await run("stats", "--csv")).out.split("\r\n")).toHaveLength(4);
});

describe("doctor", () => {
  test("prints what is wrong with the command that mends it, and exits with 1", async () => {
    const { exit, out } = await run("doctor");
    expect(exit).toBe(1);
    expect(out).toMatch(/^ok {4}Node\.js +v\d+/);
    expect(out).toMatch(/\nFAIL {2}Chroma +no answer at http.*\n {6}→ /);
    const { checks } = JSON.parse((await run("doctor", "--json")).out);
    expect(checks).toContainEqual(expect.objectContaining({ id: "chroma", status: "fail" }));
  });

  test("with the server away looks at what it can, says how to start it, and exits with 3", async () => {
    const { exit, out } = await run("doctor", "--server", `http://127.0.0.1:${await closedPort()}`);
    expect(exit).toBe(3);
    expect(out).toMatch(/^FAIL {2}Server +no answer from http.*\n {6}→ npm start/);
    expect(out).toMatch(/\nok {4}Node\.js +v/);
  });
});

test("a server in a container is asked by the path in the repository", async () => {
  const other = tempRepo({ "b.ts": "const b = 1;\n" });
  await using elsewhere = await serve({ ENGINE: "instant", WORKSPACE: join(other.dir, "gone") });
  writeFileSync(join(repo.dir, "src/c.ts"), "const c = ;\n");
  const { exit, err, out } = await run("prompt", "src/c.ts:1:11", "--server", elsewhere.url);
  other[Symbol.dispose]();
  expect({ exit, err }).toEqual({ exit: 0, err: "" });
  expect(out).toContain("src/c.ts\n");
});
