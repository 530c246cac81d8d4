/** One long-running process: started, waited for, restarted when it dies, and ended with us. */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, fstatSync, mkdirSync, openSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { logTail } from "./log-tail.ts";
import type { RunRecord } from "./run-record.ts";
import { StartProblem } from "./start-problem.ts";

export interface Service {
  readonly name: string;
  /** Arguments of Node. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly logFile: string;
  /** Milliseconds it may take over SIGTERM; 0 for one that ignores it. */
  readonly graceMs: number;
  /** Asked again and again until it says true; rejecting means no. */
  ready(signal: AbortSignal): Promise<boolean>;
}

export interface ServiceDeps {
  readonly record: RunRecord;
  /** One line for the user, as something happens to a service that was ready. */
  readonly tell: (line: string) => void;
  /** Called when a service has died too often to be started again. */
  readonly onGivenUp: () => void;
}

/** Ends the service; returns when it is gone. */
export type StopService = () => Promise<void>;

const READY_TIMEOUT_MS = 60_000;
/** A service that dies this often within {@link DEATHS_WINDOW_MS} will not get better by itself. */
const MOST_DEATHS = 5;
const DEATHS_WINDOW_MS = 10 * 60_000;
const LOG_LIMIT_BYTES = 5 * 1024 * 1024;

/** One life of a service. */
interface Run {
  readonly child: ChildProcess;
  /** Size of the log file when it began, in bytes. */
  readonly logFrom: number;
}

/**
 * Returns as soon as the service is ready.
 *
 * @throws {StartProblem} with its last log lines when it dies before that, or takes longer than a minute
 * @throws AbortError as soon as the signal fires; what was started is ended by then
 */
export async function startService(
  service: Service,
  { record, tell, onGivenUp }: ServiceDeps,
  signal: AbortSignal,
): Promise<StopService> {
  mkdirSync(dirname(service.logFile), { recursive: true });
  setAsideLongLog(service.logFile);
  const stopped = new AbortController();
  const deaths: number[] = [];
  let run = spawnService(service, record);

  const stop = async () => {
    stopped.abort();
    await endChild(run.child, service.graceMs);
  };
  const restart = async () => {
    const now = Date.now();
    deaths.push(now);
    const recent = deaths.filter((at) => now - at < DEATHS_WINDOW_MS).length;
    const how = `${service.name} died (${describeEnd(run.child)}); ${describeLog(service, run)}`;
    if (recent >= MOST_DEATHS) {
      tell(`${how}\nIt died ${recent} times within ten minutes and is not started again.`);
      onGivenUp();
      return;
    }
    const delayMs = 500 * 2 ** recent;
    tell(`${how}\nStarting it again in ${delayMs / 1000} s.`);
    await sleep(delayMs, undefined, { signal: stopped.signal }).catch(() => {});
    if (stopped.signal.aborted) return;
    run = spawnService(service, record);
    watch();
    // Where it dies again, `watch` tells.
    await untilReady(service, run, stopped.signal).then(
      () => tell(`${service.name} runs again`),
      () => {},
    );
  };
  const watch = () => {
    run.child.once("exit", () => {
      if (!stopped.signal.aborted) void restart();
    });
  };

  try {
    await untilReady(service, run, signal);
  } catch (error) {
    await stop();
    throw error;
  }
  // It may have died between the last question and now.
  if (hasEnded(run.child)) void restart();
  else watch();
  return stop;
}

function spawnService(service: Service, record: RunRecord): Run {
  const log = openSync(service.logFile, "a");
  const logFrom = fstatSync(log).size;
  const child = spawn(process.execPath, service.args, {
    env: service.env,
    stdio: ["ignore", log, log],
    // In a group of its own, so that Ctrl-C reaches only us and the services end in our order.
    detached: true,
  });
  closeSync(log);
  // Without a listener a failing spawn would end us; that it did not start is seen by its missing pid.
  child.on("error", () => {});
  if (child.pid !== undefined) record.add(service.name, child.pid);
  return { child, logFrom };
}

async function untilReady(service: Service, run: Run, signal: AbortSignal): Promise<void> {
  const { child } = run;
  for (const deadline = Date.now() + READY_TIMEOUT_MS; ; await sleep(100, undefined, { signal })) {
    signal.throwIfAborted();
    if (child.pid === undefined || hasEnded(child))
      throw new StartProblem(
        `${service.name} ended at once (${describeEnd(child)}); ${describeLog(service, run)}`,
      );
    if (await service.ready(signal).catch(() => false)) return;
    if (Date.now() > deadline)
      throw new StartProblem(
        `${service.name} is not ready after ${READY_TIMEOUT_MS / 1000} s; ${describeLog(service, run)}`,
      );
  }
}

async function endChild(child: ChildProcess, graceMs: number): Promise<void> {
  if (child.pid === undefined || hasEnded(child)) return;
  const gone = new Promise((done) => child.once("exit", done));
  if (graceMs > 0) {
    child.kill("SIGTERM");
    const timer = new AbortController();
    await Promise.race([gone, sleep(graceMs, undefined, { signal: timer.signal })]);
    timer.abort();
  }
  if (!hasEnded(child)) child.kill("SIGKILL");
  await gone;
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

const describeEnd = (child: ChildProcess) =>
  child.signalCode ?? (child.exitCode === null ? "it could not be run" : `exit code ${child.exitCode}`);

function setAsideLongLog(file: string): void {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LOG_LIMIT_BYTES)
    renameSync(file, `${file}.old`);
}

const describeLog = ({ logFile }: Service, { logFrom }: Run) =>
  `its log is ${logFile}, and ends with:\n${logTail(logFile, logFrom)}`;
