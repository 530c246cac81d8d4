/** Every file is edited again and again: does what nobody sees any more go away? */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readMeta } from "@dhi/core/index-db";
import { createVectorStore } from "@dhi/core/vector-store";
import { sourcesOf } from "./edit-source.ts";
import { diskMb } from "./memory.ts";
import { createRandom } from "./random.ts";
import type { Measured } from "./report.ts";
import { createStack, type Stack } from "./stack.ts";
import type { Workplace } from "./workplace.ts";

export interface ChurnOptions {
  readonly workplace: Workplace;
  readonly rounds: number;
  readonly say: (line: string) => void;
}

export async function churn({ workplace, rounds, say }: ChurnOptions): Promise<Measured> {
  const { repository } = workplace;
  const stack = await createStack({ workspace: repository, home: workplace.freshHome() });
  try {
    await stack.start("chroma", "indexer");
    await stack.settled();
    const began = performance.now();
    const edit = createEditor(repository);
    let mostSlots = 0;
    for (let round = 1; round <= rounds; round++) {
      edit(round);
      await allSeen(stack, repository, round);
      const { slots, live } = await slotsOf(stack);
      mostSlots = Math.max(mostSlots, slots / live);
      if (round % 10 === 0)
        say(`  round ${round}: ${slots} slots, ${live} live, index.db ${diskMb(stack.indexDir)} MiB`);
    }
    const ms = performance.now() - began;
    const { slots, live } = await slotsOf(stack);
    const churned = { index: diskMb(stack.indexDir), chroma: diskMb(stack.chromaDir) };
    const fresh = await freshDisk(workplace);
    return {
      figures: [
        { what: "rounds of editing every file", value: rounds, unit: "" },
        { what: "a round, to the last vector in Chroma", value: ms / rounds / 1000, unit: "s" },
        { what: "vectors that are live", value: live, unit: "" },
        { what: "Chroma slots ÷ live vectors, at the end", value: slots / live, unit: "×", limit: 2 },
        { what: "Chroma slots ÷ live vectors, at most after a round", value: mostSlots, unit: "×", limit: 2 },
        {
          what: "index.db with its log ÷ a fresh one",
          value: churned.index / fresh.index,
          unit: "×",
          limit: 1.5,
        },
        { what: "Chroma's disk ÷ a fresh one", value: churned.chroma / fresh.chroma, unit: "×" },
        { what: "index.db", value: churned.index, unit: "MiB" },
        { what: "Chroma's disk", value: churned.chroma, unit: "MiB" },
      ],
      notes: [
        "A round changes one line in every file that has a grammar and takes back the line of the round before. A collection of fewer than 1,000 slots is not rebuilt.",
      ],
    };
  } finally {
    await stack.close();
  }
}

/** @returns writes every file as it was at first, with one more line at a place of its own for each round */
function createEditor(repository: string): (round: number) => void {
  const random = createRandom(11);
  const files = sourcesOf(repository).map((path) => ({
    file: join(repository, path),
    lines: readFileSync(join(repository, path), "utf8").split("\n"),
  }));
  return (round) => {
    for (const { file, lines } of files) {
      const at = random.below(lines.length);
      writeFileSync(file, lines.toSpliced(at, 0, `${lines[at] ?? ""} edited_${round}`).join("\n"));
    }
  };
}

/** Events come later than writes do, so the index is asked for the round itself. */
async function allSeen(stack: Stack, repository: string, round: number): Promise<void> {
  const wanted = sourcesOf(repository).length;
  for (;;) {
    await stack.settled();
    const db = stack.openIndex();
    const seen = db
      .prepare<[string], number>(
        `SELECT count(DISTINCT live.path) FROM terms JOIN chunks c ON c.text_id = terms.rowid JOIN live USING (blob_id)
         WHERE terms MATCH ?`,
      )
      .pluck()
      .get(`"edited_${round}"`);
    db.close();
    if ((seen ?? 0) >= wanted * SEEN_SHARE) return;
    await sleep(LOOK_AGAIN_MS);
  }
}

const LOOK_AGAIN_MS = 100;
/** Some files are left out of the index: generated, minified. */
const SEEN_SHARE = 0.95;

async function slotsOf(stack: Stack): Promise<{ slots: number; live: number }> {
  const db = stack.openIndex();
  const collection = readMeta(db, "collection") ?? "";
  const store = createVectorStore({ url: `http://127.0.0.1:${stack.chroma.port}`, collection });
  const id = await store.collectionId(AbortSignal.timeout(10_000));
  const slots =
    db.prepare<[string], number>("SELECT slots FROM collections WHERE id = ?").pluck().get(id) ?? 0;
  db.close();
  return { slots, live: await store.count(AbortSignal.timeout(10_000)) };
}

/** What an index takes that has seen nothing but the tree as it is now. */
async function freshDisk({ repository, freshHome }: Workplace): Promise<{ index: number; chroma: number }> {
  const stack = await createStack({ workspace: repository, home: freshHome() });
  try {
    await stack.start("chroma", "indexer");
    await stack.settled();
    return { index: diskMb(stack.indexDir), chroma: diskMb(stack.chromaDir) };
  } finally {
    await stack.close();
  }
}
