/** What is drawn while a model has written nothing yet: a guess of the tier without a model, sent at most once. */
import type { FimPreview } from "@dhi/core/protocol";

export interface Preview {
  /** `undefined` while nothing was, and when nothing is sure enough. */
  readonly sent: FimPreview | undefined;
  /** Text is there, or never will be: nothing is sent any more. */
  end(): void;
}

/**
 * In the next turn of the event loop: what an earlier call wrote is there before, and needs no preview, and what is to be
 * read for the model is asked for first.
 *
 * @param guess one that fails is none
 */
export function sendPreview(
  guess: () => Promise<FimPreview | undefined>,
  send: (preview: FimPreview) => void,
): Preview {
  let sent: FimPreview | undefined;
  let isOver = false;
  const turn = setImmediate(async () => {
    const found = await guess().catch(() => undefined);
    if (!found || isOver) return;
    sent = found;
    send(found);
  });
  return {
    get sent() {
      return sent;
    },
    end() {
      isOver = true;
      clearImmediate(turn);
    },
  };
}
