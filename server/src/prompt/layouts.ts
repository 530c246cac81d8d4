/** What stood in the last prompt of each session and file, as long as the cursor stays in the same scope. */
import type { PromptRequest } from "@dhi/core/protocol";
import { scopeOf } from "../retrieval/scope.ts";
import type { Block } from "./pack.ts";

export interface Layouts {
  /** @returns the blocks in the order of the prompt; `undefined` for another scope, and without a session */
  before(request: PromptRequest): readonly Block[] | undefined;
  keep(request: PromptRequest, blocks: readonly Block[]): void;
}

/** Some 50 KB each. */
const MAX_KEPT = 64;
/** A scope that begins further above is as good as none. */
const MAX_SCOPE_CHARS = 64 * 1024;

export function createLayouts(): Layouts {
  const kept = new Map<string, { readonly scope: string; readonly blocks: readonly Block[] }>();
  return {
    before(request) {
      const last = kept.get(fileOf(request));
      return last && last.scope === placeOf(request) ? last.blocks : undefined;
    },
    keep(request, blocks) {
      if (request.sessionId === undefined) return;
      const file = fileOf(request);
      kept.delete(file);
      kept.set(file, { scope: placeOf(request), blocks });
      const [oldest] = kept.keys();
      if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    },
  };
}

const fileOf = ({ sessionId, workspace, path }: PromptRequest): string =>
  JSON.stringify([sessionId, workspace, path]);

/** The scope, and what else decides about snippets. */
const placeOf = ({ prefix, mode, legs, contextTokens, budgetTokens }: PromptRequest): string =>
  JSON.stringify([scopeAt(prefix.slice(-MAX_SCOPE_CHARS)), mode, legs, contextTokens, budgetTokens]);

/** A line that was just begun belongs where the one before it does, until it is indented. */
const scopeAt = (prefix: string): string => scopeOf(prefix.trimEnd().split("\n"));
