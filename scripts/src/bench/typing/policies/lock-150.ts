/**
 * One request at a time behind a lock that is polled each 150 ms; nothing is aborted, no debounce, no streaming; up to 250
 * answers are kept, found again by what was typed of them in the same line.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { askEngine, shownOf } from "../ask-engine.ts";
import type { Editor, NamedPolicy } from "../policy.ts";

const POLL_MS = 150;
const MAX_KEPT = 250;

export const lock150: NamedPolicy = {
  name: "lock, 150 ms poll",
  source:
    "llama.vscode 0.0.63, completion.ts: isRequestInProgress, DELAY_BEFORE_COMPL_REQUEST, max_cache_keys",
  async start({ draw, scale, engineUrl, model }) {
    const kept = new Map<string, string>();
    const closing = new AbortController();
    let busy = false;
    let now: Editor | undefined;

    function known({ prefix, suffix }: Editor): string | undefined {
      const line = prefix.length - prefix.lastIndexOf("\n") - 1;
      for (let back = 0; back <= line; back++) {
        const text = kept.get(keyOf(prefix.slice(0, prefix.length - back), suffix));
        const typed = prefix.slice(prefix.length - back);
        if (text?.startsWith(typed) && text.length > back) return text.slice(back);
      }
      return undefined;
    }

    async function changed(editor: Editor): Promise<void> {
      now = editor;
      draw("");
      while (busy) {
        await sleep(POLL_MS * scale);
        if (now !== editor || closing.signal.aborted) return;
      }
      const again = known(editor);
      if (again !== undefined) return draw(again);
      busy = true;
      try {
        const text = shownOf(
          await askEngine({ url: engineUrl, model }, editor, () => true, closing.signal),
          editor,
        );
        kept.set(keyOf(editor.prefix, editor.suffix), text);
        if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value ?? "");
        if (now === editor) draw(text);
      } finally {
        busy = false;
      }
    }
    return {
      changed: (editor) => void changed(editor),
      close: async () => closing.abort(),
    };
  },
};

const keyOf = (prefix: string, suffix: string) => `${prefix}\0${suffix}`;
