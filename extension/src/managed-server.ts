/** A server that the user's own settings tell how to start: one process, its lines, and its end. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { type Spawned, windowsCommand } from "./windows-command.ts";

export interface ServerCommand {
  /** Not empty: variables as `NAME=value`, as a shell has them, then program and arguments. No shell takes them apart. */
  readonly command: readonly string[];
  readonly directory: string | undefined;
}

export interface ManagedServer {
  readonly isRunning: () => boolean;
  /**
   * Starts it unless it runs.
   *
   * @throws with the system's words when the program cannot be started
   */
  start(command: ServerCommand): Promise<void>;
  /** Asks it to end, and settles once it has. After `STOP_MS` it is killed. */
  stop(): Promise<void>;
}

export interface ManagedServerDeps {
  readonly onLine: (line: string) => void;
  /** Called when it ends, by itself or because it was told to. */
  readonly onEnd: (how: string) => void;
  readonly stopMs?: number;
}

/** Databases close and containers go down in this time. VS Code ends an extension after 5 s: it must be killed before. */
const STOP_MS = 4_000;

const ON_WINDOWS = process.platform === "win32";

export function createManagedServer({ onLine, onEnd, stopMs = STOP_MS }: ManagedServerDeps): ManagedServer {
  let running: Running | undefined;
  return {
    isRunning: () => running !== undefined,

    async start({ command, directory }) {
      if (running) return;
      const first = command.findIndex((part) => !VARIABLE.test(part));
      const variables = command.slice(0, Math.max(0, first)).map(nameAndValue);
      const { program, args, windowsVerbatimArguments } = spawnedHere(command.slice(Math.max(0, first)));
      const child = spawn(program, args, {
        ...(directory && { cwd: directory }),
        env: { ...process.env, ...Object.fromEntries(variables) },
        stdio: ["ignore", "pipe", "pipe"],
        // A group of its own, so that what it starts can be stopped with it.
        detached: !ON_WINDOWS,
        ...{ windowsHide: true, windowsVerbatimArguments },
      });
      for (const stream of [child.stdout, child.stderr]) eachLine(stream, onLine);
      const ended = new Promise<void>((resolve) =>
        child.once("close", (code, signal) => {
          running = undefined;
          if (child.pid !== undefined) onEnd(signal ?? `exit status ${code}`);
          resolve();
        }),
      );
      const started: Running = { child, ended, isGone: false };
      running = started;
      child.once("exit", () => {
        started.isGone = !hasGroup(child);
      });
      await new Promise((resolve, reject) => {
        child.once("spawn", resolve);
        child.once("error", reject);
      }).catch((error: unknown) => {
        running = undefined;
        throw error;
      });
    },

    async stop() {
      if (!running) return;
      const now = running;
      const { child, ended } = now;
      end(now, "SIGTERM");
      const timer = setTimeout(() => {
        end(now, "SIGKILL");
        // What it started in a group of its own may still hold its output, which would keep it from being over.
        for (const stream of [child.stdout, child.stderr]) stream?.destroy();
      }, stopMs);
      await ended;
      clearTimeout(timer);
    },
  };
}

const VARIABLE = /^[A-Za-z_]\w*=/;

const nameAndValue = (variable: string): [name: string, value: string] => {
  const at = variable.indexOf("=");
  return [variable.slice(0, at), variable.slice(at + 1)];
};

function spawnedHere(command: readonly string[]): Spawned {
  if (ON_WINDOWS) return windowsCommand(command);
  const [program = "", ...args] = command;
  return { program, args, windowsVerbatimArguments: false };
}

interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<void>;
  /** With all of its group, so that its id may be that of others by now. */
  isGone: boolean;
}

/** Whether anything that it started in its own group goes on: as long as that is so, nothing else gets its id. */
function hasGroup({ pid }: ChildProcess): boolean {
  if (ON_WINDOWS || pid === undefined) return false;
  try {
    return process.kill(-pid, 0);
  } catch {
    return false;
  }
}

/** By its id, and with it what it started. */
function end({ child: { pid }, isGone }: Running, signal: "SIGTERM" | "SIGKILL"): void {
  if (pid === undefined || isGone) return;
  if (ON_WINDOWS) {
    execFile("taskkill", ["/pid", String(pid), "/t", "/f"], () => undefined);
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // It has just ended by itself.
  }
}

function eachLine(stream: NodeJS.ReadableStream | null, onLine: (line: string) => void): void {
  let rest = "";
  stream?.setEncoding("utf8");
  stream?.on("data", (text: string) => {
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop() ?? "";
    lines.forEach(onLine);
  });
  stream?.on("end", () => rest && onLine(rest));
}

/** @returns the arguments with `${workspaceFolder}` filled in; `undefined` when there is none to fill in */
export function filledIn(command: readonly string[], folder: string | undefined): string[] | undefined {
  if (folder === undefined && command.some((part) => part.includes(FOLDER))) return undefined;
  return command.map((part) => part.replaceAll(FOLDER, folder ?? ""));
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: as VS Code's own settings write it
const FOLDER = "${workspaceFolder}";
