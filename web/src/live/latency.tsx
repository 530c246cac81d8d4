/** How long completions take, hop by hop, and how that went in the last minutes. */
import { Numbers } from "../parts/numbers.tsx";
import { count, duration } from "../words/format.ts";
import { hopWords } from "./hop-words.ts";
import { hops, samples } from "./live-figures.ts";
import { OverTime } from "./over-time.tsx";
import { histogramOf, observations, quantile } from "./prometheus.ts";

export function Latency() {
  const now = samples.value;
  const rows = hops.map((hop) => {
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
            name: hopWords(hop),
            cells: [...[p50, p95, p99].map((ms) => (n ? duration(ms) : "–")), count(n)],
            share: longest ? p95 / longest : 0,
          }))}
        />
      ) : (
        <p class="hint">{now ? "Nothing was completed yet." : "Asking…"}</p>
      )}
      <OverTime />
    </section>
  );
}
