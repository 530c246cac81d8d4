/**
 * The model that completes, and how it is asked. What is known of it can change while the server runs: Ollama may come
 * later, and a name may get other weights. All of it is found out beside the requests, which take what is known.
 */
import { ConfigError } from "@dhi/core/env";
import type { Logger } from "@dhi/core/log";
import { sameModel } from "@dhi/core/ollama";
import type { Component, ContextMode, FimRequest } from "@dhi/core/protocol";
import { describeError, isAbortError, UpstreamError } from "@dhi/core/upstream-error";
import type { ServerConfig } from "../config.ts";
import type { Engine } from "../engines/engine.ts";
import { costOf } from "../prompt/estimate-tokens.ts";
import {
  adviseModel,
  type FimFormat,
  formatById,
  formatIds,
  type ModelAdvice,
  refusalOf,
} from "../prompt/fim-format.ts";
import { type CheckLog, type LoggedTest, SELF_TEST_VERSION } from "./check-log.ts";
import { familyMarks, identify } from "./identify.ts";
import { installedModels, readMetadata } from "./metadata.ts";
import type { ModelProfile } from "./profiles.ts";
import { selfTest } from "./self-test.ts";
import { createTokenRatio } from "./token-ratio.ts";

/** How the model is asked in one request. */
export interface Asked {
  readonly format: FimFormat;
  readonly mode: ContextMode;
  /** Tokens a prompt may have. */
  readonly budgetTokens: number;
  /** Most tokens a completion may have; a request can ask for fewer. */
  readonly maxTokens: number;
}

export interface ServedModel {
  /** What counts for a request right now; without one, what counts for most. */
  asked(request?: Pick<FimRequest, "mode" | "sessionId">): Asked;
  /**
   * Ollama's engine, whose model is looked at when it warms up, when its health is asked for and now and then when it
   * generates; a model that turns out unfit makes it `down`, and a call an {@link UpstreamError} with the reason.
   */
  checked(ollama: Engine): Engine;
  /** Of the weights that Ollama has now; `undefined` before it was tested. */
  readonly lastTest: LoggedTest | undefined;
  close(): void;
}

export interface ServedModelOptions {
  readonly config: ServedModelConfig;
  readonly profile: ModelProfile;
  readonly checks: CheckLog;
  /** What is known already; without it the name tells. */
  readonly advice?: ModelAdvice | undefined;
  readonly log: Logger;
  /** Ollama is asked for changes of the model at most this often, in milliseconds. */
  readonly lookEveryMs?: number;
}

type ServedModelConfig = Pick<
  ServerConfig,
  | "ENGINE"
  | "OLLAMA_HOST"
  | "FIM_MODEL"
  | "FIM_FORMAT"
  | "CONTEXT_MODE"
  | "CONTEXT_TOKENS"
  | "FIM_MODEL_MAX_TOKENS"
>;

const LOOK_EVERY_MS = 5_000;
/** A small completion on a slow CPU, behind the requests that came before. */
const SELF_TEST_TIMEOUT_MS = 120_000;
/** The start waits no longer for what could save it. */
const START_TIMEOUT_MS = 10_000;

/**
 * Waits for Ollama only when the name alone would end the start.
 *
 * @throws {ConfigError} for a name that tells of a model without the training, unless Ollama has the model and shows
 * that the name is wrong; and for a format that is none
 */
