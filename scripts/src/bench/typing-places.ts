/** Places in a repository at which someone types, and what an editor asks at each keystroke. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FimRequestInput } from "@dhi/core/protocol";
import { sourcesOf } from "./edit-source.ts";
import { pickSome, type Random } from "./random.ts";

/** Keystrokes at each place: the rest of the line is typed, as far as that goes. */
const KEYSTROKES = 8;
/** Further up there are imports and licences. */
const FIRST_LINE = 10;

/** One element per place; in it one request per keystroke, in order. A session is one editor. */
export function typingPlaces(repository: string, n: number, random: Random): FimRequestInput[][] {
  return pickSome(sourcesOf(repository), n, random).flatMap((path) => {
    const text = readFileSync(join(repository, path), "utf8");
    const lines = text.split("\n");
    const long = lines.flatMap((line, i) => (i >= FIRST_LINE && line.trim().length > KEYSTROKES ? [i] : []));
    if (!long.length) return [];
    const line = random.pick(long);
    const before = lines.slice(0, line).map((l) => l.length + 1);
    const lineStart = before.reduce((sum, length) => sum + length, 0);
    const typed = lines[line] ?? "";
    const indent = typed.length - typed.trimStart().length;
    const suffix = text.slice(lineStart + typed.length);
    return [
      Array.from({ length: KEYSTROKES }, (_, i) => ({
        ...{ path, suffix, sessionId: "bench" },
        prefix: text.slice(0, lineStart + indent + i),
      })),
    ];
  });
}
