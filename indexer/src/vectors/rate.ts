/** How long one item takes, as of lately: what a first, cold batch took says nothing an hour later. */

export interface Rate {
  /** @param ms what they took together */
  note(items: number, ms: number): void;
  /** Milliseconds; `undefined` before the first note. */
  perItem(): number | undefined;
}

const WINDOW_MS = 30_000;

/** Older notes than the window count no more, but for the last. */
export function createRate(windowMs = WINDOW_MS): Rate {
  const notes: { readonly items: number; readonly ms: number; readonly at: number }[] = [];
  let items = 0;
  let ms = 0;
  return {
    note(newItems, newMs) {
      const at = performance.now();
      if (newItems <= 0) return;
      notes.push({ items: newItems, ms: newMs, at });
      items += newItems;
      ms += newMs;
      const kept = notes.findIndex((note) => note.at >= at - windowMs);
      for (const old of notes.splice(0, kept)) {
        items -= old.items;
        ms -= old.ms;
      }
    },
    perItem: () => (items > 0 ? Math.max(0, ms) / items : undefined),
  };
}
