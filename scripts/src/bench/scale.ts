/** What a large index takes: time, memory, disk, and how fast it answers, warm and right after a start. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { identifiersOf } from "@dhi/core/identifiers";
import type { IndexDb } from "@dhi/core/index-db";
import { promptResponse } from "@dhi/core/protocol";
import { sourcesOf } from "./edit-source.ts";
import { percentile } from "./figures.ts";
import { diskMb } from "./memory.ts";
import { createRandom, pickSome, type Random } from "./random.ts";
import type { Figure, Measured } from "./report.ts";
import type { Stack } from "./stack.ts";

const QUERIES = 240;
/** Asked before the measured ones: a server that has just started reads from the disk. */
const WARM_UP = 20;
const ANSWER_MS = 60_000;
const POLL_MS = 10;

/**
 * @param stack with an index that is settled and a server; both are started anew in the end
 * @param indexMs what it took to come so far, from nothing
 */
export async function scale(stack: Stack, repository: string, indexMs: number): Promise<Measured> {
  const { files, chunks, symbols } = await stack.status();
  const db = stack.openIndex();
  const queries = realQueries(db, QUERIES + WARM_UP);
  db.close();
  const times: number[] = [];
  let empty = 0;
  for (const query of queries) {
    const began = performance.now();
    const results = await stack.search({ query, mode: "hybrid", n_results: 10 });
    times.push(performance.now() - began);
    if (results.length === 0) empty++;
  }
  const measured = times.slice(WARM_UP);
  const figures: Figure[] = [
    { what: "index from nothing, every vector in Chroma", value: indexMs / 1000, unit: "s" },
    { what: "hybrid search, p50", value: percentile(measured, 50), unit: "ms" },
    { what: "hybrid search, p95", value: percentile(measured, 95), unit: "ms", limit: 40 },
    ...memoryFigures(stack),
    ...(await warmStart(stack, repository)),
  ];
  return {
    figures,
    notes: [
      `${files} files, ${chunks} chunks, ${symbols} definitions. ${measured.length} searches, one at a time: names, lines of code and comments out of the repository, ${empty} of them without a result. A warm start runs from the start of both processes, with Chroma up and the index complete.`,
    ],
  };
}

function memoryFigures(stack: Stack): Figure[] {
  const [indexer, server, chroma] = [stack.memory("indexer"), stack.memory("server"), stack.memory("chroma")];
  return [
    { what: "indexer, most memory", value: indexer.mostMb, unit: "MiB" },
    { what: "indexer, memory afterwards", value: indexer.nowMb, unit: "MiB" },
    { what: "server, most memory", value: server.mostMb, unit: "MiB" },
    { what: "server, memory after the searches", value: server.nowMb, unit: "MiB" },
    {
      what: "indexer and server, most of both",
      value: indexer.mostMb + server.mostMb,
      ...{ unit: "MiB", limit: 1536 },
    },
    { what: "Chroma, memory", value: chroma.nowMb, unit: "MiB" },
    { what: "Chroma, disk", value: diskMb(stack.chromaDir), unit: "MiB" },
    { what: "index.db, disk", value: diskMb(stack.indexDir), unit: "MiB" },
  ];
}

/** A third each: a defined name, a line of code, the words of a comment. */
function realQueries(db: IndexDb, n: number): string[] {
  const random = createRandom(7);
  const last = db.prepare<[], number>("SELECT max(id) FROM texts").pluck().get() ?? 0;
  const textAt = db.prepare<[number], string>("SELECT text FROM texts WHERE id >= ? LIMIT 1").pluck();
  const queries: string[] = [];
  while (queries.length < n) {
    const text = textAt.get(1 + random.below(last)) ?? "";
    const query = queryFrom(text, queries.length % 3, random);
    if (query) queries.push(query);
  }
  return queries;
}

function queryFrom(text: string, kind: number, random: Random): string | undefined {
  const lines = text.split("\n").map((line) => line.trim());
  const comments = lines.filter((line) => /^(\/\/|#|\*|"""|\/\*)\s*\w.{20,}/.test(line));
  const code = lines.filter((line) => /^\w.{15,200}$/.test(line));
  const [found] = pickSome(kind === 0 ? identifiersOf(text) : kind === 1 ? code : comments, 1, random);
  return found?.replace(/^[^\w]+/, "").slice(0, 300);
}

/** From the start of indexer and server to the first prompt with a snippet and the first completion. */
async function warmStart(stack: Stack, repository: string): Promise<Figure[]> {
  const requests = cursorsIn(repository);
  await stack.stop("server", "indexer");
  const began = performance.now();
  const since = () => performance.now() - began;
  const starting = stack.start("indexer", "server");
  // They answer while the other still starts, so nobody waits for `starting`.
  const [prompt, anyCompletion, completion, inStep] = await Promise.all([
    firstAnswer(stack, "/v1/prompt", requests, (body) => promptResponse.parse(body).sources.length > 0).then(
      since,
    ),
    firstAnswer(stack, "/complete", requests, () => true).then(since),
    firstAnswer(stack, "/complete", requests, hasCompletion).then(since, () => Number.NaN),
    starting.then(() => stack.settled()).then(since),
  ]);
  return [
    { what: "warm start → first prompt with snippets", value: prompt, unit: "ms", limit: 3000 },
    { what: "warm start → first answer of /complete", value: anyCompletion, unit: "ms", limit: 3000 },
    ...(Number.isNaN(completion)
      ? []
      : [{ what: "warm start → first completion with text", value: completion, unit: "ms" }]),
    { what: "warm start → compared with the work tree and Chroma", value: inStep, unit: "ms" },
  ];
}

const hasCompletion = (body: unknown): boolean =>
  typeof body === "object" && body !== null && "completion" in body && body.completion !== "";

/** Asks with one request after the other. @throws after a minute without such an answer */
async function firstAnswer(
  stack: Stack,
  path: string,
  requests: readonly object[],
  isIt: (body: unknown) => boolean,
): Promise<void> {
  const until = performance.now() + ANSWER_MS;
  for (let i = 0; performance.now() < until; i++) {
    const body = await stack.ask(path, requests[i % requests.length] ?? {}).catch(() => undefined);
    if (body !== undefined && isIt(body)) return;
    await sleep(POLL_MS);
  }
  throw new Error(`no such answer from ${path} within ${ANSWER_MS / 1000} s`);
}

/** Cursors in the middle of a line of real files, in the form that both paths take. */
function cursorsIn(repository: string): object[] {
  return pickSome(sourcesOf(repository), 20, createRandom(3)).map((path) => {
    const text = readFileSync(join(repository, path), "utf8");
    const at = text.indexOf(" ", Math.floor(text.length / 2)) + 1;
    return { path, file_path: path, prefix: text.slice(0, at), suffix: text.slice(at) };
  });
}
