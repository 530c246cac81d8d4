/** What Chroma says when its disk fails it → whose disk, and what to do. */
import { describeError } from "@dhi/core/upstream-error";

/** Chroma passes on what its own SQLite and the system say. */
const KNOWN: readonly (readonly [RegExp, string])[] = [
  [
    /disk is full|no space left|os error 28|SQLITE_FULL/i,
    "no room left on the disk of the Chroma server; free some space there, and it goes on by itself",
  ],
  [
    // SQLITE_READONLY_DBMOVED
    /code: 1032\b/,
    "the data of the Chroma server was deleted while it ran; start it again, and its vectors are written anew",
  ],
  [
    /readonly|read-only|os error (13|30)\b|permission denied|unable to open database/i,
    "the Chroma server cannot write its data; make its folder writable, and it goes on by itself",
  ],
];

/** @returns the words of the error, with what to do about it in front where that is known */
export function describeChromaError(error: unknown): string {
  const words = describeError(error);
  const advice = KNOWN.find(([pattern]) => pattern.test(words))?.[1];
  return advice === undefined ? words : `${advice} (${words})`;
}
