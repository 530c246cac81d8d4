/** 350 ms debounce; the stream is cut 375 ms after its first line of several; a stream that says what is typed is read on. */
import { askEngine, shownOf } from "../ask-engine.ts";
import { debounced } from "../debounced.ts";
import type { Editor, NamedPolicy } from "../policy.ts";

const DEBOUNCE_MS = 350;
const SHOW_AFTER_MS = 375;

export const debounce350: NamedPolicy = {
  name: "debounce, 350 ms, cut by time",
  source:
    "Continue, core/autocomplete: debounceDelay 350, showWhateverWeHaveAtXMs 375, GeneratorReuseManager",
  async start({ draw, scale, engineUrl, model }) {
    let going: { readonly editor: Editor; text: string; readonly abort: AbortController } | undefined;

    async function ask(editor: Editor): Promise<void> {
      const reused = going && typedOf(going.editor, editor);
      if (
        going &&
        reused !== undefined &&
        going.text.startsWith(reused) &&
        going.text.length > reused.length
      ) {
        draw(shownOf(going.text.slice(reused.length), editor));
        return;
      }
      going?.abort.abort();
      const own = { editor, text: "", abort: new AbortController() };
      going = own;
      const startedAt = performance.now();
      const text = await askEngine(
        { url: engineUrl, model },
        editor,
        (all) => {
          own.text = all;
          return !(all.includes("\n") && performance.now() - startedAt > SHOW_AFTER_MS * scale);
        },
        own.abort.signal,
      );
      const { now } = policy;
      const typed = now && typedOf(editor, now);
      if (own.abort.signal.aborted || typed === undefined || !text.startsWith(typed)) return;
      draw(shownOf(text.slice(typed.length), now ?? editor));
    }

    const policy = debounced(DEBOUNCE_MS, { draw, scale }, { ask, stop: () => going?.abort.abort() });
    return policy;
  },
};

function typedOf(from: Editor, to: Editor): string | undefined {
  return to.suffix === from.suffix && to.prefix.startsWith(from.prefix)
    ? to.prefix.slice(from.prefix.length)
    : undefined;
}
