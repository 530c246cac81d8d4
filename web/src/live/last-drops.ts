/** Drops that follow each other for the same reason in the same file are one line. */
import type { StatusResponse } from "@dhi/core/protocol";

type Drop = StatusResponse["lastDrops"][number];

export interface Drops extends Drop {
  readonly times: number;
}

/** @param drops the latest first @returns each with the time of its latest */
export function together(drops: readonly Drop[]): Drops[] {
  const lines: Drops[] = [];
  for (const drop of drops) {
    const last = lines.at(-1);
    if (last?.path === drop.path && last.reason === drop.reason)
      lines[lines.length - 1] = { ...last, times: last.times + 1 };
    else lines.push({ ...drop, times: 1 });
  }
  return lines;
}
