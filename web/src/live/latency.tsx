/** How long completions take, hop by hop, and how that went in the last minutes. */
import { Numbers } from "../parts/numbers.tsx";
import { count, duration } from "../words/format.ts";
import { EVERY_MS, KEPT, type Moment, moments, samples } from "./live-figures.ts";
import { histogramOf, observations, quantile } from "./prometheus.ts";

const HOPS = ["queue", "retrieval", "prompt", "firstToken", "engine", "postprocess", "total"];
const NAMES: Readonly<Record<string, string>> = { firstToken: "first text", postprocess: "post-process" };

export function Latency() {
  const now = samples.value;
  const rows = HOPS.map((hop) => {
    const histogram = histogramOf(now ?? [], "dhi_hop_seconds", { hop });
    const ms = (share: number) => (quantile(histogram, share) ?? 0) * 1_000;
    return { hop, n: observations(histogram), p50: ms(0.5), p95: ms(0.95), p99: ms(0.99) };
  });
  const longest = Math.max(...rows.map(({ p95 }) => p95));
  return (
    <section class="card">
      <h2>Time of a completion</h2>
      {rows.some(({ n }) => n > 0) ? (
        <Numbers
          heads={["hop", "half within", "95 % within", "99 % within", "measured"]}
          rows={rows.map(({ hop, n, p50, p95, p99 }) => ({
            name: NAMES[hop] ?? hop,
            cells: [...[p50, p95, p99].map((ms) => (n ? duration(ms) : "–")), count(n)],
            share: longest ? p95 / longest : 0,
          }))}
        />
      ) : (
        <p class="hint">Nothing was completed yet.</p>
      )}
      <Minutes moments={moments.value} />
    </section>
  );
}

const HEIGHT = 48;

function Minutes({ moments: shown }: { readonly moments: readonly Moment[] }) {
  const highest = Math.max(...shown.map(({ medianMs = 0 }) => medianMs), 1);
  const asked = shown.reduce((sum, { requests }) => sum + requests, 0);
  const minutes = Math.max(1, Math.round((shown.length * EVERY_MS) / 60_000));
  const words = `${count(asked)} completions in the last ${minutes === 1 ? "minute" : `${minutes} minutes`}`;
  return (
    <figure class="minutes">
      <figcaption class="hint">
        {words}
        {asked ? `; the slowest moment took ${duration(highest)} (median of ${EVERY_MS / 1_000} s)` : ""}
      </figcaption>
      <svg viewBox={`0 0 ${KEPT * 4} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={words}>
        {shown.map(({ medianMs }, i) => {
          const height = medianMs === undefined ? 0 : Math.max(2, (medianMs / highest) * HEIGHT);
          const x = (KEPT - shown.length + i) * 4;
          return <rect key={i} x={x} y={HEIGHT - height} width={3} height={height} />;
        })}
      </svg>
    </figure>
  );
}
