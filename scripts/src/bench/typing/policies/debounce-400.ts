/** 400 ms debounce, one request at a time in the server: a second one is refused as busy and not asked again. */
import { askEngine, shownOf } from "../ask-engine.ts";
import { debounced } from "../debounced.ts";
import type { Editor, NamedPolicy } from "../policy.ts";

const DEBOUNCE_MS = 400;

export const debounce400: NamedPolicy = {
  name: "debounce, 400 ms, 503 when busy",
  source:
    "a local completion daemon with one flight: the second request gets 503; minuet's debounce of 400 ms",
  async start({ draw, scale, engineUrl, model }) {
    const closing = new AbortController();
    let busy = false;

    async function ask(editor: Editor): Promise<void> {
      if (busy) return;
      busy = true;
      try {
        const text = await askEngine({ url: engineUrl, model }, editor, () => true, closing.signal);
        if (policy.now === editor) draw(shownOf(text, editor));
      } finally {
        busy = false;
      }
    }

    const policy = debounced(DEBOUNCE_MS, { draw, scale }, { ask, stop: () => closing.abort() });
    return policy;
  },
};
