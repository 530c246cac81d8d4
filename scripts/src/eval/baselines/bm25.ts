/** BM25 over pieces of text in memory: k1 = 1.5 and b = 0.75, as rank_bm25 has them, which RepoCoder and CrossCodeEval use. */
import { termsOf } from "@dhi/core/identifiers";

const K1 = 1.5;
const B = 0.75;

export interface Bm25<T> {
  /** @returns those that share a term with the query, best first */
  rank(query: string, limit: number, keep?: (item: T) => boolean): { item: T; score: number }[];
}

export function createBm25<T extends { readonly text: string }>(items: readonly T[]): Bm25<T> {
  const postings = new Map<string, { readonly at: number[]; readonly count: number[] }>();
  const lengths = items.map(({ text }, at) => {
    const terms = termsOf(text);
    const counts = new Map<string, number>();
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    for (const [term, count] of counts) {
      const posting = postings.get(term) ?? { at: [], count: [] };
      posting.at.push(at);
      posting.count.push(count);
      postings.set(term, posting);
    }
    return terms.length;
  });
  const meanLength = lengths.reduce((a, b) => a + b, 0) / Math.max(1, lengths.length);
  return {
    rank(query, limit, keep = () => true) {
      const scores = new Map<number, number>();
      for (const term of termsOf(query)) {
        const posting = postings.get(term);
        if (!posting) continue;
        const idf = Math.log(1 + (items.length - posting.at.length + 0.5) / (posting.at.length + 0.5));
        posting.at.forEach((at, i) => {
          const count = posting.count[i] ?? 0;
          const norm = K1 * (1 - B + (B * (lengths[at] ?? 0)) / meanLength);
          scores.set(at, (scores.get(at) ?? 0) + (idf * count * (K1 + 1)) / (count + norm));
        });
      }
      const best: { item: T; score: number }[] = [];
      for (const [at, score] of [...scores].sort(([a, x], [b, y]) => y - x || a - b)) {
        const item = items[at];
        if (best.length === limit) break;
        if (item !== undefined && keep(item)) best.push({ item, score });
      }
      return best;
    },
  };
}
