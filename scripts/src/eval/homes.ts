/** Indexes of the evaluation's workspaces: made once, and each run works on a copy of its own. */
import { createHash } from "node:crypto";
import {
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CHUNKER_VERSION } from "@dhi/core/chunk";
import { SCHEMA_VERSION } from "@dhi/core/index-db";
import { cacheFolder } from "../source-packages.ts";
import type { Corpus } from "./corpus.ts";
import { serve } from "./served.ts";

/**
 * @param say gets a line before what takes long
 * @returns a DHI_HOME in which all the corpora are indexed, to be written to and removed by the caller
 */
export async function copyOfHome(
  corpora: readonly Corpus[],
  embedder: string,
  say: (line: string) => void,
): Promise<string> {
  const folder = cacheFolder("eval");
  const home = join(folder, "homes", keyOf(corpora, embedder));
  if (!existsSync(home)) await withLock(`${home}.lock`, () => makeHome(home, corpora, embedder, say));
  const runs = join(folder, "runs");
  removeLeftOver(runs);
  mkdirSync(runs, { recursive: true });
  const copy = mkdtempSync(join(runs, `${process.pid}-`));
  cpSync(home, copy, { recursive: true, mode: constants.COPYFILE_FICLONE });
  return copy;
}

/** What is indexed, and by what. */
function keyOf(corpora: readonly Corpus[], embedder: string): string {
  const parts = [embedder, CHUNKER_VERSION, SCHEMA_VERSION, ...corpora.map(({ dir }) => basename(dir))];
  return createHash("sha1").update(parts.join("\n")).digest("hex").slice(0, 12);
}

async function makeHome(
  home: string,
  corpora: readonly Corpus[],
  embedder: string,
  say: (line: string) => void,
): Promise<void> {
  if (existsSync(home)) return;
  const began = performance.now();
  say(`Indexing ${corpora.length} packages; the next run finds them indexed…`);
  const work = `${home}.making`;
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  const served = await serve({ corpora, home: work, embedder });
  try {
    await served.settled();
  } finally {
    await served.close();
  }
  renameSync(work, home);
  say(`  indexed in ${Math.round((performance.now() - began) / 1000)} s`);
}

const WAIT_MS = 200;

/** One process at a time; a lock whose owner is gone does not count. */
async function withLock(file: string, run: () => Promise<void>): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  while (!takeLock(file)) await sleep(WAIT_MS);
  try {
    await run();
  } finally {
    rmSync(file, { force: true });
  }
}

function takeLock(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
    return true;
  } catch {
    const owner = existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
    if (owner && !isAlive(owner)) rmSync(file, { force: true });
    return false;
  }
}

/** Homes of runs that were killed. */
function removeLeftOver(runs: string): void {
  for (const name of existsSync(runs) ? readdirSync(runs) : [])
    if (!isAlive(Number.parseInt(name, 10))) rmSync(join(runs, name), { recursive: true, force: true });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
