/** What the replays gave, as tables. */
import type { FimDone } from "@dhi/core/protocol";
import { percentile } from "../figures.ts";
import type { Section, SectionsReport } from "../sections.ts";
import type { CacheHit } from "./cache-hits.ts";
import type { EngineCounts } from "./fake-ollama.ts";
import type { ReadAgain } from "./read-again.ts";
import type { Typed } from "./replay.ts";

export interface Row {
  readonly policy: string;
  readonly typed: Typed;
  readonly engine: EngineCounts;
}

/** One of our server's answers. */
export interface Answered {
  readonly answer: FimDone;
  /** From the request to the first of the answer, HTTP included. */
  readonly firstByteMs: number;
}

/** What was seen of our server, with the tier without a model drawn until the model writes. */
export interface Ours {
  readonly answers: readonly Answered[];
  /** Asked for once the typing was over. */
  readonly hits: readonly CacheHit[];
}

export const typingReport: SectionsReport = {
  name: "typing",
  titles: { "accept-heavy": "Most of what is right is accepted", mixed: "Less than half of it is accepted" },
  head: `# Typing

The same typing with our pipeline and with the policies that peers published, measured with \`npm run bench:typing\`: pieces
of code that commits of this repository added are typed again, with mistakes, pauses and accepts, beside a fake Ollama that reads
and writes at the speed of a real one, answers one call at a time, and remembers the last prompt. Its lines are right as often as
the command says. Ours runs with an index of this repository, retrieval on; the policies send the open file alone, as their
authors do.

- *ghost text*: keystrokes with some before the next one; *no engine call*: of them, those whose text was there already.
- *for nobody*: tokens that the engine wrote although the user had typed something else; *late*: those that it wrote for a call
  after a newer request for something else, but for the one of each call that it was writing at that moment, and the most of one call. Ours is ended by the
  newer request at the latest, a debounce after the keystroke: until then it may turn out to be what was typed, and is joined.
- *cached*: tokens of prompts that stand at the start of the prompt before; *in a piece*: without the first prompt of each piece
  of code, which is another file's. Tokens are 4 characters each.
- *flicker*: ghost text that was replaced, while nobody typed, by one that does not begin with it.
- *wrong previews*: drawn by the tier without a model until the model wrote, and not what was typed then.
- Milliseconds are the user's: from the keystroke to ghost text, where there was any.
`,
};

/** @param read where a real llama-server read the prompts of ours */
export function typingSections(
  rows: readonly Row[],
  { answers, hits }: Ours,
  read: ReadAgain | undefined,
): Section[] {
  return [policies(rows), ...rereads(rows, read), ...own({ answers, hits })];
}

const share = (n: number, of: number): string => `${of ? ((100 * n) / of).toFixed(0) : 0} %`;
const ms = (values: readonly number[], p: number): string =>
  values.length ? percentile(values, p).toFixed(1) : "–";

const policies = (rows: readonly Row[]): Section => ({
  title: "Policies",
  head: [
    ...[
      "policy",
      "keystrokes",
      "accepts",
      "engine calls",
      "ended early",
      "tokens decoded",
      "for nobody",
      "late",
      "of one call",
    ],
    ...["ghost text", "no engine call", "prompt tokens", "cached", "in a piece"],
    ...["p50 ms", "p95 ms", "flicker", "wrong previews"],
  ],
  rows: rows.map(({ policy, typed, engine }) => [
    ...[policy, typed.keystrokes, typed.accepts, engine.requests, engine.aborted].map(String),
    ...[engine.decodedTokens, engine.decodedAfterSupersede, engine.decodedLate, engine.mostLate].map(String),
    ...[share(typed.shown, typed.keystrokes), share(typed.shownWithoutEngine, typed.keystrokes)],
    ...[String(engine.promptTokens), share(engine.cachedTokens, engine.promptTokens)],
    share(engine.cachedTokens - engine.coldCachedTokens, engine.promptTokens - engine.coldTokens),
    ...[ms(typed.waitsMs, 50), ms(typed.waitsMs, 95), String(typed.flickers)],
    `${typed.wrongPreviews} of ${typed.previews}`,
  ]),
  notes: [
    "- *prompt tokens*: ours are longer, since retrieval stands in them; of those, what is not cached is what an engine reads.",
    "- *flicker* of policies that clear ghost text with each keystroke is 0 by that, and so is most of their ghost text.",
  ],
});

const WORDS: Readonly<Record<keyof EngineCounts["reread"], string>> = {
  typed: "what was typed, and the text right of the cursor behind it",
  "other text": "the text left of the cursor ends otherwise: written ahead and not taken, or a mistake",
  snippets: "other snippets",
  window: "the text left of the cursor begins elsewhere",
  "other file": "another file",
};

function rereads(rows: readonly Row[], read: ReadAgain | undefined): Section[] {
  const ours = rows.find(({ policy }) => policy === "Dhi");
  if (!ours) return [];
  const { reread, promptTokens, coldTokens } = ours.engine;
  const causes = Object.entries(WORDS).map(([cause, words]) => {
    const tokens = Object.entries(reread).find(([name]) => name === cause)?.[1] ?? 0;
    return [words, String(tokens), `${((100 * tokens) / (promptTokens - coldTokens || 1)).toFixed(1)} %`];
  });
  const counted = read
    ? [
        `- As a real llama-server counts the same prompts, read one after another: ${share(read.cachedTokens, read.promptTokens)} of ${read.promptTokens} tokens cached, in a piece ${share(read.warmCachedTokens, read.warmTokens)} of ${read.warmTokens}.`,
      ]
    : [];
  return [
    {
      title: "What our engine had to read in a piece, and why",
      head: ["what had changed", "tokens", "of the piece's prompts"],
      rows: causes,
      notes: [
        "- In Qwen's format the text right of the cursor stands behind what is typed, so that it is read with each prompt.",
        ...counted,
      ],
    },
  ];
}

/** What the server takes beside the engine, and how soon what it has already is there. */
function own({ answers, hits }: Ours): Section[] {
  if (!answers.length) return [];
  const fresh = answers.filter(({ answer }) => answer.reuse === "none");
  const cached = answers.filter(({ answer }) => answer.reuse === "cached");
  const row = (what: string, values: readonly number[]) => [
    ...[what, String(values.length)],
    ...[ms(values, 50), ms(values, 95)],
  ];
  return [
    {
      title: "Our server's own time",
      head: ["", "answers", "p50 ms", "p95 ms"],
      rows: [
        row(
          "a new call: all but the engine and its queue",
          fresh.map(({ answer: { timings } }) => timings.total - timings.engine - timings.queue),
        ),
        row(
          "from the cache: all of it",
          cached.map(({ answer }) => answer.timings.total),
        ),
        row(
          "from the cache: to the first byte, with HTTP and this bench's own process",
          cached.map(({ firstByteMs }) => firstByteMs),
        ),
        row(
          "from the cache, one after another once the typing is over: all of it",
          hits.map(({ totalMs }) => totalMs),
        ),
        row(
          "the same to the first byte, with HTTP",
          hits.map(({ firstByteMs }) => firstByteMs),
        ),
      ],
    },
  ];
}
