/** Where the tokens are that were not guessed: what better ranking, better candidates, or nothing could have found. */
import { lex } from "@dhi/server/instant/lexer";
import { OpenFileReader } from "@dhi/server/instant/open-file";
import { LineSoFar, RANKERS } from "@dhi/server/instant/predict-line";
import { best } from "@dhi/server/instant/ranker";
import type { TokenStore } from "@dhi/server/instant/token-store";
import { UNKNOWN } from "@dhi/server/instant/vocabulary";
import { createRandom } from "../random.ts";
import type { Commit } from "./commits.ts";
import { withRepository } from "./guesser.ts";
import { positionsOf } from "./positions.ts";
import type { Section } from "./report.ts";

const FOUND = ["guessed", "another candidate", "open file", "repository", "nowhere"] as const;
type Found = (typeof FOUND)[number];
const KINDS = ["name behind a dot", "other name", "no name"] as const;
type Kind = (typeof KINDS)[number];

export type Limits = Readonly<Record<Kind, Record<Found, number>>>;

export const noLimits = (): Limits => {
  const none = () => ({ guessed: 0, "another candidate": 0, "open file": 0, repository: 0, nowhere: 0 });
  return { "name behind a dot": none(), "other name": none(), "no name": none() };
};

/** Counts into `limits` each token of added lines, given all before it. */
export function countLimits(
  commits: readonly Commit[],
  { perPackage, seed }: { readonly perPackage: number; readonly seed: number },
  limits: Limits,
): void {
  const random = createRandom(seed);
  for (const { commit, repository } of withRepository(commits)) {
    const { corpus } = repository;
    const { vocabulary } = corpus;
    for (const { prefix, suffix, rest, indexedPath, kind } of positionsOf(commit, {
      ...{ count: Math.ceil(perPackage / commits.length), random },
    })) {
      if (kind !== "line start") continue;
      const open = new OpenFileReader(vocabulary).read(prefix, suffix);
      const symbols = repository.symbolsAt({ indexedPath, prefix, suffix });
      const line = new LineSoFar({ corpus, open, path: indexedPath, symbols });
      let before = "";
      lex(rest, (text, spaced) => {
        const id = vocabulary.find(text);
        const isName = id === UNKNOWN || vocabulary.isName(id);
        const of: Kind = !isName
          ? "no name"
          : /^(\.|->|::|\?\.)$/.test(before)
            ? "name behind a dot"
            : "other name";
        limits[of][whereIs(id)]++;
        line.push(id, { spaced, text });
        before = text;
      });

      function whereIs(id: number): Found {
        const { candidates, around } = line.whatNext();
        if (best(candidates, around, RANKERS.next)?.candidate.id === id) return "guessed";
        if (candidates.some((candidate) => candidate.id === id)) return "another candidate";
        if (id === UNKNOWN) return "nowhere";
        if (holds(open.above, id) || holds(open.below, id)) return "open file";
        return corpus.uses(id) > 0 ? "repository" : "nowhere";
      }
    }
  }
}

function holds(tokens: TokenStore, id: number): boolean {
  for (let place = 0; place < tokens.length; place++) if (tokens.id(place) === id) return true;
  return false;
}

export const limitsSection = (limits: Limits): Section => ({
  title: "What limits it: where the next token is",
  head: [
    "",
    "tokens",
    "guessed",
    "another candidate",
    "only elsewhere in the open file",
    "only elsewhere in the repository",
    "nowhere before",
  ],
  rows: KINDS.map((kind) => {
    const counts = FOUND.map((found) => limits[kind][found]);
    const total = counts.reduce((sum, n) => sum + n, 0);
    return [kind, String(total), ...counts.map((n) => `${((100 * n) / Math.max(1, total)).toFixed(1)} %`)];
  }),
  notes: ["Each token of added lines, given all before it; words of comments and strings are names here."],
});
