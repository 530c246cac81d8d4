/**
 * File system and git events → batches of changed paths. Only folders are watched, one handle each however many files they hold: the
 * system tells which name in a folder changed, and the sync that follows looks at it.
 */
import { lstatSync, type Stats } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import type { Logger } from "@dhi/core/log";
import { type FSWatcher, watch } from "chokidar";
import { type Changes, createBatch } from "./batch.ts";
import { TOOL_FOLDERS } from "./walk-folder.ts";
import { DHI_IGNORE } from "./work-tree.ts";

export interface WatcherOptions {
  /** Real path. */
  readonly root: string;
  /** Where `HEAD` and `index` are; `undefined` without git. */
  readonly gitDir: string | undefined;
  readonly stateFolder: string | undefined;
  readonly ignoredFolders: readonly string[];
  /** Asks the file system repeatedly, for mounts that send no events. */
  readonly polling: boolean;
  readonly onChanges: (changes: Changes) => void;
  /** Git is moving files: changes wait until it has moved them all. */
  readonly isHeld: () => boolean;
  /** See BatchOptions. */
  readonly onHeld?: (paths: readonly string[]) => void;
  /** Events are being lost (too many folders for the system's limit, say); called once. */
  readonly onBlind: () => void;
  /**
   * A folder was removed and made again between two looks, or took another's place: handles below it hear nothing. Only
   * watching anew helps, because chokidar goes by names and keeps one handle for each in the whole process.
   */
  readonly onReplaced: () => void;
  readonly log: Pick<Logger, "warn">;
}

export interface Watcher {
  /** Replaces the ignored folders: those are left, others are entered. */
  setIgnored(folders: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

const POLL_EVERY_MS = 1_000;

/** @returns when every folder is being watched */
export async function watchTree(options: WatcherOptions): Promise<Watcher> {
  const { root, gitDir, polling, log } = options;
  let ignored = new Set(options.ignoredFolders);
  const batch = createBatch(options);
  let blind = false;
  const onError = (error: unknown) => {
    if (blind) return;
    blind = true;
    log.warn(
      `file events are incomplete (${error instanceof Error ? error.message : error}), comparing instead`,
    );
    options.onBlind();
  };

  const toPath = (file: string) => relative(root, file).split(sep).join("/");
  let ready = false;
  const allowed = new Set<string>();
  const heldBack = new Set<string>();
  const isIgnoredFolder = (file: string) => {
    const path = toPath(file);
    const name = basename(path);
    if (name === ".git" || path === options.stateFolder || ignored.has(path)) return true;
    if (!TOOL_FOLDERS.has(name)) return false;
    if (gitDir === undefined) return true;
    if (!ready || allowed.has(path)) return false;
    // `npm install` makes thousands of folders before git can be asked whether they count.
    heldBack.add(path);
    batch.add(path, false, true);
    return true;
  };

  const identities = new Map<string, string | undefined>();
  const isLeftOut = (folder: string) => {
    const leftOut = isIgnoredFolder(folder);
    if (!leftOut && !identities.has(folder)) identities.set(folder, folderIdentity(folder));
    return leftOut;
  };
  const isReplaced = (file: string) => {
    const now = identities.has(file) ? folderIdentity(file) : undefined;
    return now !== undefined && now !== identities.get(file);
  };

  const onPath = (file: string, isNewFolder: boolean) => {
    const path = toPath(file);
    const name = basename(path);
    batch.add(path, path === "" || RULE_NAMES.has(name), isNewFolder);
    // Polling goes by names alone.
    if (!polling && isReplaced(file)) options.onReplaced();
  };
  const tree = follow(root, { polling, ignored: isLeftOut, onError }, onPath);
  /** Folders that were ignored at first. */
  const entered = new Map<string, FSWatcher>();
  let closed = false;
  const git =
    gitDir === undefined
      ? undefined
      : follow(gitDir, { polling, ignored: () => true, onError }, (file) => {
          if (GIT_MOVES.has(basename(file))) batch.add("", true, false);
        });
  await Promise.all([whenReady(tree), git && whenReady(git)]);
  ready = true;

  async function enter(folder: string): Promise<void> {
    if (closed || entered.has(folder)) return;
    const watcher = follow(join(root, folder), { polling, ignored: isLeftOut, onError }, onPath);
    entered.set(folder, watcher);
    await whenReady(watcher);
    // What changed before it was watched.
    if (!closed) batch.add(folder, false, false);
  }

  return {
    async setIgnored(folders) {
      const before = ignored;
      ignored = new Set(folders);
      tree.unwatch(folders.filter((f) => !before.has(f)).map((f) => join(root, f)));
      for (const folder of folders) {
        await entered.get(folder)?.close();
        entered.delete(folder);
      }
      const open = [...before, ...heldBack].filter((f) => !ignored.has(f));
      heldBack.clear();
      for (const folder of open) allowed.add(folder);
      await Promise.all(open.map(enter));
    },
    async close() {
      closed = true;
      batch.close();
      await Promise.all([tree, git, ...entered.values()].map((watcher) => watcher?.close()));
    },
  };
}

/** @returns the same as long as it is the same folder; `undefined` when there is none that can be looked at */
export function folderIdentity(folder: string): string | undefined {
  try {
    const stat = lstatSync(folder, { throwIfNoEntry: false });
    // The number alone is soon given to the next folder that is made.
    return stat?.isDirectory() ? `${stat.ino} ${stat.birthtimeMs}` : undefined;
  } catch {
    return undefined;
  }
}

const whenReady = (watcher: FSWatcher) => new Promise<void>((done) => watcher.once("ready", done));

/** What counts in the tree hangs on them. */
const RULE_NAMES: ReadonlySet<string> = new Set([".git", ".gitignore", ".gitattributes", DHI_IGNORE]);

/** Git replaces these when it moves the work tree or what it tracks. */
const GIT_MOVES: ReadonlySet<string> = new Set(["HEAD", "index"]);

interface FollowOptions {
  readonly polling: boolean;
  /** Asked for folders only. */
  readonly ignored: (folder: string) => boolean;
  readonly onError: (error: unknown) => void;
}

function follow(
  folder: string,
  { polling, ignored, onError }: FollowOptions,
  onPath: (file: string, isNewFolder: boolean) => void,
): FSWatcher {
  const watcher = watch(folder, {
    ignoreInitial: true,
    followSymlinks: false,
    usePolling: polling,
    interval: POLL_EVERY_MS,
    binaryInterval: POLL_EVERY_MS,
    ignored: (path: string, stat?: Stats) => {
      if (!stat) return false;
      // Polling has no folder events that would name a file.
      return stat.isDirectory() ? path !== folder && ignored(path) : !polling;
    },
  });
  watcher.on("error", onError);
  watcher.on("all", (event, path) => onPath(path, event === "addDir"));
  if (!polling)
    watcher.on("raw", (_event, name, details) => {
      const watched = watchedPathOf(details);
      if (watched) onPath(name ? join(watched, name) : watched, false);
    });
  return watcher;
}

function watchedPathOf(details: unknown): string | undefined {
  return typeof details === "object" &&
    details !== null &&
    "watchedPath" in details &&
    typeof details.watchedPath === "string"
    ? details.watchedPath
    : undefined;
}
