/** What a process takes, as the system counts it. Linux only: elsewhere everything is 0. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { sum } from "./figures.ts";

/** Resident memory of a process and of all that it started, in MiB. */
export function residentMb(pid: number): number {
  const kib = treeOf(pid).map((each) =>
    Number(/^VmRSS:\s*(\d+) kB/m.exec(readProc(each, "status"))?.[1] ?? 0),
  );
  return Math.round(sum(kib) / 1024);
}

/** The process and its descendants. */
function treeOf(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of existsSync("/proc") ? readdirSync("/proc") : []) {
    if (!/^\d+$/.test(name)) continue;
    const parent = Number(statOf(Number(name))[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const tree = [pid];
  for (const each of tree) tree.push(...(children.get(each) ?? []));
  return tree;
}

/** Seconds of processor time that the process has used, its threads included. */
export function cpuSeconds(pid: number): number {
  // User and system time, in hundredths.
  const [, , , , , , , , , , , user = 0, system = 0] = statOf(pid).map(Number);
  return (user + system) / 100;
}

/** Fields after the command, which may hold anything: state, parent, … */
function statOf(pid: number): string[] {
  const stat = readProc(pid, "stat");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** Empty for a process that is gone. */
function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
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
