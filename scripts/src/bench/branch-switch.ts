/** `git checkout` of a branch with many other files: when the index shows that tree, and what it cost. */
import { setTimeout as sleep } from "node:timers/promises";
import type { IndexDb } from "@dhi/core/index-db";
import type { IndexerStatus } from "@dhi/core/protocol";
import { git, gitBeside } from "./git.ts";
import type { Measured } from "./report.ts";
import type { Stack } from "./stack.ts";
import { CHANGED_BRANCH } from "./workplace.ts";

/** @param stack with an index of `main` that is settled */
export async function branchSwitch(stack: Stack, repository: string): Promise<Measured> {
  const changed = changedFiles(repository);
  const there = await switchTo(
    stack,
    repository,
    CHANGED_BRANCH,
    changed.map((c) => [c.path, c.there]),
  );
  const back = await switchTo(
    stack,
    repository,
    "main",
    changed.map((c) => [c.path, c.main]),
  );
  const again = await switchTo(
    stack,
    repository,
    CHANGED_BRANCH,
    changed.map((c) => [c.path, c.there]),
  );
  await switchTo(
    stack,
    repository,
    "main",
    changed.map((c) => [c.path, c.main]),
  );
  return {
    figures: [
      { what: "files that differ", value: there.files, unit: "" },
      { what: "first switch, git itself", value: there.gitMs, unit: "ms" },
      {
        what: "first switch, from git's end to the swapped membership",
        value: there.swappedMs,
        unit: "ms",
        limit: 1000,
      },
      { what: "first switch, files parsed", value: there.parsed, unit: "", limit: there.files },
      { what: "first switch, texts embedded", value: there.embedded, unit: "" },
      { what: "first switch, to the last vector in Chroma", value: there.settledMs, unit: "ms" },
      { what: "switching back, to the swapped membership", value: back.swappedMs, unit: "ms", limit: 1000 },
      { what: "switching back, files parsed", value: back.parsed, unit: "", limit: 0 },
      { what: "switching back, texts embedded", value: back.embedded, unit: "", limit: 0 },
      { what: "there again, to the swapped membership", value: again.swappedMs, unit: "ms", limit: 1000 },
      { what: "there again, texts embedded", value: again.embedded, unit: "", limit: 0 },
      {
        what: "looks that saw a mixture of both trees",
        value: there.mixtures + back.mixtures + again.mixtures,
        unit: "",
        limit: 0,
      },
    ],
    notes: [
      "Another process looks every 2 ms whether index.db has a new commit, and reads the membership of each that it meets.",
    ],
  };
}

interface Switch {
  /** Of the changed ones, those that are indexed. */
  readonly files: number;
  readonly gitMs: number;
  /** Both from the moment git ended. */
  readonly swappedMs: number;
  readonly settledMs: number;
  readonly parsed: number;
  readonly embedded: number;
  /** How often some of the files were swapped and others not. */
  readonly mixtures: number;
}

const POLL_MS = 2;
const SWAPPED_MS = 120_000;

/** @param wanted path and blob of what differs, as the branch has it */
async function switchTo(
  stack: Stack,
  repository: string,
  branch: string,
  wanted: readonly (readonly [string, string])[],
): Promise<Switch> {
  const db = stack.openIndex();
  try {
    const before = await stack.settled();
    const files = liveAmong(db, wanted);
    const began = performance.now();
    let gitEnded: number | undefined;
    const checkout = gitBeside(repository, "checkout", "-q", branch).then(() => {
      gitEnded = performance.now();
    });
    let mixtures = 0;
    let seen: unknown;
    for (;;) {
      // Counting at each look would take half of a core from what is measured.
      const commit = db.pragma("data_version", { simple: true });
      const swapped = commit === seen ? 0 : swappedAmong(db, wanted);
      seen = commit;
      if (swapped === files) break;
      if (swapped > 0) mixtures++;
      if (performance.now() - began > SWAPPED_MS)
        throw new Error(`${swapped} of ${files} files were swapped`);
      await sleep(POLL_MS);
    }
    const swappedAt = performance.now();
    await checkout;
    const after = await allSettled(stack);
    const from = gitEnded ?? began;
    return {
      ...{ files, mixtures, gitMs: from - began },
      swappedMs: Math.max(0, swappedAt - from),
      settledMs: performance.now() - from,
      parsed: after.counters.filesParsed - before.counters.filesParsed,
      embedded: after.counters.textsEmbedded - before.counters.textsEmbedded,
    };
  } finally {
    db.close();
  }
}

/** Twice, since what a switch brings is queued a moment after the membership is there. */
async function allSettled(stack: Stack): Promise<IndexerStatus> {
  await stack.settled();
  await sleep(500);
  return stack.settled();
}

interface ChangedFile {
  readonly path: string;
  /** Its blobs on either branch. */
  readonly main: string;
  readonly there: string;
}

function changedFiles(repository: string): ChangedFile[] {
  const lines = git(repository, "diff", "--raw", "--no-abbrev", "main", CHANGED_BRANCH).trim().split("\n");
  return lines.map((line) => {
    const [, , main = "", there = "", , path = ""] = line.split(/[ \t]/);
    return { path, main, there };
  });
}

const swappedAmong = (db: IndexDb, wanted: readonly (readonly [string, string])[]): number =>
  db
    .prepare<[string], number>(
      `SELECT count(*) FROM json_each(?) w JOIN live ON live.path = w.value ->> 0
       JOIN blobs ON blobs.id = live.blob_id WHERE blobs.blob = w.value ->> 1`,
    )
    .pluck()
    .get(JSON.stringify(wanted)) ?? 0;

const liveAmong = (db: IndexDb, wanted: readonly (readonly [string, string])[]): number =>
  db
    .prepare<[string], number>("SELECT count(*) FROM json_each(?) w JOIN live ON live.path = w.value ->> 0")
    .pluck()
    .get(JSON.stringify(wanted)) ?? 0;
