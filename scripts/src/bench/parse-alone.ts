/** What everything else is measured against: web-tree-sitter reading the same files, and nothing done with the trees. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { languageOf } from "@dhi/core/languages";
import { loadTreeSitter } from "@dhi/indexer/chunker/tree-sitter";

export interface ParseAlone {
  readonly files: number;
  readonly ms: number;
  /** Of the processor: what other processes take from this machine does not count. */
  readonly cpuSeconds: number;
}

const MOST_MS = 60_000;

/** One after the other on one thread; reading from the disk is not counted. Paths without a grammar are left out. */
export async function parseAlone(root: string, paths: readonly string[]): Promise<ParseAlone> {
  const treeSitter = await loadTreeSitter();
  let ms = 0;
  let cpu = 0;
  let files = 0;
  for (const path of paths) {
    const { grammar } = languageOf(path);
    if (!grammar) continue;
    const text = readFileSync(join(root, path), "utf8");
    const began = performance.now();
    const used = process.cpuUsage();
    treeSitter.parse(text, grammar, MOST_MS, () => true);
    ms += performance.now() - began;
    const { user, system } = process.cpuUsage(used);
    cpu += (user + system) / 1e6;
    files++;
  }
  return { files, ms, cpuSeconds: cpu };
}
