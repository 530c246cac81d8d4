/** Files that the index leaves out: those that are looked for, a page at a time. */
import type { SkippedResponse } from "@dhi/core/files-protocol";
import { batch, computed, signal } from "@preact/signals";
import { ask, ServerProblem } from "../server/ask.ts";
import { oneAtATime } from "../server/one-at-a-time.ts";
import { indexer, workspace } from "../server/server-state.ts";
import { searchText } from "../words/search-text.ts";

/** A part of their paths; empty for all. */
export const match = signal("");
/** `undefined` for every reason. */
export const reason = signal<string | undefined>(undefined);

interface Asked {
  readonly workspace: string | undefined;
  readonly reason: string | undefined;
  readonly match: string | undefined;
}

export interface Skipped extends SkippedResponse {
  /** What was asked for, which may be another thing by now. */
  readonly of: Asked;
}
/** What was found, the pages behind each other; `undefined` until the first has come. */
export const skipped = signal<Skipped | undefined>(undefined);
export const problem = signal<string | undefined>(undefined);

/** Between a key in the search field and the look for it. */
const PAUSE_MS = 150;

const next = oneAtATime();
/** Of the files that are left out: another text when they are others. The server says them every two seconds. */
const counts = computed(() => JSON.stringify([workspace.value, indexer.value?.skipped]));
let seen = "";

/** To be called in an effect: looks again when something else is looked for, and when other files are left out. @returns what ends it */
export function followSkipped(): (() => void) | undefined {
  if (workspace.value === undefined) return undefined;
  const asked = { workspace: workspace.value, reason: reason.value, match: searchText(match.value) };
  const now = counts.value;
  const isTyped = now === seen;
  seen = now;
  const signal = next();
  const timer = setTimeout(
    () =>
      told(signal, async () => {
        const answer = await ask<SkippedResponse>("/v1/skipped", { query: asked, signal });
        skipped.value = { ...answer, of: asked };
      }),
    isTyped ? PAUSE_MS : 0,
  );
  return () => clearTimeout(timer);
}

/** Adds the next page, unless other files are looked for by now. */
export async function showMore(): Promise<void> {
  const shown = skipped.peek();
  if (!shown?.next || isOutdated(shown)) return;
  const signal = next();
  await told(signal, async () => {
    const query = { ...shown.of, after: shown.next ?? undefined };
    const answer = await ask<SkippedResponse>("/v1/skipped", { query, signal });
    skipped.value = { ...shown, ...answer, files: [...shown.files, ...answer.files] };
  });
}

const isOutdated = ({ of }: Skipped): boolean =>
  of.workspace !== workspace.peek() || of.reason !== reason.peek() || of.match !== searchText(match.peek());

async function told(signal: AbortSignal, does: () => Promise<void>): Promise<void> {
  try {
    await does();
    problem.value = undefined;
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof ServerProblem)) throw error;
    batch(() => {
      problem.value = error.message;
      skipped.value = undefined;
    });
  }
}
