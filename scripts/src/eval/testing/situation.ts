/** A cursor in files that the real chunker has put into an index. */
import { indexedFiles } from "../../testing/indexed-files.ts";
import { type Corpus, corpusFile } from "../corpus.ts";
import type { Cursor } from "../cursors.ts";
import { type Facts, readFacts } from "../facts.ts";
import type { Situation } from "../method.ts";

/** @param files path → text */
export function factsOf(files: Readonly<Record<string, string>>): { corpus: Corpus; facts: Facts } {
  const corpus = {
    name: "shop-1.0",
    dir: "/nowhere",
    files: new Map(Object.entries(files).map(([path, text]) => [path, corpusFile(path, text)])),
  };
  using index = indexedFiles(files);
  return { corpus, facts: readFacts(index.db, corpus) };
}

/** @param source of the open file, with █ at the cursor and ▒ behind the continuation */
export function situationAt(
  files: Readonly<Record<string, string>>,
  path: string,
  source: string,
  surroundings: Partial<Situation["surroundings"]> = {},
): Situation {
  const [prefix = "", rest = ""] = source.split("█");
  const [continuation = "", suffix = ""] = rest.split("▒");
  const { corpus, facts } = factsOf({ ...files, [path]: prefix + continuation + suffix });
  const cursor: Cursor = {
    ...{ id: path, package: corpus.name, path, language: "typescript", kind: "mid-line" },
    ...{ prefix, continuation, suffix, line: prefix.split("\n").length, identifiers: [], gold: [] },
  };
  const served = {
    url: "",
    post: () => Promise.reject(new Error("nobody is served")),
    settled: () => Promise.resolve(),
    openIndex: () => {
      throw new Error("nobody is served");
    },
    close: () => Promise.resolve(),
  };
  return { corpus, facts, cursor, served, surroundings: { openFiles: [], recentEdits: [], ...surroundings } };
}
