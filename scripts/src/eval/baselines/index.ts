/** What Dhi is compared with, in the order of the report. */
import type { Baseline } from "../method.ts";
import { bm25Windows, oracleWindows } from "./bm25-windows.ts";
import { jaccardWindows } from "./jaccard-windows.ts";
import { lastCharactersVector } from "./last-characters-vector.ts";
import { nearDefinitions } from "./near-definitions.ts";
import { recentEditsBm25 } from "./recent-edits-bm25.ts";

export const baselines: Readonly<Record<string, Baseline>> = {
  "no context": () => [],
  "open-file Jaccard": jaccardWindows,
  "BM25 windows": bm25Windows,
  "near definitions": nearDefinitions,
  "vector only": lastCharactersVector,
  "recent-edit BM25": recentEditsBm25,
};

/** Knows the answer: no baseline, but what retrieval with that query can reach at most. */
export const oracles: Readonly<Record<string, Baseline>> = { "BM25 oracle": oracleWindows };
