/** Has the server look at a place where the cursor has come to rest, so that the first keystroke there finds what it needs. */
import type { WarmUp } from "./warm-ups.ts";

export interface LookAhead {
  /** @param request called once the cursor rests; `undefined` when this place is none to type at */
  moved(request: () => WarmUp | undefined): void;
  /** Somebody types, and asks the server anyway; or leaves. */
  cancel(): void;
}

/** Keys that move the cursor repeat faster than that; who begins to type where they have clicked takes longer. */
const REST_MS = 150;

/** @param send its failure is told nobody: the first completion says what is wrong */
export function createLookAhead(send: (request: WarmUp) => Promise<unknown>): LookAhead {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    moved(request) {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const place = request();
        if (place) send({ ...place, contextOnly: true }).catch(() => {});
      }, REST_MS);
    },
    cancel() {
      clearTimeout(timer);
    },
  };
}
