/** The instant indexes of all workspaces, which share one bound on what they hold. */
import { createIndexHandle } from "../retrieval/index-handle.ts";
import { createInstantIndex, type InstantIndex } from "./instant-index.ts";
import { createTokenBudget } from "./token-budget.ts";

export interface OpenIndexes {
  /** In the order of the folders. */
  readonly indexes: readonly InstantIndex[];
  close(): void;
}

/** @param dirs of `index.db`, which may not be there yet */
export function openIndexes(
  { dirs, maxTokens }: { readonly dirs: readonly string[]; readonly maxTokens: number },
  warn: (warning: string) => void,
): OpenIndexes {
  const shareOf = createTokenBudget(maxTokens);
  const opened = dirs.map((dir) => ({ handle: createIndexHandle(dir), share: shareOf() }));
  const indexes = opened.map(({ handle, share }) =>
    createInstantIndex({ index: handle, maxTokens: share, warn }),
  );
  return {
    indexes,
    close() {
      for (const index of indexes) index.close();
      for (const { handle } of opened) handle.close();
    },
  };
}
