/** Tells the server that somebody is about to type, so that the model is loaded before the first keystroke. */
import type { WarmRequest } from "@dhi/core/protocol";

export type WarmUp = Omit<WarmRequest, "suffix"> & Partial<Pick<WarmRequest, "suffix">>;

export interface WarmUps {
  /** @param request called only when one is sent; `undefined` when this place is none to type at */
  wanted(request: () => WarmUp | undefined, nowMs: number): void;
}

/** A model stays loaded for some minutes at least; more often would only cost. */
const EVERY_MS = 60_000;

/** @param send its failure takes no turn, and is told nobody: the first completion says what is wrong */
export function createWarmUps(send: (request: WarmUp) => Promise<unknown>): WarmUps {
  let next = Number.NEGATIVE_INFINITY;
  return {
    wanted(request, nowMs) {
      if (nowMs < next) return;
      const warmUp = request();
      if (!warmUp) return;
      next = nowMs + EVERY_MS;
      send(warmUp).catch(() => {
        next = Number.NEGATIVE_INFINITY;
      });
    },
  };
}
