/** A line typed key by key by someone who takes what is entirely right, and types one more token where it is not. */
import { isWord, lex } from "@dhi/server/instant/lexer";
import { wordOfFile } from "./baselines.ts";
import { type Guess, type Guesser, isRight, shownAt, TYPING_THRESHOLDS } from "./guesser.ts";
import { type Position, tokenEnds } from "./positions.ts";
import type { Repository } from "./repository.ts";

export interface Typed {
  /** Of the line. */
  readonly characters: number;
  /** One to take a suggestion. */
  readonly keystrokes: number;
  /** Suggestions; one that stays on the screen counts again at each token. */
  readonly shown: number;
  readonly accepted: number;
}

/** @returns for each of {@link TYPING_THRESHOLDS} */
export function typeLine(guesser: Guesser, repository: Repository, position: Position): Typed[] {
  const ends = tokenEnds(position.rest);
  /** Asked again at the same place for another threshold. */
  const known = new Map<number, Guess[]>();
  function guessesAt(column: number): Guess[] {
    const guesses = known.get(column) ?? guesser.guess(repository, moved(position, column));
    known.set(column, guesses);
    return guesses;
  }
  return TYPING_THRESHOLDS.map((threshold) => {
    let [column, keystrokes, shown, accepted] = [0, 0, 0, 0];
    while (column < position.rest.length) {
      const text = shownAt(guessesAt(column), threshold, moved(position, column));
      if (text !== "") shown++;
      if (text !== "" && isRight(text, position.rest.slice(column))) {
        accepted++;
        keystrokes++;
        column += text.length;
      } else {
        const next = ends.find((end) => end > column) ?? position.rest.length;
        keystrokes += next - column;
        column = next;
      }
    }
    return { characters: position.rest.length, keystrokes, shown, accepted };
  });
}

const moved = (position: Position, by: number): Position => ({
  ...position,
  prefix: position.prefix + position.rest.slice(0, by),
  rest: position.rest.slice(by),
});

/** The same, asked after every key: inside of words too, and what stays on the screen while it is typed counts once. */
export function typeKeyByKey(
  guesser: Guesser,
  repository: Repository,
  position: Position,
  threshold: number,
): Typed {
  let [column, keystrokes, shown, accepted] = [0, 0, 0, 0];
  /** What is left of what was shown before the last key. */
  let onScreen = "";
  while (column < position.rest.length) {
    const at = moved(position, column);
    const text = shownAt(guesser.guess(repository, at), threshold, at);
    if (text !== "" && text !== onScreen) shown++;
    const isTaken = text !== "" && isRight(text, at.rest);
    const length = isTaken ? text.length : 1;
    if (isTaken) accepted++;
    onScreen = !isTaken && text.startsWith(at.rest.slice(0, 1)) ? text.slice(1) : "";
    column += length;
    keystrokes++;
  }
  return { characters: position.rest.length, keystrokes, shown, accepted };
}

/** Letters after which an editor offers the words of a file. */
const LETTERS = 2;

export function typeWithWords({ prefix, rest }: Position): Typed {
  let [column, keystrokes, shown, accepted] = [0, 0, 0, 0];
  lex(rest, (token, spaced) => {
    column += Number(spaced);
    keystrokes += Number(spaced);
    const offered =
      isWord(token) && token.length > LETTERS
        ? wordOfFile(prefix + rest.slice(0, column), token.slice(0, LETTERS))
        : undefined;
    if (offered !== undefined) shown++;
    if (offered === token) {
      accepted++;
      keystrokes += LETTERS + 1;
    } else {
      keystrokes += token.length;
    }
    column += token.length;
  });
  return { characters: rest.length, keystrokes, shown, accepted };
}
