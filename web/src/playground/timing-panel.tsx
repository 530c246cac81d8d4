/** Where the time of the last answer went, from the last key to the text. */
import { Facts } from "../parts/facts.tsx";
import { count, duration, many } from "../words/format.ts";
import { NothingYet } from "./inspector.tsx";
import { outcome } from "./playground-state.ts";
import { promptAnswer } from "./prompt-answer.ts";
import { type Bar, waterfall } from "./waterfall-bars.ts";

export function TimingPanel() {
  const last = outcome.value;
  if (last?.kind !== "answered") return <NothingYet />;
  const { answer, ms, debounceMs } = last;
  const { bars, totalMs, firstTextMs } = waterfall(answer.timings, debounceMs, ms);
  const legs = promptAnswer.value?.of === last ? promptAnswer.value.prompt.timings.legs : [];
  const { promptTokens, cachedTokens, completionTokens } = answer.usage;
  return (
    <>
      <p class="lead">
        {duration(totalMs)} from the last key to the answer
        {firstTextMs === null ? (
          "."
        ) : (
          <>
            ; its first text after {duration(firstTextMs)} <i class="first-text" aria-hidden="true" />.
          </>
        )}
      </p>
      <ol
        class="waterfall"
        {...(firstTextMs !== null && totalMs > 0 && { style: { "--first-text": firstTextMs / totalMs } })}
      >
        {bars.map((bar) => (
          <BarItem key={bar.stage} bar={bar} totalMs={totalMs} />
        ))}
      </ol>
      {legs.length ? (
        <>
          <h3>Retrieval by leg</h3>
          <p class="hint">They run side by side; measured by asking again what this request asked.</p>
          <ol class="waterfall">
            {legs.map(({ leg, ms: took }) => (
              <BarItem
                key={leg}
                bar={{ stage: leg, means: "", startMs: 0, ms: took }}
                totalMs={Math.max(...legs.map((other) => other.ms))}
              />
            ))}
          </ol>
        </>
      ) : null}
      <Facts
        facts={[
          ["engine", `${answer.engine} · ${answer.model}`],
          ["mode", answer.mode],
          ["ended by", answer.finish],
          [
            "text from",
            { none: "this request", cached: "an earlier one", joined: "one still going on" }[answer.reuse],
          ],
          ["prompt", promptTokens === null ? "–" : many(promptTokens, "token")],
          ["of that cached", cachedTokens === null ? "–" : count(cachedTokens)],
          ["written", completionTokens === null ? "–" : many(completionTokens, "token")],
          [
            "sureness",
            answer.meanLogprob === null ? "–" : `${Math.exp(answer.meanLogprob).toFixed(2)} per token`,
          ],
        ]}
      />
    </>
  );
}

function BarItem({
  bar: { stage, means, startMs, ms },
  totalMs,
}: {
  readonly bar: Bar;
  readonly totalMs: number;
}) {
  const share = (part: number) => (totalMs ? part / totalMs : 0);
  return (
    <li title={means}>
      <span class="name">{stage}</span>
      <span class="track" aria-hidden="true">
        <span class="fill" data-stage={stage} style={{ "--start": share(startMs), "--share": share(ms) }} />
      </span>
      <span class="number">{duration(ms)}</span>
    </li>
  );
}
