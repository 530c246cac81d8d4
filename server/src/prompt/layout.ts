/** Which snippets stand in the prompt, and in which order, so that a keystroke leaves the prompt's start as it is. */
import type { Block, Packer } from "./pack.ts";

/**
 * What stood in the prompt before stays while it is worth this share of the best choice there is now. An engine reads
 * everything again from the first change on, which takes longer than a somewhat better choice is worth.
 */
const STAYS = 0.5;

/**
 * @param before in the order of the prompt; left out when nothing has to be kept
 * @param maxTokens what all blocks may cost together
 * @returns in the order of the prompt: by path, when nothing of before stays; else new blocks after those that stood there
 */
export function layOut(packer: Packer, maxTokens: number, before?: readonly Block[]): readonly Block[] {
  const best = packer.pack();
  const kept = before && fits(before, maxTokens) && !packer.isStale(before) ? before : undefined;
  if (kept?.length) {
    const enough = STAYS * packer.worth(best);
    if (packer.worth(kept) >= enough) return kept;
    const grown = packer.pack(kept);
    if (packer.worth(grown) >= enough) return grown;
  }
  return best.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

const fits = (blocks: readonly Block[], maxTokens: number): boolean =>
  blocks.reduce((total, { tokens }) => total + tokens, 0) <= maxTokens;
