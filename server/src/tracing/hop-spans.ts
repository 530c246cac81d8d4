/** A completion's laps → the spans of its trace: names, times and counts, nothing that comes from a file. */
import { languageById } from "@dhi/core/languages";
import type { FimDone } from "@dhi/core/protocol";
import type { Span, Stopwatch } from "../stopwatch.ts";
import type { CompletionEnd } from "./tracing.ts";

export interface HopSpan {
  /**
   * `retrieval`, `prompt`, `queue`, `prefill`, `decode`, `postprocess`; `cached` and `joined` where an earlier call wrote, and
   * `other-call` for the time in which one seemed to write what was wanted.
   */
  readonly name: string;
  /** By `performance.now()`. */
  readonly from: number;
  readonly to: number;
  readonly attributes: Attributes;
  /** Inside of it. */
  readonly parts: readonly HopSpan[];
}

/** There was no other call. */
const NO_TIME_MS = 1;

export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** The engine's time is divided at its first text: before it has read the prompt, from there on it writes. */
export function hopSpans({ spans, startedAt }: Stopwatch, done: FimDone | undefined): HopSpan[] {
  const stages = spans.filter(({ of }) => of === undefined);
  const lastEngine = stages.findLast(({ name }) => name === "engine");
  return stages.flatMap((stage): HopSpan[] => {
    if (stage === lastEngine && done) return engineSpans(stage, startedAt, done);
    if (stage.name === "engine" && stage !== lastEngine)
      return stage.to - stage.from < NO_TIME_MS ? [] : [plain(stage, "other-call")];
    const parts = spans
      .filter(({ of, from, to }) => of === stage.name && from >= stage.from && to <= stage.to)
      .map((part) => plain(part, `${stage.name}.${part.name}`));
    return [{ ...plain(stage), parts }];
  });
}

function engineSpans(engine: Span, startedAt: number, { reuse, usage, timings, finish }: FimDone): HopSpan[] {
  const read = known({
    "dhi.tokens.prompt": usage.promptTokens,
    "dhi.tokens.cached": usage.cachedTokens,
  });
  const written = known({ "dhi.tokens.completion": usage.completionTokens, "dhi.finish": finish });
  if (reuse !== "none") return [{ ...plain(engine, reuse), attributes: written }];
  const firstText = timings.firstToken === null ? engine.to : startedAt + timings.firstToken;
  // Of an answer that is drawn only when it is whole, as an alternative, no first text is told.
  const turn = Math.min(engine.to, Math.max(engine.from, firstText));
  return [
    { name: "prefill", from: engine.from, to: turn, attributes: read, parts: [] },
    { name: "decode", from: turn, to: engine.to, attributes: written, parts: [] },
  ];
}

const plain = ({ name, from, to }: Span, as = name): HopSpan => ({
  ...{ name: as, from, to, attributes: {}, parts: [] },
});

/** What the span of the whole request is told of its completion. A language counts as far as we know it ourselves. */
export const completionAttributes = ({ languageId, done }: CompletionEnd): Attributes =>
  known({
    "dhi.language": languageById(languageId).id,
    "dhi.reason": done?.reason ?? null,
    "dhi.engine": done?.engine ?? null,
    "gen_ai.request.model": done?.model ?? null,
    "dhi.mode": done?.mode ?? null,
    "dhi.format": done?.format ?? null,
    "dhi.step": done?.step ?? null,
    "dhi.reuse": done?.reuse ?? null,
    "dhi.characters": done?.completion.length ?? null,
    "dhi.sources": done?.sources.length ?? null,
  });

function known(values: Readonly<Record<string, string | number | null>>): Attributes {
  const told: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(values)) if (value !== null) told[name] = value;
  return told;
}
