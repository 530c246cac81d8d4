/** What became of ghost text, from what editors tell: only when the server was told to keep that. */
import type { EventCounts, StatsResponse } from "@dhi/core/events-protocol";
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Numbers } from "../parts/numbers.tsx";
import { ask, ServerProblem } from "../server/ask.ts";
import { poll } from "../server/poll.ts";
import { count, duration, percent } from "../words/format.ts";

const stats = signal<StatsResponse | undefined>(undefined);

/** It grows as fast as somebody types. */
const EVERY_MS = 10_000;

export function Acceptance() {
  useEffect(() => poll(refresh, EVERY_MS), []);
  const now = stats.value;
  if (!now) return null;
  return (
    <section class="card">
      <h2>What became of it</h2>
      {now.stored ? (
        <>
          <Kept total={now.total} />
          {(
            [
              ["language", now.byLanguage],
              ["model", now.byModel],
              ["mode", now.byMode],
            ] as const
          ).map(([of, groups]) => (groups.length ? <Groups key={of} of={of} groups={groups} /> : null))}
          <p class="hint">
            Of the last {now.days} days, on this machine only. Editors tell counts and times, never code.
          </p>
        </>
      ) : (
        <p class="hint">
          Not kept. With <code>DHI_METRICS=on</code> the server keeps counts and times of what was shown and
          accepted, on this machine only and never any code.
        </p>
      )}
    </section>
  );
}

function Kept({ total }: { readonly total: EventCounts }) {
  return (
    <ul class="figures">
      <li>
        <b>{count(total.shown)}</b> <span>shown</span>
      </li>
      <li>
        <b>{total.acceptanceRate === null ? "–" : percent(total.acceptanceRate)}</b> <span>accepted</span>
      </li>
      {total.kept.map(({ afterMs, kept }) => (
        <li key={afterMs}>
          <b>{percent(kept)}</b> <span>kept after {duration(afterMs)}</span>
        </li>
      ))}
    </ul>
  );
}

interface GroupsProps {
  readonly of: string;
  readonly groups: StatsResponse["byLanguage"];
}

function Groups({ of, groups }: GroupsProps) {
  return (
    <Numbers
      heads={[of, "shown", "accepted", "in part", "rejected"]}
      rows={groups.map(({ name, shown, accepted, partial, rejected }) => ({
        name: name || "unknown",
        cells: [shown, accepted, partial, rejected].map(count),
      }))}
    />
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
