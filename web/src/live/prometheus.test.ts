import { expect, test } from "vitest";
import { histogramOf, observations, parseMetrics, quantile, since, sumOf } from "./prometheus.ts";

const text = `# HELP dhi_hop_seconds Time of a completion by hop
# TYPE dhi_hop_seconds histogram
dhi_hop_seconds_bucket{le="0.01",hop="total",engine="instant",mode="rag"} 2
dhi_hop_seconds_bucket{le="0.1",hop="total",engine="instant",mode="rag"} 6
dhi_hop_seconds_bucket{le="+Inf",hop="total",engine="instant",mode="rag"} 6
dhi_hop_seconds_bucket{le="0.01",hop="total",engine="ollama",mode="rag"} 0
dhi_hop_seconds_bucket{le="0.1",hop="total",engine="ollama",mode="rag"} 3
dhi_hop_seconds_bucket{le="+Inf",hop="total",engine="ollama",mode="rag"} 4
dhi_hop_seconds_bucket{le="+Inf",hop="queue",engine="ollama",mode="rag"} 4
dhi_failures_total{code="can\\"celled"} 3
process_resident_memory_bytes 1.5e+8
`;
const samples = parseMetrics(text);

test("names, labels and values are read, comments are not", () => {
  expect(samples).toHaveLength(9);
  expect(samples.at(-1)).toEqual({ name: "process_resident_memory_bytes", labels: {}, value: 1.5e8 });
  expect(samples.at(-2)?.labels).toEqual({ code: 'can"celled' });
});

test("samples are summed over the labels that are not asked for", () => {
  expect(sumOf(samples, "dhi_hop_seconds_bucket", { hop: "total", le: "+Inf" })).toBe(10);
  expect(sumOf(samples, "dhi_failures_total")).toBe(3);
  expect(sumOf(samples, "no_such")).toBe(0);
});

test("a histogram is merged over engines, and its quantiles lie within their buckets", () => {
  const total = histogramOf(samples, "dhi_hop_seconds", { hop: "total" });
  expect(total.map(({ count }) => count)).toEqual([2, 9, 10]);
  expect(observations(total)).toBe(10);
  expect(quantile(total, 0.1)).toBeCloseTo(0.005);
  expect(quantile(total, 0.5)).toBeCloseTo(0.01 + 0.09 * (3 / 7));
  // Above the last bound nothing is known.
  expect(quantile(total, 1)).toBe(0.1);
  expect(quantile([], 0.5)).toBeUndefined();
  expect(quantile([{ le: 1, count: 0 }], 0.5)).toBeUndefined();
});

test("what was observed in between is the difference, and all of it after a new start", () => {
  const of = (...counts: number[]) => counts.map((count, i) => ({ le: i, count }));
  expect(since(of(1, 2), of(1, 5))).toEqual(of(0, 3));
  expect(since([], of(1, 5))).toEqual(of(1, 5));
  expect(since(of(7, 9), of(1, 5))).toEqual(of(1, 5));
});
