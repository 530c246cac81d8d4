/** How many lines of a text are shown, and when the engine has written enough of them. */
import type { FimRequest } from "@dhi/core/protocol";
import { isOneLine } from "../postprocess/cursor-line.ts";
import { limitLines } from "../postprocess/limit-lines.ts";
import { mayBeSeveralLines } from "./several-lines.ts";
import type { Written } from "./writer.ts";

export interface Lines {
  /** Whether what more comes would not be shown. */
  readonly enough: (text: string) => boolean;
  /** What postprocessing is to know of the request: one of three objects, always the same ones. */
  readonly shown: (written: Told) => Pick<FimRequest, "singleLine" | "maxLines">;
  /** @returns how much of the text is in the lines that are shown, in UTF-16 units */
  readonly lengthOf: (written: Told) => number;
}

type Told = Pick<Written<unknown>, "text" | "reuse">;

/** A text that goes on in the next line. */
const NEXT_LINE = /^[ \t]*\r?\n/;

export function linesOf(request: FimRequest): Lines {
  const { enough, shown } = mayBeSeveralLines(request) ? severalLines(request) : oneOrNext(request);
  return {
    ...{ enough, shown },
    lengthOf(written) {
      const limited = limitLines(written.text, { request: { ...request, ...shown(written) }, stop: [] });
      return typeof limited === "string" ? limited.length : 0;
    },
  };
}

type Kind = Omit<Lines, "lengthOf">;

const ONE_LINE = { singleLine: true };
const WITH_NEXT_LINE = { maxLines: 2 };
const AS_ASKED = {};

const severalLines = (request: FimRequest): Kind => ({
  enough: (text) => text.includes("\n") && endsBlock(text, request),
  shown: () => AS_ASKED,
});

const oneOrNext = (request: FimRequest): Kind => ({
  enough: (text) => text.indexOf("\n", NEXT_LINE.exec(text)?.[0].length ?? 0) >= 0,
  // At the end of a line that was accepted the next one is offered; who typed the line gets it after the line break.
  shown: ({ text, reuse }) =>
    reuse !== "none" && !isOneLine(request) && NEXT_LINE.test(text) ? WITH_NEXT_LINE : ONE_LINE,
});

/** Whether the block that was begun has ended before the text does. */
function endsBlock(text: string, request: FimRequest): boolean {
  const shown = limitLines(text, { request, stop: [] });
  return typeof shown === "string" && shown.length < text.trimEnd().length;
}
