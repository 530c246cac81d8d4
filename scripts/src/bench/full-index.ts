/** The first index of a repository, against parsing alone. */
import { setTimeout as sleep } from "node:timers/promises";
import { cpuSeconds, diskMb } from "./memory.ts";
import { parseAlone } from "./parse-alone.ts";
import type { Measured } from "./report.ts";
import { createStack, type Stack } from "./stack.ts";
import type { Workplace } from "./workplace.ts";

export interface FullIndexOptions {
  readonly workplace: Workplace;
  readonly profileDir?: string | undefined;
}

/** @returns the figures, and the stack that holds the index, Chroma and indexer running, with what that took */
export async function fullIndex({
  workplace,
  profileDir,
}: FullIndexOptions): Promise<{ measured: Measured; stack: Stack; ms: number }> {
  const { repository } = workplace;
  const alone = await indexWithoutChroma({ workplace, profileDir });
  const stack = await createStack({ workspace: repository, home: workplace.freshHome(), env: INDEX_ALONE });
  await stack.start("chroma");
  const began = performance.now();
  await stack.start("indexer");
  const status = await stack.settled();
  const ms = performance.now() - began;
  const cpu = cpuSeconds(stack.pid("indexer"));
  const asked = Object.entries(stack.chroma.counts());
  const chromaCpu = cpuSeconds(stack.pid("chroma"));
  const db = stack.openIndex();
  const paths = db.prepare<[], string>("SELECT path FROM live ORDER BY path").pluck().all();
  db.close();
  const parse = await parseAlone(repository, paths);

  const { nowMb, mostMb } = stack.memory("indexer");
  return {
    stack,
    ms,
    measured: {
      figures: [
        { what: "parsing the same files alone", value: parse.ms / 1000, unit: "s" },
        {
          what: "index without Chroma: files, symbols, references, terms",
          value: alone.filesMs / 1000,
          unit: "s",
        },
        { what: "index without Chroma, embeddings too", value: alone.ms / 1000, unit: "s" },
        { what: "index with Chroma, every vector written", value: ms / 1000, unit: "s" },
        { what: "what Chroma adds", value: (ms - alone.ms) / 1000, unit: "s" },
        { what: "index without Chroma ÷ parsing alone", value: alone.ms / parse.ms, unit: "×", limit: 4 },
        { what: "index with Chroma ÷ parsing alone", value: ms / parse.ms, unit: "×", limit: 4 },
        {
          what: "processor time: indexer without Chroma ÷ parsing alone",
          ...{ value: alone.cpuSeconds / parse.cpuSeconds, unit: "×" },
        },
        {
          what: "processor time: indexer with Chroma ÷ parsing alone",
          ...{ value: cpu / parse.cpuSeconds, unit: "×" },
        },
        { what: "processor time of Chroma itself", value: chromaCpu, unit: "s" },
        { what: "indexer, most memory", value: mostMb, unit: "MiB" },
        { what: "indexer, memory afterwards", value: nowMb, unit: "MiB" },
        { what: "index.db", value: diskMb(stack.indexDir), unit: "MiB" },
      ],
      notes: [
        `${status.files} files, ${status.chunks} chunks, ${status.symbols} definitions; ${parse.files} files have a grammar. Times run from the start of the process. TypeScript's language service is off.`,
        `Requests to Chroma by kind: ${asked.map(([kind, n]) => `${kind} ${n}`).join(", ")}.`,
      ],
    },
  };
}

/** @returns when the files were in, and when each text had its embedding too */
async function indexWithoutChroma({
  workplace,
  profileDir,
}: FullIndexOptions): Promise<{ filesMs: number; ms: number; cpuSeconds: number }> {
  const stack = await createStack({
    ...{ workspace: workplace.repository, home: workplace.freshHome(), profileDir, env: INDEX_ALONE },
  });
  try {
    const began = performance.now();
    await stack.start("indexer");
    let filesMs: number | undefined;
    // Between two looks the queue may not have seen yet what is to embed, so it must stay empty for a while.
    let emptySince: number | undefined;
    for (; ; await sleep(POLL_MS)) {
      const { state, pendingEmbeddings, error } = await stack.status();
      const now = performance.now();
      if (state === "failed") throw new Error(`the sync failed: ${error}`);
      if (state !== "watching") continue;
      filesMs ??= now - began;
      emptySince = pendingEmbeddings > 0 ? undefined : (emptySince ?? now);
      if (emptySince !== undefined && now - emptySince > STAYS_EMPTY_MS)
        return { filesMs, ms: emptySince - began, cpuSeconds: cpuSeconds(stack.pid("indexer")) };
    }
  } finally {
    await stack.close();
  }
}

/** TypeScript's language service starts when the files are in, and takes minutes: no part of the index waits for it. */
const INDEX_ALONE = { TYPESCRIPT_SERVICE: "off" };
const POLL_MS = 100;
const STAYS_EMPTY_MS = 500;
