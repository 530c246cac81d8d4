/** How many lines of a text are shown, and when the engine has written enough of them. */
import type { FimRequest } from "@dhi/core/protocol";
import { isOneLine } from "../postprocess/cursor-line.ts";
import { limitLines } from "../postprocess/limit-lines.ts";
import { mayBeSeveralLines } from "./several-lines.ts";

export interface Lines {
  /** Whether what more comes would not be shown. */
  readonly enough: (text: string) => boolean;
  /** What postprocessing is to know of the request. */
  readonly shown: (written: {
    readonly text: string;
    readonly reuse: "none" | "cached" | "joined";
  }) => Pick<FimRequest, "singleLine" | "maxLines">;
}

/** A text that goes on in the next line. */
const NEXT_LINE = /^[ \t]*\r?\n/;

export function linesOf(request: FimRequest): Lines {
  if (mayBeSeveralLines(request)) {
    return {
      enough: (text) => text.includes("\n") && endsBlock(text, request),
      shown: () => ({}),
    };
  }
  return {
    enough: (text) => text.indexOf("\n", NEXT_LINE.exec(text)?.[0].length ?? 0) >= 0,
    // At the end of a line that was accepted the next one is offered; who typed the line gets it after the line break.
    shown: ({ text, reuse }) =>
      reuse !== "none" && !isOneLine(request) && NEXT_LINE.test(text)
        ? { maxLines: 2 }
        : { singleLine: true },
  };
}

/** Whether the block that was begun has ended before the text does. */
function endsBlock(text: string, request: FimRequest): boolean {
  const shown = limitLines(text, { request, stop: [] });
  return typeof shown === "string" && shown.length < text.trimEnd().length;
}
