/** Whether the machines agree on the time: a virtual machine that slept with its host may be hours behind. */
import { type DoctorCheck, ok, warn } from "./check.ts";

/** What is stored and logged is ordered by the time. An answer's own is in whole seconds, and answers take some. */
const MOST_APART_MS = 60_000;

export const clock: DoctorCheck = {
  ...{ id: "clock", title: "Clock" },
  async look({ config: { INDEXER_HOST, CHROMA_HOST, OLLAMA_HOST } }, signal) {
    const hosts = [INDEXER_HOST, CHROMA_HOST, OLLAMA_HOST];
    const told = await Promise.all(hosts.map((url) => aheadOf(url, signal)));
    const known = hosts.flatMap((url, i) => {
      const aheadMs = told[i];
      return aheadMs === undefined ? [] : [{ url, aheadMs }];
    });
    const apart = known.filter(({ aheadMs }) => Math.abs(aheadMs) > MOST_APART_MS);
    if (apart.length > 0)
      return warn(
        apart.map(({ url, aheadMs }) => words(url, aheadMs)).join("; "),
        "sudo timedatectl set-ntp true on both machines; Docker Desktop: restart it",
      );
    return ok(known.length ? "the same everywhere" : "nobody answers to compare it with");
  },
};

/** @returns by how many milliseconds the clock there is ahead of ours; `undefined` when it is not told */
async function aheadOf(url: string, signal: AbortSignal): Promise<number | undefined> {
  const response = await fetch(url, { signal, redirect: "manual" }).catch(() => undefined);
  await response?.body?.cancel().catch(() => {});
  const there = Date.parse(response?.headers.get("date") ?? "");
  return Number.isNaN(there) ? undefined : there - Date.now();
}

const words = (url: string, aheadMs: number): string =>
  `${url} is ${Math.round(Math.abs(aheadMs) / 1_000)} s ${aheadMs > 0 ? "ahead" : "behind"}`;
