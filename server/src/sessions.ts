/** One live completion per editor session: a newer request ends the older one, down to the engine. */

export interface Sessions {
  /** @param sessionId without one the request stands alone */
  begin(sessionId: string | undefined, signal: AbortSignal): Session;
}

export interface Session {
  /** Fires with the request's own signal, or when a newer request of the session takes over. */
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
  return {
    begin(sessionId, signal) {
      if (sessionId === undefined) return { signal, takeOver() {}, end() {} };
      const controller = new AbortController();
      live.set(sessionId, [...(live.get(sessionId) ?? []), controller]);
      return {
        signal: AbortSignal.any([signal, controller.signal]),
        takeOver() {
          const all = live.get(sessionId) ?? [];
          for (const older of all.slice(0, all.indexOf(controller))) older.abort(new Superseded());
        },
        end() {
          const others = (live.get(sessionId) ?? []).filter((one) => one !== controller);
          if (others.length) live.set(sessionId, others);
          else live.delete(sessionId);
        },
      };
    },
  };
}
