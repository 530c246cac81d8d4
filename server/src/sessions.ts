/** One live completion per editor session: a newer request ends the older one, down to the engine. */

export interface Sessions {
  /**
   * @param sessionId without one the request stands alone
   * @returns a signal that fires with `signal`, or when a newer request of the session begins; call `end` when done
   */
  begin(sessionId: string | undefined, signal: AbortSignal): { signal: AbortSignal; end(): void };
}

/** Why a superseded request ended. */
class Superseded extends Error {
  override readonly name = "AbortError";
  constructor() {
    super("a newer request of the same session took over");
  }
}

export function createSessions(): Sessions {
  const live = new Map<string, AbortController>();
  return {
    begin(sessionId, signal) {
      if (sessionId === undefined) return { signal, end() {} };
      live.get(sessionId)?.abort(new Superseded());
      const controller = new AbortController();
      live.set(sessionId, controller);
      return {
        signal: AbortSignal.any([signal, controller.signal]),
        end() {
          if (live.get(sessionId) === controller) live.delete(sessionId);
        },
      };
    },
  };
}
