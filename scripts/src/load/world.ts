/** Our server, with index and Chroma, on a small repository, and the fake engine as its Ollama. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { tempRepo } from "@dhi/core/testing/temp-repo";
import { createStack, type Stack } from "../bench/stack.ts";
import { type FakeEngine, startFakeEngine } from "./fake-engine.ts";

export interface LoadWorld {
  readonly url: string;
  readonly engine: FakeEngine;
  readonly stack: Stack;
}

const MODEL = "qwen2.5-coder:1.5b-base";
/** Something to be found for every prompt. */
const FILES = Object.fromEntries(
  Array.from({ length: 40 }, (_, i) => [
    `lib/price${i}.ts`,
    `/** Of one line. */\nexport function price${i}(total: number): number {\n  return round(total * ${i});\n}\n`,
  ]),
);

/** @param use with everything answering; nothing is left of it after that */
export async function withWorld<T>(tokenMs: number, use: (world: LoadWorld) => Promise<T>): Promise<T> {
  const repo = tempRepo(FILES);
  const engine = await startFakeEngine({ model: MODEL, tokenMs });
  const home = join(repo.dir, ".git", "dhi");
  try {
    repo.commit();
    mkdirSync(home);
    const stack = await createStack({
      ...{ workspace: repo.dir, home },
      serverEnv: { ENGINE: "ollama", FIM_MODEL: MODEL, OLLAMA_HOST: engine.url },
    });
    try {
      await stack.start("chroma", "indexer", "server");
      await stack.settled();
      return await use({ url: stack.url, engine, stack });
    } finally {
      await stack.close();
    }
  } finally {
    await engine[Symbol.asyncDispose]();
    repo[Symbol.dispose]();
  }
}
