/** Cuts before a tag is closed that is not open, or that the code right of the cursor closes. */
import { languageOf } from "@dhi/core/languages";
import { lexisOf } from "./lexis.ts";
import type { Step, StepContext } from "./step.ts";

const MARKUP = new Set("html xml vue svelte astro handlebars php".split(" "));
const TAG = /<(\/?)([A-Za-z][\w.:-]*)(?=[\s/>])(?:"[^"]*"|'[^']*'|\{[^{}]*\}|=>|[^<>"'])*?(\/?)>/g;
/** Characters of either side in which tags are counted; what opened further up counts as missing nowhere. */
const MAX_SIDE = 20_000;

export const balanceTags: Step = (text, { request }) => {
  if (!text.includes("</") || !hasTags(request)) return text;
  const before = request.prefix.slice(-MAX_SIDE);
  const after = tagsIn(request.suffix.slice(0, MAX_SIDE));
  // A tag may have been begun left of the cursor.
  const depth = new Map<string, number>();
  for (const tag of tagsIn(before + text)) {
    const count = (depth.get(tag.name) ?? 0) + tag.change;
    const isOurs = tag.end > before.length;
    if (isOurs && tag.change < 0 && count < closedBy(after, tag.name)) {
      const kept = text.slice(0, Math.max(0, tag.at - before.length));
      return kept.trim() === "" ? { drop: "repeats-suffix" } : kept;
    }
    depth.set(tag.name, isOurs ? count : Math.max(0, count));
  }
  return text;
};

function hasTags(request: StepContext["request"]): boolean {
  const language = request.languageId || languageOf(request.path ?? "").id;
  return MARKUP.has(language) || lexisOf(request)?.tags === true;
}

interface Tag {
  readonly name: string;
  /** 1 opens, -1 closes. */
  readonly change: number;
  readonly at: number;
  readonly end: number;
}

const tagsIn = (text: string): Tag[] =>
  [...text.matchAll(TAG)]
    .filter(([, , , selfClosing]) => selfClosing === "")
    .map(({ 0: all, 1: slash, 2: name = "", index }) => ({
      name,
      change: slash ? -1 : 1,
      at: index,
      end: index + all.length,
    }));

/** How many of the tags that are open where `tags` begin are closed by them. */
function closedBy(tags: readonly Tag[], name: string): number {
  let depth = 0;
  let lowest = 0;
  for (const tag of tags) {
    if (tag.name !== name) continue;
    depth += tag.change;
    lowest = Math.min(lowest, depth);
  }
  return -lowest;
}
