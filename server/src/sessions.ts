/** One live completion per editor session: a newer request ends the older one, down to the engine. */

export interface Sessions {
  /**
   * @param sessionId without one the request stands alone
   * @param deadlineMs from now; without one there is none
   */
  begin(sessionId: string | undefined, signal: AbortSignal, deadlineMs?: number): Session;
  /** Sessions with a live request. */
  readonly size: number;
}

export interface Session {
  /** Fires with the request's own signal, when a newer request of the session takes over, or at the deadline. */
  readonly signal: AbortSignal;
  /** Ends the older requests. Not done by `begin`: the newer one may want what the engine is writing for them. */
  takeOver(): void;
  /** To be called when the request is done. */
  end(): void;
}

/** Why a superseded request ended. */
class Superseded extends Error {
  override readonly name = "AbortError";
  constructor() {
    super("a newer request of the same session took over");
  }
}

export function createSessions(): Sessions {
  /** The oldest first. */
  const live = new Map<string, AbortController[]>();

  function leave(sessionId: string, controller: AbortController): void {
    const others = (live.get(sessionId) ?? []).filter((one) => one !== controller);
    if (others.length) live.set(sessionId, others);
    else live.delete(sessionId);
  }

  return {
    begin(sessionId, signal, deadlineMs) {
      const controller = new AbortController();
      // Not `AbortSignal.any`: of one that is made of another, Node 20 forgets the deadline at the next garbage collection.
      const onAbort = () => controller.abort(signal.reason);
      if (signal.aborted) onAbort();
      signal.addEventListener("abort", onAbort, { once: true });
      const timer =
        deadlineMs === undefined
          ? undefined
          : setTimeout(() => controller.abort(new DOMException("too late", "TimeoutError")), deadlineMs);
      if (sessionId !== undefined) live.set(sessionId, [...(live.get(sessionId) ?? []), controller]);
      return {
        signal: controller.signal,
        takeOver() {
          const all = (sessionId !== undefined && live.get(sessionId)) || [];
          for (const older of all.slice(0, Math.max(0, all.indexOf(controller))))
            older.abort(new Superseded());
        },
        end() {
          clearTimeout(timer);
          signal.removeEventListener("abort", onAbort);
          if (sessionId !== undefined) leave(sessionId, controller);
        },
      };
    },
    get size() {
      return live.size;
    },
  };
}
