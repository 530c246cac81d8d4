import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHashEmbedder } from "@dhi/core/hash-embedder";
import { blobId } from "@dhi/core/index-db";
import { languageOf } from "@dhi/core/languages";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { toBlob } from "@dhi/core/vector-blob";
import { afterEach, expect, test } from "vitest";
import { analysisOf } from "./analysis.ts";
import { type AnalysisThreads, startAnalysisThreads } from "./analysis-threads.ts";
import { createAnalyzer } from "./chunker/analyze.ts";
import { embeddedText } from "./vectors/embedded-text.ts";

const typescript = languageOf("a.ts");
const code = "/** Adds. */\nexport function add(a: number, b: number) {\n  return a + b;\n}\n";
/** Node 20 runs no TypeScript, so the thread is the built one; `npm test` builds before it tests. */
const built = join(import.meta.dirname, "../dist/analysis-thread.js");

const open: AnalysisThreads[] = [];
const homes: Disposable[] = [];
afterEach(async () => {
  for (const threads of open.splice(0)) await threads.close();
  for (const home of homes.splice(0)) home[Symbol.dispose]();
});
async function start(options: Parameters<typeof startAnalysisThreads>[0]): Promise<AnalysisThreads> {
  const threads = await startAnalysisThreads(options);
  open.push(threads);
  return threads;
}

/** Threads of that code, which sees `parentPort`. */
async function startFake(code: string): Promise<AnalysisThreads> {
  const home = tempDir();
  homes.push(home);
  const file = join(home.dir, "fake-thread.mjs");
  writeFileSync(file, `import { parentPort } from "node:worker_threads";\n${code}`);
  return start({ file, size: 1 });
}
const ENDS_AT_ONCE = `parentPort.on("message", () => process.exit(1));`;

test("a thread finds what this thread finds, in whatever order texts come", async () => {
  const threads = await start({ file: built, size: 2 });
  const analyzer = await createAnalyzer();
  const texts = Array.from({ length: 30 }, (_, i) => code.replaceAll("add", `add${i}`).repeat((i % 5) + 1));
  const found = await Promise.all(texts.map((text) => threads.analyze(text, typescript)));
  expect(found).toEqual(texts.map((text) => analysisOf(analyzer, text, typescript)));
});

test("a thread reads a file, and analyses what is in it when that is wanted", async () => {
  using home = tempDir();
  writeFileSync(join(home.dir, "add.ts"), code);
  writeFileSync(join(home.dir, "zeros.ts"), "\0\0");
  const threads = await start({ file: built, size: 1 });
  const read = (path: string, wantsAnalysis: boolean) =>
    threads.read({ path, file: join(home.dir, path), maxFileBytes: 1_000, wantsAnalysis });
  const blob = blobId(Buffer.from(code));
  const analysis = analysisOf(await createAnalyzer(), code, typescript);
  expect(await read("add.ts", true)).toMatchObject({ bytes: code.length, content: { blob, analysis } });
  expect(await read("add.ts", false)).toMatchObject({ content: { blob, analysis: undefined } });
  const withVectors = await threads.read({
    ...{ path: "add.ts", file: join(home.dir, "add.ts"), maxFileBytes: 1_000 },
    ...{ wantsAnalysis: true, wantsVectors: true },
  });
  const [vector] = await createHashEmbedder().embedDocuments(
    analysis.chunks.map((chunk) => embeddedText({ ...chunk, path: "add.ts" })),
    new AbortController().signal,
  );
  expect(withVectors).toMatchObject({
    content: { analysis: { chunks: [{ vector: new Uint8Array(toBlob(vector ?? [])) }] } },
  });
  expect(await read("zeros.ts", true)).toMatchObject({ bytes: 2, content: "binary" });
  expect(await read("gone.ts", true)).toBe("missing");
});

test("a file that ends its thread becomes lines", async () => {
  using home = tempDir();
  writeFileSync(join(home.dir, "add.ts"), code);
  const threads = await startFake(ENDS_AT_ONCE);
  const file = join(home.dir, "add.ts");
  const found = await threads.read({ path: "add.ts", file, maxFileBytes: 1_000, wantsAnalysis: true });
  expect(found).toMatchObject({ content: { analysis: { chunks: [{ kind: "lines" }], symbols: [] } } });
});

test("a thread makes the hash embedder's vectors, up to float32, and this thread does when one fails to", async () => {
  const texts = ["function add(a, b) {}", "", "class Parcel {}"];
  const expected = await createHashEmbedder().embedDocuments(texts, new AbortController().signal);
  const threads = await start({ file: built, size: 1 });
  const [, analysis] = await Promise.all([
    threads.analyze(code, typescript),
    threads.analyze(code, typescript),
  ]);
  expect(await threads.embed(texts)).toEqual(expected.map((vector) => [...Float32Array.from(vector)]));
  expect(analysis.symbols).toHaveLength(1);

  expect(await (await startFake(ENDS_AT_ONCE)).embed(texts)).toEqual(expected);
});

test("this thread goes on while a long text is analysed", async () => {
  const threads = await start({ file: built, size: 1 });
  await threads.analyze(code, typescript);
  let turns = 0;
  const ticking = setInterval(() => turns++, 1);
  await threads.analyze(code.repeat(5_000), typescript);
  clearInterval(ticking);
  expect(turns).toBeGreaterThan(20);
});

test("a text that ends its thread becomes lines, and the others are analysed", async () => {
  const threads = await startFake(
    `parentPort.on("message", ({ text }) => {
       if (text.includes("out of memory")) process.exit(1);
       parentPort.postMessage({
         analysis: { chunks: [], symbols: [], references: [], imports: [], bytes: text.length },
       });
     });`,
  );
  const texts = ["fine", `${code}// out of memory`, "fine too"];
  const found = await Promise.all(texts.map((text) => threads.analyze(text, typescript)));
  expect(found.map(({ chunks, symbols }) => [chunks.map((c) => c.kind), symbols])).toEqual([
    [[], []],
    [["lines"], []],
    [[], []],
  ]);
});

test("closing ends what is waiting", async () => {
  const threads = await start({ file: built, size: 1 });
  const both = [threads.analyze(code, typescript), threads.analyze(code, typescript)];
  const ends = Promise.allSettled(both);
  await threads.close();
  expect((await ends).map((end) => end.status)).toEqual(["rejected", "rejected"]);
  await expect(threads.analyze(code, typescript)).rejects.toThrow("closed");
});
