/** What stood in the last prompt of each session and file. */
import type { PromptRequest } from "@dhi/core/protocol";
import { ownCopy } from "../own-copy.ts";
import { scopeOf } from "../retrieval/scope.ts";
import type { Before } from "./layout.ts";

type Shown = Omit<Before, "stays">;

export interface Layouts {
  /** @returns `undefined` for a file without a prompt yet, for one that was asked for in another way, and without a session */
  before(request: PromptRequest): Before | undefined;
  keep(request: PromptRequest, shown: Shown): void;
}

/** While a function is typed. */
const STAYS_IN_SCOPE = 0.4;
/** Another function of the same file needs other things, though many of them are the same. */
const STAYS_IN_FILE = 0.6;
/** Some 50 KB each. */
const MAX_KEPT = 64;
/** A scope that begins further above is as good as none. */
const MAX_SCOPE_CHARS = 64 * 1024;

export function createLayouts(): Layouts {
  const kept = new Map<string, Kept>();
  return {
    before(request) {
      const last = kept.get(fileOf(request));
      if (last?.asked !== askedOf(request)) return undefined;
      return { ...last.shown, stays: last.scope === placeOf(request) ? STAYS_IN_SCOPE : STAYS_IN_FILE };
    },
    keep(request, { blocks, prefixStart }) {
      if (request.sessionId === undefined) return;
      const file = fileOf(request);
      kept.delete(file);
      kept.set(file, {
        scope: ownCopy(placeOf(request)),
        asked: askedOf(request),
        shown: { blocks, prefixStart },
      });
      const [oldest] = kept.keys();
      if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    },
  };
}

/** For who changes nothing of it: a prompt written ahead of the user, or for one more answer at the same place. */
export const unchanged = (layouts: Layouts): Layouts => ({
  before(request) {
    const before = layouts.before(request);
    return before && { ...before, stays: 0 };
  },
  keep() {},
});

interface Kept {
  readonly scope: string;
  readonly asked: string;
  readonly shown: Shown;
}

const fileOf = ({ sessionId, workspace, path }: PromptRequest): string =>
  JSON.stringify([sessionId, workspace, path]);

/** What else decides about snippets. */
const askedOf = ({ mode, legs, contextTokens, budgetTokens }: PromptRequest): string =>
  JSON.stringify([mode, legs, contextTokens, budgetTokens]);

const placeOf = ({ prefix }: PromptRequest): string => scopeAt(prefix.slice(-MAX_SCOPE_CHARS));

/** A line that was just begun belongs where the one before it does, until it is indented. */
const scopeAt = (prefix: string): string => scopeOf(prefix.trimEnd().split("\n"));
