/** A policy that asks once typing has paused; what is drawn goes away with each keystroke. */
import type { Editor, Policy, PolicyDeps } from "./policy.ts";

export interface Debounced extends Policy {
  /** The text as it is now; `undefined` before the first change. */
  readonly now: Editor | undefined;
}

/** @param waitMs of the policy's own clock */
export function debounced(
  waitMs: number,
  { draw, scale }: Pick<PolicyDeps, "draw" | "scale">,
  { ask, stop }: { readonly ask: (editor: Editor) => Promise<void>; readonly stop: () => void },
): Debounced {
  let timer: NodeJS.Timeout | undefined;
  let now: Editor | undefined;
  return {
    get now() {
      return now;
    },
    changed(editor) {
      now = editor;
      draw("");
      clearTimeout(timer);
      timer = setTimeout(() => void ask(editor), waitMs * scale);
    },
    async close() {
      clearTimeout(timer);
      stop();
    },
  };
}
