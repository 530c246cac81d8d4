/** Why a path is in the index, or not, as the server says it. */
import type { ExplainResponse } from "@dhi/core/protocol";
import { signal } from "@preact/signals";
import { ask, wordsOf } from "../server/ask.ts";
import { oneAtATime } from "../server/one-at-a-time.ts";
import { workspace } from "../server/server-state.ts";

/** What is asked about; empty is the workspace itself. */
export const path = signal("");
export interface Explained {
  readonly workspace: string | undefined;
  /** A text says why it could not be asked. */
  readonly said: ExplainResponse | string;
}
export const explained = signal<Explained | undefined>(undefined);

const next = oneAtATime();

export async function explain(of: string): Promise<void> {
  const signal = next();
  const name = workspace.peek();
  path.value = of;
  const say = (said: Explained["said"]) => {
    explained.value = { workspace: name, said };
  };
  try {
    const query = { workspace: name, path: of || "." };
    say(await ask<ExplainResponse>("/v1/explain", { query, signal }));
  } catch (error) {
    if (signal.aborted) return;
    say(wordsOf(error));
  }
}
