/** A server that the user's own settings tell how to start: one process, its lines, and its end. */
import { type ChildProcess, execFile, spawn } from "node:child_process";

export interface ServerCommand {
  /** Not empty: program, then arguments. No shell reads them. */
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

/** Databases close and containers go down in this time; VS Code gives an extension that ends about as long. */
const STOP_MS = 5_000;

const ON_WINDOWS = process.platform === "win32";

export function createManagedServer({ onLine, onEnd, stopMs = STOP_MS }: ManagedServerDeps): ManagedServer {
  let running: { readonly child: ChildProcess; readonly ended: Promise<void> } | undefined;
  return {
    isRunning: () => running !== undefined,

    async start({ command: [program = "", ...args], directory }) {
      if (running) return;
      const child = spawn(program, args, {
        ...(directory && { cwd: directory }),
        stdio: ["ignore", "pipe", "pipe"],
        // A group of its own, so that what it starts can be stopped with it.
        detached: !ON_WINDOWS,
        windowsHide: true,
      });
      for (const stream of [child.stdout, child.stderr]) eachLine(stream, onLine);
      const ended = new Promise<void>((resolve) =>
        child.once("close", (code, signal) => {
          running = undefined;
          if (child.pid !== undefined) onEnd(signal ?? `exit status ${code}`);
          resolve();
        }),
      );
      running = { child, ended };
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
      const { child, ended } = running;
      end(child, "SIGTERM");
      const timer = setTimeout(() => end(child, "SIGKILL"), stopMs);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** By its id, and with it what it started. */
function end({ pid }: ChildProcess, signal: "SIGTERM" | "SIGKILL"): void {
  if (pid === undefined) return;
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
