/** Keeps asking the server how it is: often while that is about to change, rarely otherwise, never when Dhi is off. */
import { callForStatus, type Server, ServerRefused, ServerUnreachable } from "./server.ts";
import { indexingPercent, isEngineDown, type ServerState } from "./status.ts";

export interface ServerWatch {
  /** Asks now: settings have changed, or a request has failed. */
  refresh(): void;
  dispose(): void;
}

export interface WatchIntervals {
  readonly syncingMs: number;
  readonly downMs: number;
  readonly readyMs: number;
}

const INTERVALS: WatchIntervals = { syncingMs: 1_000, downMs: 5_000, readyMs: 60_000 };

/** A server that takes longer for its own state is as good as down. */
const ANSWER_MS = 5_000;

/**
 * @param server whom to ask; `undefined` when Dhi is off
 * @param onState called after each answer, and never after `dispose`
 */
export function watchServer(
  server: () => Server | undefined,
  onState: (state: ServerState) => void,
  intervals: WatchIntervals = INTERVALS,
): ServerWatch {
  let asking = new AbortController();
  // Not while VS Code waits for `activate`: the first call takes longer than all the rest of it.
  let timer: NodeJS.Timeout | undefined = setTimeout(refresh);
  return { refresh, dispose: stop };

  function stop(): void {
    clearTimeout(timer);
    asking.abort();
  }

  function refresh(): void {
    stop();
    asking = new AbortController();
    const whom = server();
    if (whom) void ask(whom, asking.signal);
  }

  async function ask(whom: Server, signal: AbortSignal): Promise<void> {
    const state = await serverState(whom, signal);
    if (signal.aborted) return;
    onState(state);
    timer = setTimeout(refresh, nextAfter(state, intervals));
  }
}

async function serverState(server: Server, signal: AbortSignal): Promise<ServerState> {
  try {
    const within = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
    return { kind: "ready", status: await callForStatus(server, within) };
  } catch (error) {
    return failedState(server, error);
  }
}

/** What a failed call says about the server. */
export function failedState(server: Server, error: unknown): ServerState {
  if (error instanceof ServerRefused) return { kind: "failing", message: error.message, hint: error.hint };
  const { message } = error instanceof ServerUnreachable ? error : new ServerUnreachable(server.url, error);
  return { kind: "unreachable", message };
}

function nextAfter(state: ServerState, intervals: WatchIntervals): number {
  if (state.kind !== "ready" || isEngineDown(state)) return intervals.downMs;
  const isChanging = indexingPercent(state.status) !== undefined || state.status.engine.status === "starting";
  return isChanging ? intervals.syncingMs : intervals.readyMs;
}
