/** Follows the work tree: events where the system sends them, comparisons for whatever those miss. */
import type { Logger } from "@dhi/core/log";
import { describeError } from "@dhi/core/upstream-error";
import type { Changes } from "./batch.ts";
import type { Indexer } from "./indexer.ts";
import { folderIdentity, type Watcher, watchTree } from "./watcher.ts";
import type { WorkTree } from "./work-tree.ts";

export interface KeepInStepOptions {
  readonly root: string;
  readonly tree: WorkTree;
  readonly indexer: Indexer;
  readonly stateFolder: string | undefined;
  readonly polling: boolean;
  readonly log: Pick<Logger, "warn">;
  readonly every?: CheckIntervals;
  readonly watch?: typeof watchTree;
}

export interface CheckIntervals {
  /** Two stats: have git's `HEAD` and `index` moved without an event? */
  readonly headMs: number;
  /** Every file's stat: what else was missed? */
  readonly compareMs: number;
  /** The same while events are known to be lost. */
  readonly blindCompareMs: number;
}

const EVERY: CheckIntervals = {
  headMs: 10_000,
  compareMs: 5 * 60_000,
  blindCompareMs: 15_000,
};

/** What replaces one folder often replaces several. */
const REPLACING_MS = 300;

/** Never rejects: what cannot be watched is compared. @returns when every change from here on is noticed */
export async function keepInStep(options: KeepInStepOptions): Promise<{ close(): Promise<void> }> {
  const { root, tree, indexer, log, every = EVERY, watch = watchTree } = options;
  let watcher: Watcher | undefined;
  let watched: string | undefined;
  let closed = false;
  const compare = () => indexer.syncPaths([""]);

  let comparing = setInterval(compare, every.compareMs);
  const looking = setInterval(() => {
    if (indexer.hasMoved()) compare();
    lookForFolders();
  }, every.headMs);

  /** Names the folders that everything hangs on: a clone made anew, or `git init`, is other folders. */
  const places = () => `${folderIdentity(root)} ${folderIdentity(tree.git()?.gitDir ?? "")}`;

  function lookForFolders(): void {
    if (watched !== undefined && places() !== watched) onReplaced();
  }

  let replacing: NodeJS.Timeout | undefined;
  let watchingAnew: Promise<unknown> = Promise.resolve();
  function onReplaced(): void {
    replacing ??= setTimeout(() => {
      replacing = undefined;
      watchingAnew = watchingAnew
        .then(watchAnew)
        .catch((error: unknown) => log.warn(`cannot watch anew: ${describeError(error)}`));
    }, REPLACING_MS);
  }

  async function watchAnew(): Promise<void> {
    const old = watcher;
    watcher = undefined;
    await old?.close();
    if (closed) return;
    await startWatching();
    compare();
  }

  async function startWatching(): Promise<void> {
    await tree.refresh();
    watched = places();
    // There is nothing to watch until it is back.
    if (folderIdentity(root) === undefined) return;
    try {
      const started = await watch({
        ...options,
        gitDir: tree.git()?.gitDir,
        ignoredFolders: await tree.ignoredFolders(),
        onChanges,
        isHeld: tree.isMoving,
        onHeld: indexer.readAhead,
        onBlind,
        onReplaced,
      });
      if (closed) await started.close();
      else watcher = started;
    } catch (error) {
      log.warn(`cannot watch (${describeError(error)}), comparing instead`);
      onBlind();
    }
  }

  async function refreshIgnored(): Promise<void> {
    await indexer.idle();
    const folders = await tree.ignoredFolders();
    if (!closed) await watcher?.setIgnored(folders);
  }

  function onChanges({ paths, everything, newFolders }: Changes): void {
    indexer.syncPaths(everything ? [""] : paths);
    lookForFolders();
    if (everything || newFolders)
      refreshIgnored().catch((error: unknown) => log.warn({ error }, "cannot ask git what is ignored"));
  }

  function onBlind(): void {
    clearInterval(comparing);
    if (!closed) comparing = setInterval(compare, every.blindCompareMs);
  }

  await startWatching();
  return {
    async close() {
      closed = true;
      clearInterval(comparing);
      clearInterval(looking);
      clearTimeout(replacing);
      await watchingAnew;
      await watcher?.close();
    },
  };
}
