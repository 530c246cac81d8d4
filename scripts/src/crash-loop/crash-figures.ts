/** What a crash loop found, as a table. */
import { percentile } from "../bench/figures.ts";
import type { Figure, Measured } from "../bench/report.ts";
import type { CrashLoopOptions, Round } from "../crash-loop.ts";

export function crashFigures(
  rounds: readonly Round[],
  kinds: readonly string[],
  { seed, files }: Pick<CrashLoopOptions, "seed" | "files">,
): Measured {
  const differs = (some: readonly Round[]) => some.filter((round) => round.differences.length > 0).length;
  const perKind = kinds.flatMap((kind): Figure[] => {
    const some = rounds.filter((round) => round.kind === kind);
    return [
      { what: `killed during: ${kind}`, value: some.length, unit: "" },
      { what: `${kind}: indexes that differ from a fresh one`, value: differs(some), unit: "", limit: 0 },
    ];
  });
  const seconds = rounds
    .filter((round) => round.differences.length === 0)
    .map((round) => round.equalAfterMs / 1000);
  return {
    figures: [
      { what: "times that the indexer was killed (`kill -9`)", value: rounds.length, unit: "" },
      ...perKind,
      // Of no index at all there is no time to tell.
      ...[50, 95]
        .filter(() => seconds.length > 0)
        .map((p) => ({ what: `equal to a fresh index, p${p}`, value: percentile(seconds, p), unit: "s" })),
    ],
    notes: [
      `After each kill the index is compared row by row with one that is made anew. ${rounds.filter((round) => round.killedAgain).length} times it was killed again while it recovered, ${rounds.filter((round) => round.chromaKilled).length} times Chroma was killed too. Made by \`npm run crash-loop -- --rounds ${rounds.length} --seed ${seed} --files ${files}\`.`,
    ],
  };
}
