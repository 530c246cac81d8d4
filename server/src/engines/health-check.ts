/** A health check that asks the server once for calls in quick succession. */
import { withDeadline } from "@dhi/core/deadline";
import type { Component } from "@dhi/core/protocol";
import { describeError, UpstreamError } from "@dhi/core/upstream-error";

export interface HealthCheck {
  /** Never throws: what is wrong is in the answer. */
  health(signal: AbortSignal): Promise<Component>;
  /** The next call asks anew: something failed, or has just changed. */
  forget(): void;
}

/** The server's own `/health` waits for it: a longer one is as good as none. */
const TIMEOUT_MS = 2_000;
const CACHE_MS = 2_000;
/** A model may be there any moment. */
const STARTING_CACHE_MS = 200;

/** @param ask may throw: a 503 is a server that loads its model, anything else one that is down */
export function createHealthCheck(
  url: string,
  ask: (signal: AbortSignal) => Promise<Component>,
): HealthCheck {
  let known: { readonly component: Component; readonly until: number } | undefined;
  return {
    async health(signal) {
      if (known && known.until > performance.now()) return known.component;
      const component = await withDeadline(TIMEOUT_MS, signal, ask).catch((error: unknown) =>
        componentOf(error, url),
      );
      const cacheMs = component.status === "starting" ? STARTING_CACHE_MS : CACHE_MS;
      if (!signal.aborted) known = { component, until: performance.now() + cacheMs };
      return component;
    },
    forget() {
      known = undefined;
    },
  };
}

function componentOf(error: unknown, url: string): Component {
  const isAnswer = error instanceof UpstreamError && error.cause === undefined;
  const words = isAnswer ? error.message.replace(`${error.upstream}: `, "") : describeError(causeOf(error));
  if (!isAnswer) return { status: "down", detail: `not reachable at ${url} (${words})` };
  return { status: error.status === 503 ? "starting" : "down", detail: words };
}

const causeOf = (error: unknown) => (error instanceof UpstreamError ? error.cause : error);
