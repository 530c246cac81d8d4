/** Who listens at a port of this machine, as far as this user may know. */
import { execFile } from "node:child_process";
import { readdir, readFile, readlink } from "node:fs/promises";
import { promisify } from "node:util";

export interface Listener {
  /** `undefined` for another user's process, which only root may know. */
  readonly pid: number | undefined;
  /** Its program, without a path; `undefined` as the above. */
  readonly program: string | undefined;
}

/** @returns each process once; none where nobody listens, or where this system does not tell */
export async function listenersOf(port: number, signal: AbortSignal): Promise<Listener[]> {
  const tables = await Promise.all(
    ["tcp", "tcp6"].map((name) => readFile(`/proc/net/${name}`, "utf8").catch(() => "")),
  );
  if (tables.every((table) => table === "")) return fromLsof(port, signal);
  const sockets = tables.flatMap((table) => socketsIn(table, port));
  if (sockets.length === 0) return [];
  const holders = await holdersOf(new Set(sockets), signal);
  return holders.length ? holders : [{ pid: undefined, program: undefined }];
}

export const wordsFor = ({ pid, program }: Listener): string =>
  pid === undefined ? "another user's process" : `${program ?? "a process"} (pid ${pid})`;

const LISTENING = "0A";

/** @param table of Linux: a header, then `sl local_address rem_address st … inode`, numbers in hex @returns inodes */
function socketsIn(table: string, port: number): string[] {
  return table
    .split("\n")
    .slice(1)
    .flatMap((line) => {
      const fields = line.trim().split(/\s+/);
      const [, local = "", , state] = fields;
      const inode = fields[9];
      const isIts = state === LISTENING && Number.parseInt(local.split(":").at(-1) ?? "", 16) === port;
      return isIts && inode !== undefined ? [inode] : [];
    });
}

/** This process first, since the port is mostly its own; who is found last may be the last of hundreds. */
async function holdersOf(sockets: ReadonlySet<string>, signal: AbortSignal): Promise<Listener[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const wanted = new Set(sockets);
  const found: Listener[] = [];
  for (const pid of [String(process.pid), ...pids]) {
    if (wanted.size === 0) break;
    signal.throwIfAborted();
    const held = await heldBy(pid, sockets);
    if (held.length === 0) continue;
    for (const socket of held) wanted.delete(socket);
    const program = (await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "")).trim() || undefined;
    found.push({ pid: Number(pid), program });
  }
  return found;
}

async function heldBy(pid: string, sockets: ReadonlySet<string>): Promise<string[]> {
  const folder = `/proc/${pid}/fd`;
  // None of another user's, or of one that has ended.
  const files = await readdir(folder).catch(() => []);
  const targets = await Promise.all(files.map((file) => readlink(`${folder}/${file}`).catch(() => "")));
  return targets
    .map((target) => target.replace(/^socket:\[(\d+)\]$/, "$1"))
    .filter((inode) => sockets.has(inode));
}

/** Systems without `/proc` have it. */
async function fromLsof(port: number, signal: AbortSignal): Promise<Listener[]> {
  const args = ["-nP", `-iTCP:${port}`, "-sTCP:LISTEN", "-Fpc"];
  const { stdout } = await promisify(execFile)("lsof", args, { signal }).catch(() => ({ stdout: "" }));
  return Array.from(stdout.matchAll(/^p(\d+)\nc(.+)$/gm), ([, pid, program]) => ({
    pid: Number(pid),
    program,
  }));
}
