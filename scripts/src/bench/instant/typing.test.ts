import { Corpus } from "@dhi/server/instant/corpus";
import { NO_SYMBOLS } from "@dhi/server/instant/symbols";
import { expect, test } from "vitest";
import type { Guesser } from "./guesser.ts";
import type { Position } from "./positions.ts";
import { typeKeyByKey, typeLine, typeWithWords } from "./typing.ts";

const position: Position = {
  ...{ path: "a.ts", indexedPath: "a.ts", prefix: "", suffix: "\n", kind: "line start", isNewFile: false },
  rest: "total = account.sum;",
};
const repository = { corpus: new Corpus({ headBits: 6 }), symbolsAt: () => NO_SYMBOLS };
/** Knows the end of the line, and nothing of its start. */
const guesser: Guesser = {
  name: "end",
  guess: (_, { prefix }) =>
    prefix === "total ="
      ? [{ added: " account.sum;", confidence: 0.8 }]
      : [{ added: "wrong", confidence: 0.6 }],
};

test("takes what is right with one key, types a token otherwise, and counts each wrong offer", () => {
  expect(typeLine(guesser, repository, position)).toEqual([
    // θ 0.5: wrong at the start and after `total`, then right.
    { characters: 20, keystrokes: 7 + 1, shown: 3, accepted: 1 },
    { characters: 20, keystrokes: 7 + 1, shown: 1, accepted: 1 },
    { characters: 20, keystrokes: 20, shown: 0, accepted: 0 },
  ]);
});

test("a word of the file is offered after two letters", () => {
  const { keystrokes, shown, accepted } = typeWithWords({ ...position, prefix: "account\n" });
  expect({ keystrokes, shown, accepted }).toEqual({ keystrokes: 20 - 7 + 3, shown: 1, accepted: 1 });
});

test("asked after every key, what stays on the screen counts once", () => {
  // `wrong` stays until the last token but one is typed, seven keys.
  expect(typeKeyByKey(guesser, repository, position, 0.5)).toMatchObject({ keystrokes: 7 + 1, accepted: 1 });
  const stays: Guesser = {
    name: "stays",
    guess: (_, { prefix }) => [{ added: "total += 1".slice(prefix.length), confidence: 0.9 }],
  };
  expect(typeKeyByKey(stays, repository, position, 0.5)).toEqual({
    ...{ characters: 20, keystrokes: 20, accepted: 0 },
    shown: 1,
  });
});
