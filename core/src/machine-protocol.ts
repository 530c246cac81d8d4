/** The wire of what was measured of the model that completes, and of what fits into this machine's memory. As `protocol.ts`. */
import { z } from "zod";
import { degradeStep, engineName } from "./protocol.ts";

const bytes = z.number().min(0);
const tokensPerSecond = z.number().nullable();

/** Of calls that the engine answered since the server started; another model or engine begins anew. */
const measuredEngine = z.object({
  name: engineName,
  model: z.string(),
  prefill: tokensPerSecond.describe(
    "Tokens of a prompt read in a second, without those that were cached; null until one was read",
  ),
  decode: tokensPerSecond.describe("Tokens written in a second; null until some were"),
  calls: z.int().describe("How many have told something; rates are medians of the last ones"),
  firstTextMs: z.number().nullable().describe("Median of the last calls, from a call to its first text"),
  step: degradeStep.describe("How much is asked of it"),
});

const selfTest = z.object({
  state: z
    .enum(["passed", "failed", "untested"])
    .describe("untested: its engine is not Ollama, or the model has not been looked at yet"),
  asked: z.object({ before: z.string(), after: z.string() }).describe("The code around the gap"),
  wrote: z.string().nullable().describe("What it filled in; null when untested, or tested by an older Dhi"),
  finding: z.string().nullable().describe("What is wrong with it, in words"),
  at: z.string().nullable().describe("ISO time of the test"),
});

const memory = z.object({
  total: bytes,
  available: bytes.describe("With what the system would give back from its caches"),
  isLimited: z
    .boolean()
    .describe("Whether that is what a container or slice may have, and not all of the machine"),
  holdsOllama: z
    .boolean()
    .describe(
      "Whether Ollama shares this memory; else nothing is said of what fits. A container counts as this machine",
    ),
});

const fit = z.object({
  name: z.string(),
  canInfill: z.boolean().nullable().describe("null when only a try would tell"),
  weights: bytes.nullable().describe("Size of its files; null from an Ollama that does not tell"),
  context: bytes
    .nullable()
    .describe("Its cache for contextTokens, by the shape it tells of itself; null when it does not"),
  needed: bytes.nullable().describe("Both together and the runner's own buffers; null without weights"),
  loaded: z
    .object({ bytes, gpu: bytes.describe("Of these, in a GPU's memory") })
    .nullable()
    .describe("What Ollama says it takes right now; null while it is not in memory"),
  fits: z
    .enum(["now", "after-closing", "no"])
    .nullable()
    .describe(
      "now: into what is available, or it is loaded; after-closing: into all there is; null when unknown",
    ),
});
export type ModelFit = z.infer<typeof fit>;

export const machineResponse = z.object({
  engine: measuredEngine,
  selfTest,
  memory,
  contextTokens: z.int().describe("Tokens the cache is made for: prompt and completion"),
  models: z.array(fit).describe("What Ollama has, as it lists them; empty when it does not answer"),
  formula: z.object({
    words: z.string().describe("How needed is worked out"),
    source: z.string().describe("Where that is from"),
  }),
});
export type MachineResponse = z.infer<typeof machineResponse>;