export async function openServedModel({
  config,
  profile,
  checks,
  advice: known,
  log,
  lookEveryMs = LOOK_EVERY_MS,
}: ServedModelOptions): Promise<ServedModel> {
  const model = config.FIM_MODEL;
  const chosen = chosenFormat(config, profile);
  /** Counts until Ollama tells more. */
  let advice: ModelAdvice = chosen ? { format: chosen } : (known ?? (await adviceByName(config)));
  if (advice.warning) log.warn(advice.warning);
  let ratio = createTokenRatio();
  const closing = new AbortController();

  let digest: string | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;
  let failure: string | undefined;
  let lastTest: LoggedTest | undefined;

  const format = (): FimFormat => ({
    // What an engine without a prompt, or a dry run, shows for a model that is not known (yet).
    ...(advice.format ?? FALLBACK),
    ...(profile.stop && { stop: profile.stop }),
    ...(profile.charsPerToken !== undefined && { charsPerToken: profile.charsPerToken }),
  });
  let base = format();

  function see(next: ModelAdvice): void {
    const before = advice;
    advice = next;
    base = format();
    if (next.format?.id !== before.format?.id) ratio = createTokenRatio();
    if (next.refusal && next.refusal !== before.refusal) log.error(next.refusal);
    if (next.warning && next.warning !== before.warning) log.warn(next.warning);
    if (next.format && next.format.id !== before.format?.id)
      log.info({ model, format: next.format.id }, "prompt format");
  }

  /** Never throws; one at a time. */
  function look(ollama: Engine): Promise<void> {
    if (looking) return looking;
    lookedAt = performance.now();
    looking = lookAt(ollama)
      .then(() => {
        failure = undefined;
      })
      .catch((error: unknown) => {
        if (isAbortError(error) || describeError(error) === failure) return;
        failure = describeError(error);
        log.debug({ model }, `the model could not be looked at: ${failure}`);
      })
      .finally(() => {
        looking = undefined;
      });
    return looking;
  }

  async function lookAt(ollama: Engine): Promise<void> {
    const { signal } = closing;
    const installed = await installedModels(config.OLLAMA_HOST, signal);
    const now = installed.find(({ name }) => sameModel(name, model))?.digest;
    if (now === undefined || now === digest) return;
    lastTest = undefined;
    const found = identify(model, await readMetadata(config.OLLAMA_HOST, model, familyMarks, signal));
    see(chosen ? contrast(found) : found);
    if (!advice.format) {
      digest = now;
      return;
    }
    lastTest = await tested(ollama, advice.format, now);
    const { finding } = lastTest;
    digest = now;
    if (finding === undefined) return;
    see(chosen ? { format: chosen, warning: setAgainst(finding) } : { refusal: refusalOf(model, finding) });
  }

  /** Who sets a format knows more than we do, and is told what speaks against it. */
  function contrast(found: ModelAdvice): ModelAdvice {
    const format = chosen ?? FALLBACK;
    // Of a format of the user's own nothing is known that could speak against it.
    if (found.unknown || found.format?.id === format.id || !formatById(format.id)) return { format };
    const words = found.format
      ? `it is a ${found.format.id} by what it says of itself`
      : (found.refusal ?? "");
    return { format, warning: setAgainst(words) };
  }

  function setAgainst(words: string): string {
    return `Model "${model}" is asked as a ${chosen?.id}, as it was set, although ${words}`;
  }

  async function tested(ollama: Engine, inFormat: FimFormat, weights: string): Promise<LoggedTest> {
    const key = [weights, inFormat.id, SELF_TEST_VERSION].join(" ");
    const known = checks.get(key);
    if (known) return known;
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(SELF_TEST_TIMEOUT_MS)]);
    const test = { ...(await selfTest(ollama, inFormat, signal)), at: new Date().toISOString() };
    checks.set(key, test);
    return test;
  }

  function lookIfDue(ollama: Engine): void {
    if (performance.now() - lookedAt >= lookEveryMs) void look(ollama);
  }

  return {
    asked(request) {
      // What a request without a session gets must not depend on the requests before it.
      const factor = request?.sessionId === undefined ? 1 : ratio.factor;
      return {
        format: factor === 1 ? base : { ...base, charsPerToken: base.charsPerToken / factor },
        mode: lesser(request?.mode ?? profile.mode ?? config.CONTEXT_MODE, profile.mode ?? "rag"),
        budgetTokens: profile.contextTokens ?? config.CONTEXT_TOKENS,
        maxTokens: profile.maxTokens ?? config.FIM_MODEL_MAX_TOKENS,
      };
    },

    checked(ollama) {
      return {
        ...ollama,
        async generate(input, options, signal) {
          lookIfDue(ollama);
          if (advice.refusal) throw new UpstreamError("ollama", advice.refusal);
          const generated = await ollama.generate(input, options, signal);
          const { promptTokens } = generated.usage;
          if (promptTokens !== null) ratio.learn(costOf(input.prompt, base), promptTokens);
          return generated;
        },
        async health(signal) {
          const component = await ollama.health(signal);
          if (component.status !== "ok") return component;
          lookIfDue(ollama);
          return judged(component);
        },
        async warmUp(signal) {
          await ollama.warmUp(signal);
          lookIfDue(ollama);
          // Without the look there is no format; else nothing waits for it, since its self-test is a completion.
          if (advice.unknown) await looking;
        },
      };
    },

    get lastTest() {
      return lastTest;
    },

    close: () => closing.abort(),
  };

  function judged(component: Component): Component {
    if (advice.unknown && looking) return { status: "starting", detail: `asking Ollama what ${model} is` };
    if (advice.refusal) return { status: "down", detail: advice.refusal };
    return advice.warning ? { status: "ok", detail: `${component.detail}; ${advice.warning}` } : component;
  }
}

const FALLBACK: FimFormat = {
  ...{ id: "none", order: "PSM", prefix: "<PRE>", suffix: "<SUF>", middle: "<MID>", stop: ["<EOT>"] },
  ...{ tokens: ["<PRE>", "<SUF>", "<MID>", "<EOT>"], repository: "comments", charsPerToken: 2.6 },
};

function chosenFormat({ FIM_FORMAT }: ServedModelConfig, profile: ModelProfile): FimFormat | undefined {
  if (FIM_FORMAT === "auto") return profile.format;
  const format = profile.format?.id === FIM_FORMAT ? profile.format : formatById(FIM_FORMAT);
  if (format) return format;
  throw new ConfigError(`  FIM_FORMAT=${FIM_FORMAT}: expected auto or one of ${formatIds().join(", ")}`);
}

async function adviceByName({ ENGINE, FIM_MODEL, OLLAMA_HOST }: ServedModelConfig): Promise<ModelAdvice> {
  const advice = adviseModel(FIM_MODEL);
  const canAsk = ENGINE === "auto" || ENGINE === "ollama";
  if (advice.format || (advice.unknown && canAsk)) return advice;
  const signal = AbortSignal.timeout(START_TIMEOUT_MS);
  const shown =
    canAsk && (await readMetadata(OLLAMA_HOST, FIM_MODEL, familyMarks, signal).catch(() => undefined));
  const found = shown ? identify(FIM_MODEL, shown) : advice;
  if (found.format) return found;
  throw new ConfigError(`  FIM_MODEL=${FIM_MODEL}: ${found.refusal}`);
}

const BY_CONTEXT: readonly ContextMode[] = ["raw", "simple", "symbols", "rag"];

/** @returns those that a model of this profile is asked in, the least context first */
export const modesOf = (profile: ModelProfile): ContextMode[] =>
  BY_CONTEXT.slice(0, BY_CONTEXT.indexOf(profile.mode ?? "rag") + 1);

const lesser = (mode: ContextMode, most: ContextMode): ContextMode =>
  BY_CONTEXT.indexOf(mode) <= BY_CONTEXT.indexOf(most) ? mode : most;
