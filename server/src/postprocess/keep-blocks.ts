/** Python: cuts before a line at a depth that no block has, or that could never run. */
import { beforeCursor, firstLines } from "./cursor-line.ts";
import { columnsOf, indentOf } from "./indentation.ts";
import type { Lexis } from "./lexis.ts";
import { literalIn, type Open, scan } from "./scan.ts";
import type { Step } from "./step.ts";
import { surroundingsOf } from "./surroundings.ts";

/** Nothing after them runs at their depth. */
const LEAVES = /^(?:return|raise|break|continue)\b/;
/** Belongs to a block at its own depth. */
const GOES_ON = /^(?:elif|else|except|finally)\b/;
const CAN_GO_ON = /^(?:if|elif|else|for|while|try|except|async|with|match|case|finally)\b/;
/** Lines above the cursor that are read; a block that begins further up keeps its depth all the same. */
const MAX_ABOVE = 20_000;

export const keepBlocks: Step = (text, { request }) => {
  const around = surroundingsOf(request);
  if (!around?.lexis.offside) return text;
  const before = beforeCursor(request.prefix);
  const upToLine = request.prefix.length - before.length;
  const from = request.prefix.indexOf("\n", upToLine - MAX_ABOVE) + 1;
  const above = request.prefix.slice(upToLine > MAX_ABOVE ? from : 0, upToLine);

  let blocks: Blocks = readLines(above.split("\n").slice(0, -1), around.lexis);
  if (blocks.open.length > 0 && before.trim() === "" && literalIn(blocks.open)) return text;
  for (const [i, line] of text.split("\n").entries()) {
    const next = take(blocks, i === 0 ? before + line : line, around.lexis);
    // What is left of the cursor was not written by the model.
    const isOurs = i > 0 || before.trim() === "";
    if (isOurs && !next.fits) {
      const kept = firstLines(text, i);
      return kept.trim() === "" ? { drop: "indentation" } : kept;
    }
    blocks = next.blocks;
  }
  return text;
};

interface Block {
  readonly columns: number;
  /** The statement that stands last at this depth. */
  readonly last: string;
}

interface Blocks {
  /** Outermost first; never empty once a line was read. */
  readonly blocks: readonly Block[];
  /** The last line ends with a colon: a deeper one must follow. */
  readonly header: boolean;
  /** Brackets and strings that go on in the next line. */
  readonly open: readonly Open[];
  /** After a backslash. */
  readonly continued: boolean;
}

function readLines(lines: readonly string[], lexis: Lexis): Blocks {
  let blocks: Blocks = { blocks: [], header: false, open: [], continued: false };
  for (const line of lines) blocks = take(blocks, line, lexis).blocks;
  return blocks;
}

function take(
  { blocks, header, open, continued }: Blocks,
  line: string,
  lexis: Lexis,
): { readonly blocks: Blocks; readonly fits: boolean } {
  const code = line.trim();
  const isContinuation = open.length > 0 || continued;
  const read = scan(`${line}\n`, lexis, open);
  if (!isContinuation && (code === "" || code.startsWith("#"))) {
    return { blocks: { blocks, header, open, continued }, fits: true };
  }
  const next = {
    open: read.open,
    continued: !literalIn(read.open) && code.endsWith("\\"),
    header: read.open.length === 0 && endsWithColon(line, read.literals.find(({ what }) => what.comment)?.at),
  };
  if (isContinuation) return { blocks: { blocks, ...next }, fits: true };

  const columns = columnsOf(indentOf(line));
  const outer = blocks.filter((block) => block.columns < columns);
  const same = blocks.find((block) => block.columns === columns);
  const deepest = blocks.at(-1)?.columns ?? -1;
  const isKnownDepth = blocks.length === 0 || (header ? columns > deepest : same !== undefined);
  const isReached = !same || !LEAVES.test(same.last) || GOES_ON.test(code) || columns < deepest;
  const goesOn = !GOES_ON.test(code) || CAN_GO_ON.test(same?.last ?? "");
  return {
    blocks: { blocks: [...outer, { columns, last: code }], ...next },
    fits: isKnownDepth && isReached && goesOn,
  };
}

const endsWithColon = (line: string, comment: number | undefined): boolean =>
  line.slice(0, comment).trimEnd().endsWith(":");
