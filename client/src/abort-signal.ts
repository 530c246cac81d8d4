/** VS Code's and Monaco's cancellation as everything else knows it. */
import { UNWANTED } from "./unwanted.ts";

/** What of a `CancellationToken` is needed to follow it. */
export interface Cancellation {
  readonly isCancellationRequested: boolean;
  onCancellationRequested(listener: () => void): unknown;
}

export function abortSignal(token: Cancellation): AbortSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort(UNWANTED);
  else token.onCancellationRequested(() => controller.abort(UNWANTED));
  return controller.signal;
}
