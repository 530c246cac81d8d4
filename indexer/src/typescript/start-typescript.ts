/**
 * Keeps what TypeScript knows of every file in the index, in the background: looks at one file at a time once nothing
 * is being synced, the changed ones first. What is known of a file stays until it has been looked at again.
 */
import { randomUUID } from "node:crypto";
import { lstatSync } from "node:fs";
import { resolve } from "node:path";
import type { IndexDb } from "@dhi/core/index-db";
import type { Logger } from "@dhi/core/log";
import type { TypeScriptStatus } from "@dhi/core/protocol";
import { startBackgroundLoop } from "../vectors/background-loop.ts";
import { createThrottle, type Demand } from "../vectors/throttle.ts";
import type { LookAnswer } from "./facts.ts";
import { LookError, type TypeLooker } from "./type-process.ts";
import { createTypeTable, type StaleFile } from "./type-table.ts";

export interface TypeScriptDeps {
  /** Absolute path of the workspace, without symbolic links. */
  readonly root: string;
  readonly db: IndexDb;
  /** Shared by all workspaces; or why there is none. */
  readonly looker: TypeLooker | string;
  readonly demand: Demand;
  readonly log: Pick<Logger, "info" | "warn">;
  readonly timing?: Timing;
}

export interface TypeScriptFollower {
  /** The index has changed. */
  kick(): void;
  status(): TypeScriptStatus;
  close(): Promise<void>;
}

export interface Timing {
  /** How long nothing may change before files are looked at. */
  readonly quietMs: number;
  /** How often to look whether packages or settings have changed. */
  readonly checkMs: number;
  readonly retry: { readonly firstMs: number; readonly mostMs: number };
}

const TIMING: Timing = { quietMs: 1_000, checkMs: 60_000, retry: { firstMs: 1_000, mostMs: 60_000 } };
const WHILE_SYNCING_MS = 200;
/** A save changes a few files, and has some that import them looked at again. */
const MOST_OF_A_SAVE = 60;
/** Looking for garbage reads all types. */
const LOOKS_UNTIL_GARBAGE = 500;

export function startTypeScript(deps: TypeScriptDeps): TypeScriptFollower {
  const { looker } = deps;
  if (typeof looker !== "string") return follow(deps, looker);
  return {
    kick() {},
    status: () => ({ state: "off", files: 0, filesTotal: 0, detail: looker }),
    async close() {},
  };
}

function follow(deps: TypeScriptDeps, looker: TypeLooker): TypeScriptFollower {
  const { root, db, demand, log, timing = TIMING } = deps;
  const session = randomUUID();
  const throttle = createThrottle(demand);
  const table = createTypeTable(db);
  // There may be more memory now, or another version of TypeScript.
  table.outdateFailures();
  /** Projects and files at which the process ended once. It may have been for another's sake, so only twice counts. */
  const strikes = new Set<string>();
  /** Projects that do not fit into memory, and why. */
  const givenUp = new Map<string, string>();
  let queue: StaleFile[] = [];
  /** Counted when somebody asks. */
  let filesTotal: number | undefined;
  let epoch = 0;
  let changedAt = Number.NEGATIVE_INFINITY;
  let isSurveyed = false;
  let looksSinceGarbage = 0;

  async function step(signal: AbortSignal): Promise<number> {
    await throttle.makeRoom(() => queue.length > MOST_OF_A_SAVE, signal);
    if (demand.isSyncing()) return WHILE_SYNCING_MS;
    const quiet = performance.now() - changedAt;
    if (quiet < timing.quietMs) return timing.quietMs - quiet;
    if (!isSurveyed) survey();
    const [file] = queue;
    if (file) {
      if (table.isStale(file)) await lookAt(file, signal);
      if (!table.isStale(file)) queue.shift();
      if (queue.length === 0) queue = table.again();
      return 0;
    }
    if (looksSinceGarbage >= LOOKS_UNTIL_GARBAGE) {
      looksSinceGarbage = 0;
      table.collectGarbage();
      // The process believes that what was removed is known.
      epoch++;
    }
    isSurveyed = !projectsHaveChanged();
    return isSurveyed ? timing.checkMs : 0;
  }

  /** Changed files go first. */
  function survey(): void {
    const isFirst = epoch === 0;
    projectsHaveChanged();
    const changed = isFirst ? table.survey() : [...table.changes(), ...table.again()];
    const before = new Set(changed.map(({ path }) => path));
    queue = [...changed, ...queue.filter(({ path }) => !before.has(path))];
    filesTotal = undefined;
    isSurveyed = true;
    epoch++;
  }

  function projectsHaveChanged(): boolean {
    let changed = false;
    for (const { project, inputs, stamp } of table.projects()) {
      const now = stampOf(inputs);
      if (now === stamp) continue;
      changed = true;
      givenUp.delete(project);
      table.outdate(project, now);
    }
    return changed;
  }
  const stampOf = (inputs: readonly string[]) =>
    inputs.map((path) => lstatSync(resolve(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0).join(" ");

  async function lookAt(file: StaleFile, signal: AbortSignal): Promise<void> {
    try {
      const answer = await looker.look(
        {
          ...{ root, session, path: file.path, epoch, without: [...givenUp.keys()] },
          ...(file.isDocument && { text: table.textOf(file) }),
        },
        signal,
      );
      if (answer.kind === "facts" || !answer.wholeProject) write(file, answer);
      else write(file, { ...answer, reason: giveUp(answer.project, answer.reason) });
    } catch (error) {
      if (!(error instanceof LookError)) throw error;
      const { kind, project = "", message } = error;
      if (kind !== "file" && !isSecondStrike(error, file)) throw error;
      // Asked once more, the process answers what the project is, without reading it.
      if (kind === "memory") giveUp(project, message);
      else write(file, { kind: "unknown", project, inputs: [], reason: message, wholeProject: false });
    }
  }

  /** What ends the process before it comes to a project is the fault of none. */
  function isSecondStrike({ kind, project }: LookError, file: StaleFile): boolean {
    if (project === undefined) return false;
    const culprit = kind === "memory" ? `project ${project}` : `file ${file.path}`;
    if (strikes.delete(culprit)) return true;
    strikes.add(culprit);
    return false;
  }

  /** @returns why, also when that was known before */
  function giveUp(project: string, reason: string): string {
    const known = givenUp.get(project);
    if (known !== undefined) return known;
    givenUp.set(project, reason);
    log.warn(`TypeScript: ${wordsFor(project, reason)}; its files keep their tree-sitter symbols`);
    return reason;
  }
  const wordsFor = (project: string, reason: string) => `${project || "no settings"}: ${reason}`;

  function write(file: StaleFile, answer: LookAnswer): void {
    table.write(file, answer, stampOf(answer.inputs));
    looksSinceGarbage++;
  }

  const loop = startBackgroundLoop({
    step,
    retry: timing.retry,
    onRest() {},
    onFailure(failure) {
      if (failure) log.warn(`TypeScript: ${failure.words}; trying again`);
    },
  });

  return {
    kick() {
      changedAt = performance.now();
      isSurveyed = false;
      loop.wake();
    },
    status() {
      const failure = loop.failure()?.words;
      const left = queue.length;
      filesTotal ??= table.filesTotal();
      const details = [...givenUp].map(([project, reason]) => wordsFor(project, reason));
      return {
        state: failure !== undefined ? "failed" : left > 0 || !isSurveyed ? "working" : "idle",
        files: Math.max(0, filesTotal - left),
        filesTotal,
        detail: [...(failure === undefined ? [] : [failure]), ...details].join("; "),
      };
    },
    async close() {
      await loop.close();
    },
  };
}
