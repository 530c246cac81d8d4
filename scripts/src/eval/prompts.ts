/** Prompts in full, for three cursors in Dhi's own source: nobody else's code may stand in this repository. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promptResponse } from "@dhi/core/protocol";
import { serve } from "./served.ts";

export interface ShownCursor {
  readonly path: string;
  /** The line, with █ where the cursor stands; what follows it is what really comes. */
  readonly line: string;
  /** Open in the editor. */
  readonly openFiles: readonly string[];
}

export const CURSORS: readonly ShownCursor[] = [
  {
    path: "server/src/retrieval/search.ts",
    line: '    ranked.set("lexical", █chunksByTerms(db, termsOf(query), limit * 2));',
    openFiles: ["server/src/retrieval/fuse.ts"],
  },
  {
    path: "indexer/src/app.ts",
    line: "    const refusal = refuseFor█eign(request, guard);",
    openFiles: [],
  },
  {
    path: "scripts/src/wait-for-index.ts",
    line: "  return █indexerResponse.parse(await response.json()).workspaces;",
    openFiles: ["scripts/src/dhi-client.ts"],
  },
];

/** Small, so that a prompt can be read. */
const BUDGET_TOKENS = 1_024;
const CONTEXT_TOKENS = 512;

export interface ShownPrompt {
  readonly path: string;
  readonly line: number;
  readonly continuation: string;
  /** `path:start-end legs score tokens`, the likeliest first. */
  readonly sources: readonly string[];
  readonly prompt: string;
}

/** @throws as {@link cutShown} */
export async function shownPrompts(root: string, embedder: string): Promise<ShownPrompt[]> {
  const home = mkdtempSync(join(tmpdir(), "dhi-eval-"));
  const corpus = { name: "dhi", dir: root };
  const served = await serve({ corpora: [corpus], home, embedder });
  try {
    await served.settled();
    const prompts: ShownPrompt[] = [];
    for (const cursor of CURSORS) prompts.push(await showPrompt(cursor));
    return prompts;
  } finally {
    await served.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  }

  async function showPrompt(cursor: ShownCursor): Promise<ShownPrompt> {
    const { path, openFiles } = cursor;
    const { prefix, continuation, suffix } = cutShown(root, cursor);
    await served.post("/v1/documents", { path, version: 1, content: prefix + suffix });
    const { prompt, sources } = promptResponse.parse(
      await served.post("/v1/prompt", {
        ...{ path, prefix, suffix, openFiles, mode: "rag" },
        ...{ budgetTokens: BUDGET_TOKENS, contextTokens: CONTEXT_TOKENS },
      }),
    );
    await served.post("/v1/documents", { path, closed: true });
    return {
      ...{ path, continuation, prompt },
      line: prefix.split("\n").length,
      sources: sources.map(
        ({ path: from, startLine, endLine, legs, score, tokens }) =>
          `${from}:${startLine}-${endLine}, ${legs.join(" + ")}, score ${score.toPrecision(3)}, ${tokens} tokens`,
      ),
    };
  }
}

/** @throws when the line is not in its file, or stands there twice */
export function cutShown(
  root: string,
  { path, line }: ShownCursor,
): { readonly prefix: string; readonly continuation: string; readonly suffix: string } {
  const [left = "", continuation = ""] = line.split("█");
  const [before, after, ...more] = readFileSync(join(root, path), "utf8").split(`${left}${continuation}\n`);
  if (before === undefined || after === undefined || more.length)
    throw new Error(`${path} does not have the line "${line}" once: choose another one to show`);
  return { prefix: before + left, continuation, suffix: `\n${after}` };
}
