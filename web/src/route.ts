/** Which view shows, in the address behind `#`, so that it can be linked to and the browser's back works. */
import { signal } from "@preact/signals";

export const views = ["playground", "index", "live", "models"] as const;
export type View = (typeof views)[number];

export const view = signal<View>(viewOf(location.hash));

addEventListener("hashchange", () => {
  view.value = viewOf(location.hash);
});

function viewOf(hash: string): View {
  const name = hash.replace(/^#\/?/, "");
  return views.find((known) => known === name) ?? "playground";
}
