/** What became of ghost text, from what editors tell: only when the server was told to keep that. */
import type { EventCounts, StatsResponse } from "@dhi/core/events-protocol";
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Figures } from "../parts/figures.tsx";
import { Wide } from "../parts/wide.tsx";
import { ask, ServerProblem } from "../server/ask.ts";
import { poll } from "../server/poll.ts";
import { count, duration, percent } from "../words/format.ts";

const stats = signal<StatsResponse | undefined>(undefined);

/** It grows as fast as somebody types. */
const EVERY_MS = 10_000;

export function Acceptance() {
  useEffect(() => poll(refresh, EVERY_MS), []);
  const now = stats.value;
  return (
    <section class="card">
      <h2>What became of it</h2>
      {now ? <Became {...now} /> : <p class="hint">Asking…</p>}
    </section>
  );
}

function Became(now: StatsResponse) {
  if (!now.stored)
    return (
      <p class="hint">
        Not kept. With <code>DHI_METRICS=on</code> the server keeps counts and times of what was shown and
        accepted, on this machine only and never any code.
      </p>
    );
  return (
    <>
      <Figures
        figures={[
          ["shown", count(now.total.shown)],
          ["accepted", now.total.acceptanceRate === null ? "–" : percent(now.total.acceptanceRate)],
          ...KEPT_AFTER_MS.map((ms) => [`kept ${duration(ms)}`, keptWords(now.total, ms)] as const),
        ]}
      />
      {now.total.shown ? <Groups {...now} /> : null}
      <p class="hint">
        Kept is how much of accepted text was still there that much later. Of the last {now.days} days, on
        this machine only: editors tell counts and times, never code.
      </p>
    </>
  );
}

const KEPT_AFTER_MS = [30_000, 120_000, 300_000, 600_000];

const keptWords = ({ kept }: EventCounts, ms: number): string => {
  const found = kept.find(({ afterMs }) => afterMs === ms);
  return found ? percent(found.kept) : "–";
};

function Groups({ byLanguage, byModel, byMode }: StatsResponse) {
  const groups = [
    ["language", byLanguage],
    ["model", byModel],
    ["mode", byMode],
  ] as const;
  const heads = [
    ...["shown", "accepted", "in part", "rejected"],
    ...KEPT_AFTER_MS.map((ms) => `kept ${duration(ms).replace(" ", "\u00a0")}`),
  ];
  return (
    <Wide label="What became of it, by language, model and mode">
      <table class="log numbers">
        {groups.map(([of, rows]) => (
          <tbody key={of}>
            <tr class="heads">
              <th scope="col">{of}</th>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
            {rows.map(({ name, ...counts }) => (
              <tr key={name}>
                <th scope="row">{name || "unknown"}</th>
                {[counts.shown, counts.accepted, counts.partial, counts.rejected].map((n, i) => (
                  <td key={heads[i]}>{count(n)}</td>
                ))}
                {KEPT_AFTER_MS.map((ms) => (
                  <td key={ms}>{keptWords(counts, ms)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </Wide>
  );
}

async function refresh(signal: AbortSignal): Promise<void> {
  try {
    stats.value = await ask<StatsResponse>("/v1/stats", { signal });
  } catch (error) {
    // The header says when the server is away.
    if (!signal.aborted && !(error instanceof ServerProblem)) throw error;
  }
}
