/** A set of packages, indexed and served, with its cursors. */
import { rmSync } from "node:fs";
import { cacheFolder, sourcePackages } from "../source-packages.ts";
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
  const { set, perPackage, seed, embedder, only = "", say } = options;
  const sources = await sourcePackages(say);
  const specs = packagesOf[set].filter(({ name }) => name.includes(only));
  const corpora = specs.flatMap((spec: EvalPackage) => {
    const source = sources.find(({ name }) => name === spec.name);
    return source ? corpusOf(source, spec) : [];
  });
  if (!corpora.length) throw new Error(`none of the packages of "${set}" can be had`);
  const home = await copyOfHome(corpora, embedder, say);
  const removeHome = () => rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  const served = await serve({ corpora, home, embedder, ...(options.env && { env: options.env }) }).catch(
    (error: unknown) => {
      removeHome();
      throw error;
    },
  );
  async function close(): Promise<void> {
    await served.close();
    removeHome();
  }
  try {
    await served.settled();
    const situations = corpora.flatMap((corpus): Situation[] => {
      const db = served.openIndex(corpus);
      let facts: Facts;
      try {
        facts = readFacts(db, corpus);
      } finally {
        db.close();
      }
      return cutCursors(corpus, facts, perPackage, seed).map((cursor) => ({
        ...{ corpus, facts, served, cursor },
        surroundings: surroundingsOf(corpus, facts, cursor, seed),
      }));
    });
    return { served, corpora, situations, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Where what an evaluation leaves for the next one, or for a reader, lies; outside of any checkout. */
export const evalFolder = (): string => cacheFolder("eval");
