/** A set of packages, indexed and served, with its cursors. */
import { rmSync } from "node:fs";
import { sourcePackages } from "../source-packages.ts";
import { type Corpus, corpusOf } from "./corpus.ts";
import { cutCursors } from "./cursors.ts";
import { type Facts, readFacts } from "./facts.ts";
import { copyOfHome } from "./homes.ts";
import type { Situation } from "./method.ts";
import { type EvalPackage, packagesOf, type SetName } from "./packages.ts";
import { type Served, serve } from "./served.ts";
import { surroundingsOf } from "./surroundings.ts";

export interface PrepareOptions {
  readonly set: SetName;
  readonly perPackage: number;
  readonly seed: number;
  readonly embedder: string;
  /** Only packages whose name contains it. */
  readonly only?: string | undefined;
  readonly env?: Readonly<Record<string, string>>;
  readonly say: (line: string) => void;
}

export interface Prepared {
  readonly served: Served;
  readonly corpora: readonly Corpus[];
  /** Package by package. */
  readonly situations: readonly Situation[];
  close(): Promise<void>;
}

/** @throws when none of the packages can be had */
export async function prepare(options: PrepareOptions): Promise<Prepared> {
  const { set, only = "", say } = options;
  const sources = await sourcePackages(say);
  const specs = packagesOf[set].filter(({ name }) => name.includes(only));
  const corpora = specs.flatMap((spec: EvalPackage) => {
    const source = sources.find(({ name }) => name === spec.name);
    return source ? corpusOf(source, spec) : [];
  });
  if (!corpora.length) throw new Error(`none of the packages of "${set}" can be had`);
  return prepareCorpora(corpora, options);
}

/** For packages that are there already. */
export async function prepareCorpora(
  corpora: readonly Corpus[],
  { perPackage, seed, embedder, env, say }: Omit<PrepareOptions, "set" | "only">,
): Promise<Prepared> {
  const home = await copyOfHome(corpora, embedder, say);
  const removeHome = () => rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  const served = await serve({ corpora, home, embedder, ...(env && { env }) }).catch((error: unknown) => {
    removeHome();
    throw error;
  });
  async function close(): Promise<void> {
    await served.close();
    removeHome();
  }
  try {
    await served.settled();
    const situations = situationsIn(served, corpora, perPackage, seed);
    return { served, corpora, situations, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @param served with all the corpora indexed */
export function situationsIn(
  served: Served,
  corpora: readonly Corpus[],
  perPackage: number,
  seed: number,
): Situation[] {
  return corpora.flatMap((corpus) => {
    const facts = factsIn(served, corpus);
    return cutCursors(corpus, facts, perPackage, seed).map((cursor) => ({
      ...{ corpus, facts, served, cursor },
      surroundings: surroundingsOf(corpus, facts, cursor, seed),
    }));
  });
}

function factsIn(served: Served, corpus: Corpus): Facts {
  const db = served.openIndex(corpus);
  try {
    return readFacts(db, corpus);
  } finally {
    db.close();
  }
}
