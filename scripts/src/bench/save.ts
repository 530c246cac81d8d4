/** How long a save takes until every leg of a search finds it, and what it asks of Chroma. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sourcesOf, uniqueName, withDefinition } from "./edit-source.ts";
import { difference, percentile, sum } from "./figures.ts";
import { createRandom, pickSome } from "./random.ts";
import type { Measured } from "./report.ts";
import type { Stack } from "./stack.ts";

const SAVES = 60;
const SEARCHED_MS = 30_000;
/** Chroma's graph does not lead to every vector: one that is stored and not found by then is missed for good. */
const MISSED_MS = 5_000;
/** The repository holds many copies of each file, which are as near. */
const NEAREST = 100;
const POLL_MS = 2;
/** What follows a save comes within this, and after it the next one may begin. */
const QUIET_MS = 300;

const LEGS = ["symbols", "lexical", "vector"] as const;
type Leg = (typeof LEGS)[number];

/** @param stack with an index that is settled and a server */
export async function saves(stack: Stack, repository: string): Promise<Measured> {
  const random = createRandom(1);
  const found: Record<Leg | "all", number[]> = { symbols: [], lexical: [], vector: [], all: [] };
  let missed = 0;
  const operations: number[] = [];
  const kinds: Record<string, number> = {};
  for (const path of pickSome(sourcesOf(repository), SAVES, random)) {
    const file = join(repository, path);
    const name = uniqueName("saved", random);
    const text = withDefinition(path, readFileSync(file, "utf8"), name);
    await quiet(stack);
    const before = stack.chroma.counts();
    writeFileSync(file, text);
    const times = await untilFound(stack, path, name);
    if (Number.isNaN(times.vector)) missed++;
    else {
      for (const leg of LEGS) found[leg].push(times[leg]);
      found.all.push(Math.max(...LEGS.map((leg) => times[leg])));
    }
    await quiet(stack);
    const asked = difference(stack.chroma.counts(), before);
    operations.push(sum(Object.values(asked)));
    for (const [kind, n] of Object.entries(asked)) kinds[kind] = (kinds[kind] ?? 0) + n;
  }
  const perSave = Object.entries(kinds).map(([kind, n]) => `${kind} ${(n / operations.length).toFixed(2)}`);
  return {
    figures: [
      { what: "save → definitions, p95", value: percentile(found.symbols, 95), unit: "ms" },
      { what: "save → lexical, p95", value: percentile(found.lexical, 95), unit: "ms" },
      { what: "save → vector, p95", value: percentile(found.vector, 95), unit: "ms" },
      { what: "save → every leg, p50", value: percentile(found.all, 50), unit: "ms" },
      { what: "save → every leg, p95", value: percentile(found.all, 95), unit: "ms", limit: 100 },
      { what: "saves that Chroma stored and its search missed", value: missed, unit: "" },
      { what: "requests to Chroma for a save, mean", value: sum(operations) / operations.length, unit: "" },
      { what: "requests to Chroma for a save, most", value: Math.max(...operations), unit: "", limit: 5 },
    ],
    notes: [
      `${operations.length} saves that add a function, one at a time; found means that \`POST /search\` returns it; the vector leg is asked with the new chunk's own text, and percentiles leave out what it missed. Requests of a save by kind: ${perSave.join(", ")}.`,
    ],
  };
}

/** @returns milliseconds until each leg found the new definition; NaN for a vector that Chroma's search misses */
async function untilFound(stack: Stack, path: string, name: string): Promise<Record<Leg, number>> {
  const began = performance.now();
  const times = new Map<Leg, number>();
  let chunk: string | undefined;
  while (times.size < LEGS.length) {
    for (const leg of LEGS.filter((leg) => !times.has(leg))) {
      // Chroma finds what is like the query, and may miss what is like nothing else: it is asked with the chunk itself.
      const query = leg === "vector" ? chunk : name;
      if (query === undefined) continue;
      const results = await stack.search({
        mode: leg,
        query,
        ...(leg === "vector" && { n_results: NEAREST }),
      });
      const found = results.find((r) => r.file_path === path && r.document.includes(name));
      if (found) times.set(leg, performance.now() - began);
      if (leg === "lexical") chunk = found?.document;
    }
    const elapsed = performance.now() - began;
    if (elapsed > MISSED_MS && times.has("symbols") && times.has("lexical")) break;
    if (elapsed > SEARCHED_MS)
      throw new Error(`${name} in ${path} was found by ${[...times.keys()].join(", ") || "no leg"} alone`);
    await sleep(POLL_MS);
  }
  const at = (leg: Leg) => times.get(leg) ?? Number.NaN;
  return { symbols: at("symbols"), lexical: at("lexical"), vector: at("vector") };
}

/** Waits until nothing is to do and Chroma has been left alone for a while. */
async function quiet(stack: Stack): Promise<void> {
  for (;;) {
    await stack.settled();
    const rest = QUIET_MS - (performance.now() - stack.chroma.lastSeen());
    if (rest <= 0) return;
    await sleep(rest);
  }
}
