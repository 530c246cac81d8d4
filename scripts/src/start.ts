/** `npm start`: checks → Chroma, indexer, server → first index → one completion → keep serving. */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isAbortError } from "@dhi/core/upstream-error";
import { checkHome, checkPort, checkWorkspace, freePort, gitVersion } from "./checks.ts";
import { createClient } from "./dhi-client.ts";
import { describeShowcase } from "./print-showcase.ts";
import { claimHome, type RunRecord } from "./run-record.ts";
import { type StopService, startService } from "./service.ts";
import { describeServices } from "./services.ts";
import { type Flags, loadDotEnv, readSettings, type Settings } from "./settings.ts";
import { findShowcase } from "./showcase.ts";
import { StartProblem } from "./start-problem.ts";
import {
  describeIndex,
  hasAllVectors,
  storedVectors,
  waitForIndex,
  waitForVectors,
} from "./wait-for-index.ts";
import { waitForServer } from "./wait-for-server.ts";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Runs until a signal ends it. @returns the exit code */
export async function start(flags: Flags): Promise<number> {
  const stopping = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(name, () => stopping.abort(new DOMException(name, "AbortError")));
  // `npm start | head`: nobody reads on, which must not leave processes behind.
  process.stdout.on("error", () => stopping.abort(new DOMException("nobody reads", "AbortError")));
  const parentWatch = onNpmGone(() => stopping.abort(new DOMException("npm was ended", "AbortError")));
  const stops: StopService[] = [];
  let record: RunRecord | undefined;
  try {
    const warning = loadDotEnv(root);
    if (warning) tell(warning);
    const settings = readSettings(root, flags, process.env);
    for (const { path } of settings.workspaces) checkWorkspace(path);
    checkHome(settings.home);
    record = await claimHome(settings.home, (service, pid) =>
      tell(`Ending ${service} (pid ${pid}), which an earlier start left behind`),
    );
    await checkPort(settings.port, settings.bind);
    if (!(await gitVersion()))
      tell(
        "git is not installed: the workspace is read as a plain folder and .gitignore does not count. Install git to change that.",
      );
    await serve(settings, record, stops, stopping);
    await untilAborted(stopping.signal);
    return 0;
  } catch (error) {
    if (isAbortError(error) && stopping.signal.aborted) return 0;
    if (!(error instanceof StartProblem)) throw error;
    tell(`Dhi stops: ${error.message}`);
    return 1;
  } finally {
    if (stops.length) tell("Stopping…");
    for (const stop of stops.reverse()) await stop();
    record?.remove();
    clearInterval(parentWatch);
  }
}

/**
 * npm runs us through a shell and passes signals on to that shell only. A shell that does not pass them on itself ends,
 * and we would serve on without anybody knowing.
 */
function onNpmGone(stop: () => void): NodeJS.Timeout | undefined {
  if (process.env.npm_lifecycle_event !== "start") return undefined;
  const shell = process.ppid;
  return setInterval(() => {
    if (process.ppid !== shell) stop();
  }, 250);
}

async function serve(
  settings: Settings,
  record: RunRecord,
  stops: StopService[],
  stopping: AbortController,
): Promise<void> {
  const { signal } = stopping;
  const started = Date.now();
  const ports = { chroma: await freePort(), indexer: await freePort() };
  const services = describeServices(root, settings, ports);
  for (const { name, path } of settings.workspaces)
    tell(`Workspace ${settings.workspaces.length > 1 ? `${name}: ${path}` : path}`);
  for (const service of [services.chroma, services.indexer, services.server]) {
    const onGivenUp = () => {
      // Without Chroma or the indexer completions go on, and /health says what is missing.
      if (service === services.server) stopping.abort(new StartProblem("the server does not stay up"));
    };
    stops.push(await startService(service, { record, tell, onGivenUp }, signal));
  }
  tell(`Chroma, indexer and server run (${seconds(started)}); logs in ${join(settings.home, "logs")}`);

  const indexerUrl = `http://127.0.0.1:${ports.indexer}`;
  const index = await waitForIndex(indexerUrl, signal);
  tell(describeIndex(index, seconds(started)));

  const url = `http://127.0.0.1:${settings.port}`;
  const client = createClient(url, settings.token);
  tell(await waitForServer(client, signal));
  const showcase = await findShowcase(settings.workspaces, client, signal);
  tell(`\n${describeShowcase(showcase, process.stdout.isTTY)}`);
  tell(nextSteps(url));
  if (hasAllVectors(index)) return;
  const complete = await waitForVectors(indexerUrl, signal);
  tell(`All ${storedVectors(complete)} vectors are there (${seconds(started)})`);
}

const nextSteps = (serverUrl: string): string => `
Dhi serves on ${serverUrl}; open that in a browser to try it on your code. Next, in another terminal:
  1. npm run package -w extension
  2. code --install-extension extension/dhi-*.vsix
  3. open the workspace in VS Code and type${serverUrl.endsWith(":8000") ? "" : ` (set "dhi.serverUrl" to ${serverUrl})`}
Ctrl-C stops everything.`;

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, fail) => {
    if (signal.aborted) fail(signal.reason);
    signal.addEventListener("abort", () => fail(signal.reason), { once: true });
  });

const tell = (line: string): void => console.log(line);

const seconds = (since: number): string => `${((Date.now() - since) / 1000).toFixed(1)} s`;
