/** Chroma, indexer and server as `npm start` runs them, but started, ended and killed one by one. */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, fstatSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { logTail } from "../log-tail.ts";
import type { Service } from "../service.ts";

export interface RunningProcess {
  readonly pid: number;
  /** SIGKILL. Returns when it is gone; so does `stop`. */
  kill(): Promise<void>;
  /** SIGTERM, and SIGKILL when it takes longer than its grace. */
  stop(): Promise<void>;
  /** Returns when it answers. @throws with the end of its log when it dies before that */
  ready(): Promise<void>;
}

/** A machine on which several of these run is slow. */
const READY_MS = 180_000;
const ASK_EVERY_MS = 10;

/** Returns at once: a caller may want to kill it before it is ready. */
export function startProcess(service: Service): RunningProcess {
  mkdirSync(dirname(service.logFile), { recursive: true });
  const log = openSync(service.logFile, "a");
  const logFrom = fstatSync(log).size;
  const child = spawn(process.execPath, service.args, {
    env: service.env,
    cwd: dirname(service.logFile),
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  // However we end: Chroma would ignore a Ctrl-C.
  const endWithUs = () => child.kill("SIGKILL");
  process.once("exit", endWithUs);
  child.once("exit", () => process.off("exit", endWithUs));
  const { pid } = child;
  if (pid === undefined) throw new Error(`${service.name} cannot be started`);
  return {
    pid,
    kill: () => end(child, 0),
    stop: () => end(child, service.graceMs),
    async ready() {
      for (const until = performance.now() + READY_MS; ; await sleep(ASK_EVERY_MS)) {
        if (await service.ready(AbortSignal.timeout(READY_MS)).catch(() => false)) return;
        if (hasEnded(child) || performance.now() > until)
          throw new Error(`${service.name} does not answer; its log:\n${logTail(service.logFile, logFrom)}`);
      }
    },
  };
}

async function end(child: ChildProcess, graceMs: number): Promise<void> {
  if (hasEnded(child)) return;
  const gone = new Promise((done) => child.once("exit", done));
  if (graceMs > 0) child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), graceMs);
  await gone;
  clearTimeout(timer);
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;
