/** Which snippets stand in the prompt, and in which order, so that a keystroke leaves the prompt's start as it is. */
import type { Block, Packer } from "./pack.ts";

/** What the prompt before showed. */
export interface Before {
  /** In the order of the prompt. */
  readonly blocks: readonly Block[];
  /** Where the text left of the cursor began, in UTF-16 units from the start of its file. */
  readonly prefixStart: number;
  /**
   * They stay while they are worth this share of the best choice there is now; 0: whatever else there is, and what does
   * not stay has no successor, unless it is all of them.
   */
  readonly stays: number;
}

/** What is changed at all is made this good a share of the best choice, so that the next keystrokes leave it alone. */
const GOOD = 0.8;

/**
 * An engine reads everything again from the first change on, which takes longer than a somewhat better choice is worth. So
 * what stood there stays; where that is no longer good enough, as much of its front as a good choice allows; new blocks
 * stand behind it.
 *
 * @param before left out when nothing has to be kept
 * @param maxTokens what all blocks may cost together
 * @returns in the order of the prompt: by path, when nothing of before stays
 */
export function layOut(packer: Packer, maxTokens: number, before?: Before): readonly Block[] {
  const kept = before ? usable(before.blocks, packer, maxTokens) : [];
  if (before?.stays === 0 && (kept.length || !before.blocks.length)) return kept;
  const best = packer.pack();
  const most = packer.worth(best);
  if (!before || !kept.length) return inOrder(best);
  if (packer.worth(kept) >= before.stays * most) return kept;
  for (let front = kept.length; front > 0; front = Math.floor(front / 2)) {
    const grown = packer.pack(kept.slice(0, front));
    if (packer.worth(grown) >= Math.max(GOOD, before.stays) * most) return grown;
  }
  return inOrder(best);
}

/** The values of a choice change with each keystroke, its paths do not. */
const inOrder = (blocks: readonly Block[]): readonly Block[] =>
  blocks.toSorted((a, b) => (a.path < b.path ? -1 : 1));

/** @returns those up to the first that no longer fits, or of which the file holds something else by now */
function usable(blocks: readonly Block[], packer: Packer, maxTokens: number): readonly Block[] {
  let tokens = 0;
  const end = blocks.findIndex((block) => {
    tokens += block.tokens;
    return tokens > maxTokens || packer.isStale([block]);
  });
  return end < 0 ? blocks : blocks.slice(0, end);
}
