/** The tier without a model as an engine: it reads the request, not the prompt, and says nothing rather than guess. */
import type { FimRequest } from "@dhi/core/protocol";
import type { Engine, Generated, GenerateOptions } from "../engines/engine.ts";
import type { InstantIndex } from "./instant-index.ts";
import type { PredictedLine } from "./predict-line.ts";
import { isAtLineEnd } from "./right-of-cursor.ts";
import { suggestionOf } from "./suggestion.ts";

/** What is known of the code, of one workspace or of several. */
export interface InstantKnowledge extends Pick<InstantIndex, "refresh" | "status"> {
  predict(at: CursorIn, limits: Parameters<InstantIndex["predict"]>[1]): ReturnType<InstantIndex["predict"]>;
}

type CursorIn = Pick<FimRequest, "workspace" | "path" | "prefix" | "suffix">;

export interface InstantEngineOptions {
  readonly index: InstantKnowledge;
  /** Least confidence of what is shown, 0 to 1: where nothing else answers, and where a model is going to. */
  readonly threshold?: number;
  readonly previewThreshold?: number;
}

/**
 * Where nothing else answers. On replayed versions of packages about 80 % of what passed it was right (`docs/bench/instant.md`);
 * below, wrong suggestions grow faster than saved keystrokes.
 */
const WITHOUT_MODEL = 0.7;
/** What a model takes the place of was shown for nothing: about 90 % is right. */
const BEFORE_MODEL = 0.85;
/** No line that is so sure is longer. */
const PREVIEW = { stop: ["\n"], maxTokens: 64 } as const;

/** As answers name it. */
export const INSTANT = { name: "instant", model: "n-gram" } as const;

export function createInstantEngine({
  index,
  threshold = WITHOUT_MODEL,
  previewThreshold = BEFORE_MODEL,
}: InstantEngineOptions): Engine {
  /** @returns `undefined` for nothing to show */
  async function suggest(
    { workspace, path, prefix, suffix }: CursorIn,
    options: Pick<GenerateOptions, "stop" | "maxTokens">,
    threshold: number,
  ): Promise<{ readonly text: string; readonly line: PredictedLine } | undefined> {
    if (!isAtLineEnd(suffix)) return undefined;
    const line = await index.predict(
      { workspace, path, prefix, suffix },
      { threshold, maxTokens: options.maxTokens },
    );
    const text = suggestionOf(beforeStop(line.text, options), prefix, suffix);
    return text === "" ? undefined : { text, line };
  }

  return {
    ...INSTANT,
    readsPrompt: false,

    async preview(request) {
      const found = await suggest(request, PREVIEW, previewThreshold);
      return found && { preview: found.text, confidence: found.line.confidence };
    },

    async generate({ request }, options, signal) {
      signal.throwIfAborted();
      const startedAt = performance.now();
      const found = await suggest(request, options, threshold);
      signal.throwIfAborted();
      if (!found) return SILENCE;
      const { text, line } = found;
      options.onText?.(text);
      signal.throwIfAborted();
      return {
        text,
        finish: line.cut && text === line.text ? "length" : "stop",
        usage: { promptTokens: null, cachedTokens: null, completionTokens: line.tokens },
        meanLogprob: null,
        confidence: line.confidence,
        firstTokenMs: performance.now() - startedAt,
      };
    },

    async health() {
      const { state, files, tokens } = index.status();
      return state === "empty"
        ? { status: "ok", detail: "no index yet, completes from the open file alone" }
        : {
            status: "ok",
            detail: `${files} files, ${tokens} tokens${state === "building" ? ", still reading" : ""}`,
          };
    },

    async warmUp() {
      await index.refresh();
    },
  };
}

const SILENCE: Generated = {
  text: "",
  finish: "none",
  usage: { promptTokens: null, cachedTokens: null, completionTokens: 0 },
  meanLogprob: null,
  confidence: null,
  firstTokenMs: null,
};

function beforeStop(text: string, { stop }: Pick<GenerateOptions, "stop">): string {
  const ends = stop.map((s) => text.indexOf(s)).filter((at) => at >= 0);
  return ends.length > 0 ? text.slice(0, Math.min(...ends)) : text;
}
