/**
 * ENGINE=auto: a model when Ollama has it ready, else the tier without a model, so that there is always an answer. Which
 * of the two, and why, is said in the log and in `health`.
 */
import type { Logger } from "@dhi/core/log";
import type { Component } from "@dhi/core/protocol";
import { withoutCode } from "@dhi/core/request-context";
import { UpstreamError } from "@dhi/core/upstream-error";
import type { Engine, EngineInput, Generated, GenerateOptions, OnText } from "./engine.ts";

export interface AutoOptions {
  readonly ollama: Engine;
  readonly instant: Engine;
  readonly log: Logger;
  /** How often Ollama is asked whether it is (still) there, in milliseconds. */
  readonly recheckMs?: number;
}

export interface AutoEngine {
  /**
   * An engine for one completion. Its `name` and `model` tell, once `generate` is done, which of the two answered.
   */
  forRequest(): Engine;
  close(): void;
}

const RECHECK_MS = 5_000;

export function createAutoEngine({ ollama, instant, log, recheckMs = RECHECK_MS }: AutoOptions): AutoEngine {
  const closing = new AbortController();
  /** Ollama's state as last seen; before that it gets the benefit of the doubt. */
  let seen: Component | undefined;
  let loaded = false;
  const loading: Component = { status: "starting", detail: `loading ${ollama.model}` };
  let checking: Promise<void> | undefined;

  const preferred = () => (seen === undefined || seen.status === "ok" ? ollama : instant);

  function see(component: Component): void {
    const before = seen;
    seen = component;
    if (component.status === before?.status && component.detail === before.detail) return;
    log.info({ engine: preferred().name, model: preferred().model }, withoutCode(describe(component).detail));
  }

  function describe({ status, detail }: Component): Component {
    if (status === "ok") return { status, detail: `ollama: ${detail}` };
    if (status === "starting") return { status, detail: `${detail}; until then instant, without a model` };
    // It answers, and that is what this part is for; the detail says that it could be better.
    return { status: "ok", detail: `instant, without a model (ollama: ${detail})` };
  }

  function check(): Promise<void> {
    checking ??= look().finally(() => {
      checking = undefined;
    });
    return checking;
  }

  async function look(): Promise<void> {
    const component = await ollama.health(closing.signal);
    if (closing.signal.aborted) return;
    if (component.status === "ok" && !loaded) {
      // A model that came (back) takes long to load; until it has, the other one answers at once.
      see(loading);
      await ollama.warmUp(closing.signal);
      if (closing.signal.aborted) return;
      loaded = true;
      see(await ollama.health(closing.signal));
    } else {
      see(component);
    }
    if (seen?.status === "down") loaded = false;
  }

  async function generate(
    input: EngineInput,
    options: GenerateOptions,
    signal: AbortSignal,
    answering: (engine: Engine) => void,
  ): Promise<Generated> {
    const engine = preferred();
    answering(engine);
    if (engine === instant) return instant.generate(input, options, signal);
    let sent = "";
    const startedAt = performance.now();
    let firstTokenMs: number | null = null;
    const onText: OnText = (text, logprobs) => {
      firstTokenMs ??= performance.now() - startedAt;
      sent += text;
      options.onText?.(text, logprobs);
    };
    try {
      return await ollama.generate(input, { ...options, onText }, signal);
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      if (!isOfThisRequest(error)) {
        loaded = false;
        see({ status: "down", detail: error.message.replace(/^ollama: /, "") });
        void check();
      }
      // Text that is with the editor already can't be taken back, but its start is as good as it was.
      if (sent !== "") return cutOff(sent, firstTokenMs);
      answering(instant);
      return instant.generate(input, options, signal);
    }
  }

  const timer = setInterval(() => void check(), recheckMs);
  timer.unref();
  void check();

  return {
    forRequest() {
      let answered: Engine | undefined;
      return {
        get name() {
          return (answered ?? preferred()).name;
        },
        get model() {
          return (answered ?? preferred()).model;
        },
        get readsPrompt() {
          return (answered ?? preferred()).readsPrompt;
        },
        preview: async (request) => instant.preview?.(request),
        generate(input, options, signal) {
          return generate(input, options, signal, (engine) => {
            answered = engine;
          });
        },
        async health(signal) {
          const component = await ollama.health(signal);
          if (component.status === "ok" && !loaded) return describe(loading);
          if (!signal.aborted) see(component);
          return describe(component);
        },
        async warmUp(signal) {
          await Promise.all([instant.warmUp(signal), check()]);
        },
      };
    },
    close() {
      closing.abort();
      clearInterval(timer);
    },
  };
}

/** Another request may be answered: this one was too long, or one too many. */
const isOfThisRequest = ({ status }: UpstreamError) => status === 400 || status === 429;

const cutOff = (text: string, firstTokenMs: number | null): Generated => ({
  text,
  finish: "length",
  interrupted: true,
  usage: { promptTokens: null, cachedTokens: null, completionTokens: null },
  meanLogprob: null,
  confidence: null,
  firstTokenMs,
});
