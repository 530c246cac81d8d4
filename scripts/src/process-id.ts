/** A process that is surely the one meant: a number alone may belong to a stranger by now. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

export interface ProcessId {
  readonly pid: number;
  /** When it started, in the system's own words; with the pid it is never reused. Empty where the system does not tell. */
  readonly started: string;
}

export const identify = (pid: number): ProcessId => ({ pid, started: startOf(pid) ?? "" });

/** Also false when the system does not tell when a process started: then no process is surely the one meant. */
export const isAlive = ({ pid, started }: ProcessId): boolean => started !== "" && startOf(pid) === started;

/**
 * Ends the process and returns when it is gone.
 *
 * @param graceMs how long it may take over SIGTERM before SIGKILL; 0 for one that ignores SIGTERM
 */
export async function end(process: ProcessId, graceMs: number): Promise<void> {
  if (graceMs > 0) {
    signal(process, "SIGTERM");
    if (await isGoneWithin(process, graceMs)) return;
  }
  signal(process, "SIGKILL");
  await isGoneWithin(process, 5000);
}

function signal(target: ProcessId, name: NodeJS.Signals): void {
  if (!isAlive(target)) return;
  try {
    process.kill(target.pid, name);
  } catch {
    // It ended by itself just now.
  }
}

async function isGoneWithin(target: ProcessId, ms: number): Promise<boolean> {
  for (const deadline = Date.now() + ms; Date.now() < deadline; await sleep(50)) {
    if (!isAlive(target)) return true;
  }
  return !isAlive(target);
}

function startOf(pid: number): string | undefined {
  try {
    if (process.platform === "linux") return startOnLinux(pid);
    if (process.platform === "win32") return undefined;
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim() || undefined;
  } catch {
    return undefined;
  }
}

function startOnLinux(pid: number): string | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // Fields after the command, which stands in parentheses and may hold anything: state is the 1st, start time the 20th.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // A zombie has ended; only its parent has not looked yet.
  if (state === "Z") return undefined;
  // Ticks since boot, so the boot belongs to it.
  return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}:${fields[18]}`;
}
