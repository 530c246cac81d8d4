/** Ends a streamed text at its first stop string, wherever the pieces are cut: for servers that take only a few stops. */

export interface StopFilter {
  /** @returns what of the text so far is sure not to be the start of a stop, and not returned yet */
  push(piece: string): string;
  /** @returns what was held back, when the text ends without a stop */
  rest(): string;
  /** A stop was found: nothing more comes. */
  readonly stopped: boolean;
}

export function createStopFilter(stops: readonly string[]): StopFilter {
  let held = "";
  let stopped = false;
  return {
    push(piece) {
      if (stopped) return "";
      held += piece;
      const at = firstStop(held, stops);
      stopped = at >= 0;
      const sure = stopped ? at : held.length - startOfStop(held, stops);
      const text = held.slice(0, sure);
      held = held.slice(sure);
      return text;
    },
    rest: () => (stopped ? "" : held),
    get stopped() {
      return stopped;
    },
  };
}

/** @returns -1 when there is none */
function firstStop(text: string, stops: readonly string[]): number {
  const found = stops.map((stop) => text.indexOf(stop)).filter((at) => at >= 0);
  return found.length > 0 ? Math.min(...found) : -1;
}

/** @returns how many characters at the text's end may be the start of a stop */
function startOfStop(text: string, stops: readonly string[]): number {
  const most = Math.max(0, ...stops.map((stop) => stop.length - 1));
  for (let length = Math.min(most, text.length); length > 0; length--)
    if (stops.some((stop) => stop.startsWith(text.slice(-length)))) return length;
  return 0;
}
