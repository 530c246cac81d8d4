/** Drops a single closing mark: editors write those by themselves, and the key that accepts it could have typed it. */
import type { Step } from "./step.ts";

const ONE_MARK = /^\s*[)\]}>"'`;,:.]\s*$/;

/** Whoever asks for it by a key gets it. */
export const dropShort: Step = (text, { request }) =>
  request.trigger !== "manual" && ONE_MARK.test(text) ? { drop: "too-short" } : text;
