/**
 * A {@link TypeReader} in a process of its own, which ends when nothing has been asked for a while. A process rather than
 * a thread: whatever a repository makes of TypeScript (an endless loop, a heap that bursts) ends with it and gives its
 * memory back, its heap has a limit of its own, and the system can give it less of the processor.
 */
import { type ChildProcess, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { LookAnswer, LookRequest } from "./facts.ts";
import { createTurns } from "./turns.ts";

export interface TypeLooker {
  /**
   * Looks at one file after the other, whoever asks; at those of one workspace in a row.
   *
   * @throws {LookError} @throws the signal's reason
   */
  look(request: LookRequest, signal: AbortSignal): Promise<LookAnswer>;
  close(): Promise<void>;
}

export interface TypeProcess extends TypeLooker {
  /** `undefined` while there is nothing to do. */
  pid(): number | undefined;
}

export interface TypeProcessOptions {
  /** Of its heap; the process takes about 60 MB more. */
  readonly memoryMb: number;
  /** The built `child.js`. */
  readonly file?: string;
  readonly idleMs?: number;
  readonly timeoutMs?: number;
}

/** The file could not be looked at. */
export class LookError extends Error {
  override readonly name = "LookError";
  /** `file`: TypeScript failed and lives; `memory`: its heap was full; `crash`: it ended otherwise, or was ended. */
  readonly kind: "file" | "memory" | "crash";
  /** That it belongs to; `undefined` when it did not come so far. */
  readonly project: string | undefined;
  constructor(kind: LookError["kind"], message: string, project?: string) {
    super(message);
    this.kind = kind;
    this.project = project;
  }
}

export interface ToTypeProcess {
  readonly id: number;
  readonly request: LookRequest;
}
export type FromTypeProcess =
  | { readonly project: string }
  | { readonly id: number; readonly answer: LookAnswer }
  | { readonly id: number; readonly error: string };

const BUILT = fileURLToPath(new URL("./child.js", import.meta.url));
const IDLE_MS = 60_000;
/** A large project takes half a minute on a busy machine before its first answer. */
const TIMEOUT_MS = 180_000;

/**
 * With a few projects in memory, four workspaces that come alternately have theirs read anew for each file. So one goes on
 * for a while, but a save in another does not wait for long.
 */
const TURNS = { turnMs: 10_000, graceMs: 100 };

/** Node runs no TypeScript: from source there is no process to start. */
export const canStartTypeProcess = (): boolean => existsSync(BUILT);

export function createTypeProcess(options: TypeProcessOptions): TypeProcess {
  const { memoryMb, file = BUILT, idleMs = IDLE_MS, timeoutMs = TIMEOUT_MS } = options;
  let running: Running | undefined;
  let idle: NodeJS.Timeout | undefined;
  const turns = createTurns(TURNS);
  let lastId = 0;
  let closed = false;

  async function ask(request: LookRequest, signal: AbortSignal): Promise<LookAnswer> {
    signal.throwIfAborted();
    if (closed) throw new LookError("crash", "closed");
    clearTimeout(idle);
    running ??= start(file, memoryMb, (ended) => {
      if (running === ended) running = undefined;
    });
    const { child } = running;
    const end = () => child.kill("SIGKILL");
    const timer = setTimeout(end, timeoutMs);
    signal.addEventListener("abort", end);
    try {
      return await running.ask({ id: ++lastId, request });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      idle = setTimeout(stop, idleMs).unref();
    }
  }

  async function stop(): Promise<void> {
    const ending = running;
    running = undefined;
    await ending?.end();
  }

  return {
    look(request, signal) {
      return orAborted(
        turns.run(request.root, () => ask(request, signal)),
        signal,
      );
    },
    pid: () => running?.child.pid,
    async close() {
      closed = true;
      clearTimeout(idle);
      await stop();
    },
  };
}

/** Whoever gives up does not wait for the turns of others. */
function orAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort);
    answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

interface Running {
  readonly child: ChildProcess;
  ask(message: ToTypeProcess): Promise<LookAnswer>;
  end(): Promise<void>;
}

function start(file: string, memoryMb: number, onEnd: (ended: Running) => void): Running {
  const child = fork(file, [String(memoryMb)], {
    execArgv: [`--max-old-space-size=${memoryMb}`, "--expose-gc"],
    // It needs none of our settings, and tokens least of all.
    env: {},
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let waiting: { id: number; resolve: (a: LookAnswer) => void; reject: (e: LookError) => void } | undefined;
  let project: string | undefined;
  let lastWords = "";
  child.stderr?.setEncoding("utf8").on("data", (words: string) => {
    lastWords = (lastWords + words).slice(-MAX_LAST_WORDS);
  });
  child.on("message", (message: FromTypeProcess) => {
    if ("project" in message) project = message.project;
    else if (message.id === waiting?.id) {
      const { resolve, reject } = waiting;
      waiting = undefined;
      if ("answer" in message) resolve(message.answer);
      else reject(new LookError("file", message.error));
    }
  });
  const ended = new Promise<void>((done) => {
    child.on("error", () => {});
    child.on("close", (code, signal) => {
      onEnd(self);
      const isMemory = lastWords.includes("heap out of memory");
      const words = isMemory
        ? `it needs more than ${memoryMb} MB`
        : `it ended with ${signal ?? `code ${code}`}`;
      waiting?.reject(new LookError(isMemory ? "memory" : "crash", words, project));
      done();
    });
  });
  const self: Running = {
    child,
    ask: (message) =>
      new Promise((resolve, reject) => {
        project = undefined;
        waiting = { id: message.id, resolve, reject };
        // That it cannot be sent is said by its end.
        child.send(message, () => {});
      }),
    async end() {
      child.kill("SIGKILL");
      await ended;
    },
  };
  return self;
}

const MAX_LAST_WORDS = 20_000;
