/**
 * A completion while it is being written. What of it may be drawn only ever grows: each time that a line is done, as much as
 * would be shown if the text ended there. Whatever is written behind it, that much stays.
 */
import type { Postprocessed } from "./postprocess.ts";

export interface Drawing {
  /**
   * @param text all that is written so far
   * @param judge what is shown of a text
   * @returns what can be drawn now behind what was; mostly nothing
   */
  grow(text: string, judge: (lines: string) => Postprocessed): string;
  /**
   * @param last what is shown of the whole text by itself
   * @returns what is shown, and what of it has not been drawn yet
   */
  end(last: Postprocessed): { readonly shown: Postprocessed; readonly rest: string };
}

export function createDrawing(): Drawing {
  let drawn = "";
  let judged = 0;

  function draw({ text, reason }: Postprocessed): string {
    if (reason !== "ok" || !text.startsWith(drawn)) return "";
    const rest = text.slice(drawn.length);
    drawn = text;
    return rest;
  }

  return {
    grow(text, judge) {
      const end = text.lastIndexOf("\n") + 1;
      if (end <= judged) return "";
      judged = end;
      return draw(judge(text.slice(0, end)));
    },
    end(last) {
      const rest = draw(last);
      // What was drawn was good by itself, and is what the user may be about to accept.
      return { shown: drawn ? { text: drawn, reason: "ok" } : last, rest };
    },
  };
}
