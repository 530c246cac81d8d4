/** The first keystroke asks at once, the next ones 300 ms after; one request pending, the newest replaces it; no reuse but of typed text. */
import { askEngine, shownOf } from "../ask-engine.ts";
import type { Editor, NamedPolicy } from "../policy.ts";

const THROTTLE_MS = 300;

export const throttle300: NamedPolicy = {
  name: "throttle, 300 ms",
  source:
    "Zed, edit_prediction: THROTTLE_TIMEOUT 300 ms per buffer, one pending request for Ollama, dropped on cancel",
  async start({ draw, scale, engineUrl, model }) {
    let lastAsked = Number.NEGATIVE_INFINITY;
    let timer: NodeJS.Timeout | undefined;
    let request = new AbortController();
    let shown: { readonly at: string; readonly text: string } | undefined;

    async function ask(editor: Editor): Promise<void> {
      lastAsked = performance.now();
      request.abort();
      request = new AbortController();
      const { signal } = request;
      const text = shownOf(await askEngine({ url: engineUrl, model }, editor, () => true, signal), editor);
      if (signal.aborted) return;
      shown = { at: editor.prefix, text };
      draw(text);
    }

    return {
      changed(editor) {
        clearTimeout(timer);
        const typed =
          shown && editor.prefix.startsWith(shown.at) ? editor.prefix.slice(shown.at.length) : undefined;
        if (typed !== undefined && shown?.text.startsWith(typed) && shown.text.length > typed.length) {
          draw(shown.text.slice(typed.length));
          return;
        }
        shown = undefined;
        draw("");
        request.abort();
        const wait = Math.max(0, lastAsked + THROTTLE_MS * scale - performance.now());
        timer = setTimeout(() => void ask(editor), wait);
      },
      async close() {
        clearTimeout(timer);
        request.abort();
      },
    };
  },
};
