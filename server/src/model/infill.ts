/** Whether a model can fill in the middle, without trying it: by what Ollama shows of it, else by its name. */
import { sameModel } from "@dhi/core/ollama";
import type { ModelShape } from "../machine/need.ts";
import { adviseModel, type ModelAdvice } from "../prompt/fim-format.ts";
import { familyMarks, identify } from "./identify.ts";
import { type InstalledModel, readMetadata } from "./metadata.ts";

export interface ListedModel extends InstalledModel {
  /** `null` when only a try would tell. */
  readonly canInfill: boolean | null;
  /** `undefined` when Ollama does not tell, or has not told in time. */
  readonly shape: ModelShape | undefined;
}

type Judged = Pick<ListedModel, "canInfill" | "shape">;

/** @returns the same models, with what is known of each once the signal fires at the latest */
export type JudgeModels = (
  installed: readonly InstalledModel[],
  signal: AbortSignal,
) => Promise<ListedModel[]>;

/** A vocabulary has up to 8 MB; of each model of a list, only template and capabilities are read. */
const NO_VOCABULARY: ReadonlySet<string> = new Set();

/** What was read once is not read again for the same weights. */
export function createJudge(host: string): JudgeModels {
  const known = new Map<string, Judged>();

  async function judge({ name, digest }: InstalledModel, signal: AbortSignal): Promise<Judged> {
    const key = `${name} ${digest}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const metadata = await readMetadata(host, name, NO_VOCABULARY, signal).catch(() => undefined);
    if (!metadata) return { canInfill: verdictOf(adviseModel(name)), shape: undefined };
    const judged = { canInfill: verdictOf(identify(name, metadata)), shape: metadata.shape };
    known.set(key, judged);
    return judged;
  }

  return (installed, signal) =>
    Promise.all(installed.map(async (model) => ({ ...model, ...(await judge(model, signal)) })));
}

const verdictOf = ({ format, unknown }: ModelAdvice): boolean | null =>
  format ? true : unknown ? null : false;

/**
 * @returns what Ollama's own words on one model come to, its vocabulary included; what its name tells when Ollama does
 * not have it
 */
export async function adviceOn(
  model: string,
  host: string,
  installed: readonly InstalledModel[],
  signal: AbortSignal,
): Promise<ModelAdvice> {
  const found = installed.find(({ name }) => sameModel(name, model));
  const metadata =
    found && (await readMetadata(host, found.name, familyMarks, signal).catch(() => undefined));
  return metadata ? identify(model, metadata) : adviseModel(model);
}
