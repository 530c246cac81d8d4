/** One cursor, completed by the running server as an editor would have it, with retrieval and without. */
import type { ContextMode, FimDone } from "@dhi/core/protocol";
import type { DhiClient } from "../dhi-client.ts";
import { withOpenFile } from "./ask-methods.ts";
import { type Closeness, closeness } from "./completion-metrics.ts";
import type { Cursor } from "./cursors.ts";
import type { Situation } from "./method.ts";
import type { Surroundings } from "./surroundings.ts";

export type Retrieval = "on" | "off";

export interface Completed extends Closeness {
  readonly cursor: Pick<Cursor, "id" | "package" | "language" | "kind">;
  readonly retrieval: Retrieval;
  readonly engine: string;
  readonly model: string;
  readonly isEmpty: boolean;
  /** From the server's first look at the request to its answer. */
  readonly ms: number;
}

const modeOf: Readonly<Record<Retrieval, ContextMode>> = { on: "rag", off: "simple" };
/** For models that read on a CPU. */
const TIMEOUT_MS = 5 * 60_000;

/** @param version of the open file's buffer: greater than any before */
export async function completeAt(
  situation: Situation,
  client: DhiClient,
  version: number,
): Promise<Completed[]> {
  const { id, package: name, language, kind } = situation.cursor;
  const answers = await withOpenFile(situation, version, () => askBoth(situation, client));
  return answers.map(([retrieval, { completion, engine, model, timings }]) => ({
    ...{ cursor: { id, package: name, language, kind }, retrieval, engine, model },
    ...closeness(completion, situation.cursor),
    isEmpty: completion.trim() === "",
    ms: timings.total,
  }));
}

export interface AskedAt {
  readonly cursor: Pick<Cursor, "package" | "path" | "language" | "prefix" | "suffix">;
  readonly surroundings: Surroundings;
}

/** Without retrieval only where the engine reads a prompt: the instant tier's answer is the same. */
export async function askBoth(
  { cursor, surroundings }: AskedAt,
  client: Pick<DhiClient, "complete">,
): Promise<(readonly [Retrieval, FimDone])[]> {
  const { package: workspace, path, language: languageId, prefix, suffix } = cursor;
  const request = {
    ...{ workspace, path, languageId, prefix, suffix },
    openFiles: [...surroundings.openFiles],
    recentEdits: [...surroundings.recentEdits],
  };
  const ask = (retrieval: Retrieval) =>
    client.complete({ ...request, mode: modeOf[retrieval] }, AbortSignal.timeout(TIMEOUT_MS));
  const on = await ask("on");
  return on.engine === "instant"
    ? [["on", on]]
    : [
        ["on", on],
        ["off", await ask("off")],
      ];
}
