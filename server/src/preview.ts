/** What is drawn while a model has written nothing yet: a guess of the tier without a model, sent at most once. */
import type { DropReason, FimDone, FimPreview, FimRequest } from "@dhi/core/protocol";
import type { Planned } from "./call.ts";
import { INSTANT } from "./instant/instant-engine.ts";
import { type Postprocessed, postprocess } from "./postprocess/postprocess.ts";
import { type FimFormat, leaksOf } from "./prompt/fim-format.ts";

export interface Preview {
  /** Text is there, or never will be: nothing is sent any more. */
  end(): void;
  /**
   * The preview as the answer, where it was sent and the model's text does not stand in its place.
   *
   * What is drawn is not to flicker, so a text that says nothing of the place leaves it: a model that has nothing to say,
   * is unsure, goes round in circles, talks, or writes something that looks like a key has not said that the guess is wrong.
   * {@link NOTHING_BELONGS_HERE} has: then it is withdrawn, by an answer without text.
   *
   * @param shown what is shown of the model's text
   */
  standing(shown: Postprocessed): Standing | undefined;
}

export type Standing = Pick<
  FimDone,
  "completion" | "reason" | "engine" | "model" | "confidence" | "meanLogprob"
>;

/** What stands right of the cursor or below it comes next, says the model, or nothing more on this line. */
const NOTHING_BELONGS_HERE: ReadonlySet<string> = new Set<DropReason>(["repeats-suffix", "multi-line"]);

const NONE: Preview = { end() {}, standing: () => undefined };

/**
 * In the next turn of the event loop: what an earlier call wrote is there before, and needs no preview, and what is to be
 * read for the model is asked for first. One more answer has none, nor has an engine that is no model. A guess that fails,
 * or can't be sent, is none.
 *
 * @param send left out by who wants none
 */
export function startPreview(
  request: FimRequest,
  { about: { engine }, isBeside }: Pick<Planned, "about" | "isBeside">,
  { format }: { readonly format: FimFormat },
  send?: (preview: FimPreview) => void,
): Preview {
  if (!send || isBeside || !engine.readsPrompt) return NONE;
  let sent: FimPreview | undefined;
  let isOver = false;

  async function guess(): Promise<void> {
    const found = await engine.preview?.(request);
    const text = found && !isOver ? shownOf(found, request, format) : "";
    if (!found || !text) return;
    const preview = { ...found, preview: text };
    send?.(preview);
    sent = preview;
  }

  const turn = setImmediate(() => void guess().catch(() => {}));
  return {
    end() {
      isOver = true;
      clearImmediate(turn);
    },
    standing({ text, reason }) {
      if (!sent || text !== "" || NOTHING_BELONGS_HERE.has(reason)) return undefined;
      const { preview: completion, confidence } = sent;
      const { name: engine, model } = INSTANT;
      return { completion, reason: "ok", engine, model, confidence, meanLogprob: null };
    },
  };
}

/** One line, as far as it is worth showing; else empty. */
function shownOf({ preview }: FimPreview, request: FimRequest, format: FimFormat): string {
  const line = { ...request, singleLine: true };
  return postprocess(preview, { request: line, stop: leaksOf(format), promptPaths: [request.path] }).text;
}
