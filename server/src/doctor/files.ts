/** Whether the workspace lies where the settings say, and the index knows its files as they are. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { blobId } from "@dhi/core/index-db";
import { describeError } from "@dhi/core/upstream-error";
import type { Workspace } from "../workspace.ts";
import { type DoctorCheck, type Finding, fail, ok, warn, worstOf } from "./check.ts";

export const workspace: DoctorCheck = {
  ...{ id: "workspace", title: "Workspace" },
  async look({ workspaces, inCompose }) {
    return worstOf(await Promise.all(workspaces.map(({ path }) => isThere(path, inCompose))));
  },
};

async function isThere(path: string, inCompose: boolean): Promise<Finding> {
  const fix = inCompose
    ? "set WORKSPACE in .env to the folder on the host, then docker compose up -d; several: docker-compose.workspaces.yml"
    : "npm start -- --workspace DIR";
  try {
    const names = await readdir(path);
    return names.length ? ok(path) : warn(`${path} is empty here`, fix);
  } catch (error) {
    return fail(`${path} cannot be read here (${describeError(error)})`, fix);
  }
}

/** Enough to notice a watcher that hears nothing, and read in milliseconds. */
const SAMPLE = 40;

export const freshness: DoctorCheck = {
  ...{ id: "index", title: "Index" },
  async look({ workspaces }, signal) {
    return worstOf(await Promise.all(workspaces.map((one) => isFresh(one, signal))));
  },
};

async function isFresh({ name, path, index }: Workspace, signal: AbortSignal): Promise<Finding> {
  const db = index.get();
  if (!db) return fail(`${name} has no index yet`, "dhi index");
  const files = db
    .prepare<[number], { path: string; blob: string }>(
      `SELECT files.path, blobs.blob FROM files JOIN blobs ON blobs.id = files.blob_id ORDER BY random() LIMIT ?`,
    )
    .all(SAMPLE);
  if (files.length === 0) return warn(`${name}: no file is indexed`, "dhi explain .");
  const differ: string[] = [];
  for (const file of files) {
    signal.throwIfAborted();
    const content = await readFile(join(path, file.path)).catch(() => undefined);
    if (!content || !isBlob(content, file.blob)) differ.push(file.path);
  }
  if (differ.length === 0)
    return ok(`${name}: ${files.length} of ${files.length} files as they are on the disk`);
  const words = `${name}: ${differ.length} of ${files.length} files differ from the disk, such as ${differ[0]}`;
  return warn(words, "dhi index");
}

/** Git may have written the file with line ends of this system. */
const isBlob = (content: Buffer, blob: string): boolean =>
  blobId(content) === blob ||
  blobId(Buffer.from(content.toString("latin1").replaceAll("\r\n", "\n"), "latin1")) === blob;

/** A handle per folder, and editors need some as well. */
const ROOM = 2;

export const watcher: DoctorCheck = {
  ...{ id: "watcher", title: "File watcher" },
  async look({ config, workspaces }) {
    if (config.WATCH_POLLING) return ok("asks the file system again and again (WATCH_POLLING)");
    const limit = Number(
      await readFile("/proc/sys/fs/inotify/max_user_watches", "utf8").catch(() => Number.NaN),
    );
    if (Number.isNaN(limit)) return ok("this system sets no limit on watched folders");
    const folders = workspaces.reduce((sum, { index }) => sum + foldersOf(index.get()), 0);
    return roomToWatch(folders, limit);
  },
};

export function roomToWatch(folders: number, limit: number): Finding {
  const detail = `${folders} folders to watch, ${limit} may be (fs.inotify.max_user_watches)`;
  const fix = "sudo sysctl fs.inotify.max_user_watches=524288, or WATCH_POLLING=true";
  if (folders > limit) return fail(`${detail}: changes are found late`, fix);
  return folders * ROOM > limit ? warn(detail, fix) : ok(detail);
}

function foldersOf(db: ReturnType<Workspace["index"]["get"]>): number {
  const paths = db?.prepare<[], { path: string }>("SELECT path FROM files").all() ?? [];
  const folders = new Set<string>([""]);
  for (const { path } of paths)
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const folder = path.slice(0, at);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  return folders.size;
}
