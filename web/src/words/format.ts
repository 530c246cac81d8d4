/** Numbers and times as people read them. */

const grouped = new Intl.NumberFormat("en");

export const count = (n: number): string => grouped.format(n);

/** Two digits that matter, no more: `0.4 ms`, `12 ms`, `1.3 s`, `30 s`, `2 min`. */
export function duration(ms: number): string {
  if (ms < 1) return ms === 0 ? "0 ms" : `${Math.max(ms, 0.1).toFixed(1)} ms`;
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < 60_000) return `${Math.round(ms / 1_000)} s`;
  if (ms < 3_600_000) return `${Math.round(ms / 60_000)} min`;
  return `${(ms / 3_600_000).toFixed(1)} h`;
}

/** `now`, `12 s ago`, `3 min ago`; from a day on the date. */
export function ago(iso: string, now = Date.now()): string {
  const ms = now - Date.parse(iso);
  if (ms < 2_000) return "now";
  if (ms < 60_000) return `${Math.round(ms / 1_000)} s ago`;
  if (ms < 86_400_000) return `${duration(ms)} ago`;
  return iso.slice(0, 10);
}

export function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const units = ["kB", "MB", "GB", "TB"];
  const power = Math.min(Math.floor(Math.log10(bytes) / 3), units.length);
  const value = bytes / 1_000 ** power;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[power - 1]}`;
}

export const percent = (share: number): string =>
  share > 0 && share < 0.1 ? `${(share * 100).toFixed(1)} %` : `${Math.round(share * 100)} %`;

/** @returns one word or the other, the number in front: `1 file`, `3 files` */
export const many = (n: number, word: string, plural = `${word}s`): string =>
  `${count(n)} ${n === 1 ? word : plural}`;

/** So many a second: `0.4`, `12`, `1,340`. */
export const rate = (perSecond: number): string =>
  perSecond < 10 ? perSecond.toFixed(1) : count(Math.round(perSecond));
