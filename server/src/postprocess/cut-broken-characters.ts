/** Cuts before what is no text: half a character, a control character, the end of a character the model did not finish. */
import type { Step } from "./step.ts";

/** NUL and its kind, and half of a surrogate pair; not tab, line ends or form feed, which old C files have between parts. */
const NO_TEXT = /(?![\t\n\r\f])\p{Cc}|\p{Cs}/u;
/** What decoders write for bytes that are no character, as when the last token ends inside one. */
const NO_CHARACTER = "\ufffd";
/** Longer than the longest completion that may be asked for (2,048 tokens), so only a fault is. */
const MAX_LENGTH = 16_384;

export const cutBrokenCharacters: Step = (text, { request }) => {
  const short = text.slice(0, MAX_LENGTH);
  const ends = [short.search(NO_TEXT), short.indexOf(NO_CHARACTER)].filter((at) => at >= 0);
  if (ends.length === 0) return short;
  const end = Math.min(...ends);
  const isTheirs = short[end] === NO_CHARACTER && (request.prefix + request.suffix).includes(NO_CHARACTER);
  return isTheirs ? short : short.slice(0, end);
};
