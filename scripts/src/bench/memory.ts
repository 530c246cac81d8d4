/** What a process takes, as the system counts it. Linux only: elsewhere everything is 0. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

export interface Memory {
  /** Resident now, in MiB. */
  readonly rssMb: number;
  /** The most it ever was. */
  readonly peakMb: number;
}

export function memoryOf(pid: number): Memory {
  const file = `/proc/${pid}/status`;
  const status = existsSync(file) ? readFileSync(file, "utf8") : "";
  const field = (name: string) =>
    Math.round(Number(new RegExp(`^${name}:\\s*(\\d+) kB`, "m").exec(status)?.[1] ?? 0) / 1024);
  return { rssMb: field("VmRSS"), peakMb: field("VmHWM") };
}

/** Seconds of processor time that the process has used, its threads included. */
export function cpuSeconds(pid: number): number {
  const file = `/proc/${pid}/stat`;
  const stat = existsSync(file) ? readFileSync(file, "utf8") : "";
  // Fields after the command, which may hold anything: user and system time are the 12th and 13th, in hundredths.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100;
}

/** Size of all files beneath a folder, or of the one file, in MiB. */
export function diskMb(path: string): number {
  let bytes = 0;
  const open = [path];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    // What is deleted while we look takes nothing.
    const stat = statSync(next, { throwIfNoEntry: false });
    if (stat?.isDirectory()) for (const name of readdirSync(next)) open.push(join(next, name));
    else bytes += stat?.size ?? 0;
  }
  return Math.round((bytes / 1024 / 1024) * 10) / 10;
}
