/** What an engine wrote, as an answer to the request: what of it is shown, how sure the model was of that, and who it was. */
import type { FimDone, FimRequest } from "@dhi/core/protocol";
import type { Call } from "./call.ts";
import { type Lines, linesOf } from "./generation/lines.ts";
import type { Written } from "./generation/writer.ts";
import { type Postprocessed, postprocess } from "./postprocess/postprocess.ts";
import type { StepContext } from "./postprocess/step.ts";
import { type FimFormat, leaksOf } from "./prompt/fim-format.ts";

export interface ReadingDeps {
  readonly format: FimFormat;
  /** Of the model's profile, in nats: a completion below it is not shown. */
  readonly minMeanLogprob?: number | undefined;
}

export interface Reading {
  /** Whether what more the engine writes would not be shown. */
  readonly enough: Lines["enough"];
  readonly judge: (written: Written<Call>) => Postprocessed;
  readonly describe: (written: Written<Call>) => Writing;
}

/** Of an answer: who wrote it, and what the engine said of it. */
export type Writing = Pick<
  FimDone,
  "engine" | "model" | "reuse" | "finish" | "confidence" | "usage" | "meanLogprob"
>;

export function readingOf(request: FimRequest, { format, minMeanLogprob }: ReadingDeps): Reading {
  const lines = linesOf(request);
  const stop = leaksOf(format);
  /** By how much of a text is shown. What post-processing reads around the cursor, it reads once for each of them. */
  const requests = new Map<object, StepContext["request"]>();

  function requestFor(written: Written<Call>): StepContext["request"] {
    const shown = lines.shown(written);
    const known = requests.get(shown) ?? { ...request, ...shown };
    requests.set(shown, known);
    return known;
  }

  /** Of what is shown: a model that is sure of a line may be less so of those that it would have written behind. */
  const sureness = (written: Written<Call>) =>
    written.meanLogprob(lines.lengthOf(written)) ?? written.generated?.meanLogprob ?? null;

  /** A line that has just been drawn is mostly all there is. */
  let last:
    | { readonly text: string; readonly meanLogprob: number | null; readonly shown: Postprocessed }
    | undefined;

  function judge(written: Written<Call>): Postprocessed {
    const { text, about } = written;
    const meanLogprob = sureness(written);
    if (last?.text === text && last.meanLogprob === meanLogprob) return last.shown;
    const shown = postprocess(text, {
      ...{ request: requestFor(written), stop, minMeanLogprob, meanLogprob },
      promptPaths: [request.path, ...about.sources.map(({ path }) => path)],
    });
    last = { text, meanLogprob, shown };
    return shown;
  }

  return {
    ...{ enough: lines.enough, judge },
    describe(written) {
      const { about, generated, reuse } = written;
      // It says nothing when the text was enough before its end.
      return {
        ...{ engine: about.engine.name, model: about.engine.model, reuse },
        ...{ finish: generated?.finish ?? "stop", confidence: generated?.confidence ?? null },
        usage: generated?.usage ?? { promptTokens: null, cachedTokens: null, completionTokens: null },
        meanLogprob: sureness(written),
      };
    },
  };
}
