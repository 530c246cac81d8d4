/** The hops of a completion, as people read them. */
import type { Hop } from "./live-figures.ts";

const NAMES: Partial<Readonly<Record<Hop, string>>> = {
  firstToken: "first text",
  postprocess: "post-process",
};

export const hopWords = (hop: Hop): string => NAMES[hop] ?? hop;
