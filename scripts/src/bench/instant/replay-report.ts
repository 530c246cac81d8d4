/** The replay's tables. */
import { calibration, replayFigures, typingFigures, typingFiguresOf } from "./figures.ts";
import { TYPING_THRESHOLDS } from "./guesser.ts";
import type { History } from "./histories.ts";
import { FIXED, perRepository } from "./per-repository.ts";
import type { PositionResult } from "./replay.ts";
import { number, percent, type Section } from "./report.ts";

export interface NamedResults {
  readonly name: string;
  readonly results: readonly PositionResult[];
}

/** What issue 7 asks for. */
const TARGETS = [
  { threshold: 0.7, shown: 0.35, right: 0.8 },
  { threshold: 0.85, shown: 0.22, right: 0.9 },
] as const;
const TARGET_SAVED = 0.3;
const TARGET_WRONG = 0.6;
const TARGET_CALIBRATION = 0.05;

/** @param baselines at the same positions as Dhi */
export function replaySections(
  dhi: readonly PositionResult[],
  baselines: readonly NamedResults[],
  histories: readonly History[],
): Section[] {
  return [
    overall(dhi),
    kinds(dhi),
    packages(dhi, histories),
    confidence(dhi),
    compared(dhi, baselines),
    ownThresholds(dhi),
  ];
}

export function overall(results: readonly PositionResult[]): Section {
  const rows = [0.5, ...TARGETS.map((t) => t.threshold)].map((threshold) => {
    const { shown, right, characters } = replayFigures(results, threshold);
    const { saved, wrong, net } = typingFigures(results, threshold);
    return [
      String(threshold),
      ...[percent(shown), percent(right), percent(characters), percent(saved), number(wrong), number(net)],
    ];
  });
  const misses = TARGETS.flatMap(({ threshold, ...wanted }) => {
    const { shown, right } = replayFigures(results, threshold);
    return [
      said(`θ ${threshold}: shown`, shown.value, wanted.shown, "at least"),
      said(`θ ${threshold}: right`, right.value, wanted.right, "at least"),
    ];
  });
  const { saved, wrong } = typingFigures(results, 0.7);
  const shortest = results.filter((r) => r.surest?.right).length / results.length;
  return {
    title: `All, ${results.length} positions`,
    head: ["θ", "shown", "right", "characters", "typing: saved", "wrong a line", "net keystrokes a line"],
    rows,
    notes: [
      [
        ...misses,
        said("typing at θ 0.7: saved", saved.value, TARGET_SAVED, "at least"),
        `- typing at θ 0.7: ${wrong.value.toFixed(2)} wrong a line, wanted at most ${TARGET_WRONG}: ${wrong.value <= TARGET_WRONG ? "reached" : "**missed**"}`,
      ].join("\n"),
      `The shortest guess with three visible characters, however unsure, is right at ${(100 * shortest).toFixed(1)} % of the positions: of more, nothing right can be shown at any θ.`,
    ],
  };
}

export function typingSection(results: readonly PositionResult[]): Section {
  const words = typingFiguresOf(results, (r) => r.typedWithWords);
  const cells = ({ saved, wrong, net }: typeof words) => [percent(saved), number(wrong), number(net)];
  return {
    title: `${words.lines} lines`,
    head: ["", "saved", "wrong a line", "net keystrokes a line"],
    rows: [
      ...TYPING_THRESHOLDS.map((t) => [`Dhi, θ ${t}`, ...cells(typingFigures(results, t))]),
      ["words of the open file, after two letters", ...cells(words)],
    ],
    notes: [
      "What is shown counts once for as long as it stays on the screen, also while its first letters are typed.",
    ],
  };
}

const said = (what: string, value: number, wanted: number, how: string): string =>
  `- ${what} ${(100 * value).toFixed(1)} %, wanted ${how} ${100 * wanted} %: ${value >= wanted ? "reached" : "**missed**"}`;

function kinds(results: readonly PositionResult[]): Section {
  const groups: readonly (readonly [string, (r: PositionResult) => boolean])[] = [
    ["line start", (r) => r.kind === "line start"],
    ["mid-line", (r) => r.kind === "mid-line"],
    ["source files", (r) => r.isSource],
    ["tests, documents, examples", (r) => !r.isSource],
    ["existing files", (r) => !r.isNewFile],
    ["new files", (r) => r.isNewFile],
  ];
  return {
    title: "By kind of position",
    head: ["", "positions", ...TARGETS.map(({ threshold }) => `θ ${threshold}: shown / right`)],
    rows: groups.map(([name, fits]) => {
      const some = results.filter(fits);
      return [name, String(some.length), ...TARGETS.map(({ threshold }) => both(some, threshold))];
    }),
  };
}

function both(results: readonly PositionResult[], threshold: number): string {
  const { shown, right } = replayFigures(results, threshold);
  return `${percent(shown)} / ${percent(right)}`;
}

function packages(results: readonly PositionResult[], histories: readonly History[]): Section {
  return {
    title: "By package",
    head: [
      "package",
      ...["language", "positions", "θ 0.7: shown / right", "θ 0.85: shown / right"],
      ...["θ 0.7: saved", "wrong a line", "net keystrokes a line"],
    ],
    rows: histories.flatMap(({ name, versions, language }) => {
      const own = results.filter((r) => r.package === name);
      if (own.length === 0) return [];
      const { saved, wrong, net } = typingFigures(own, 0.7);
      return [
        [
          `${name} ${versions.join(", ")}`,
          ...[language, String(own.length), both(own, 0.7), both(own, 0.85)],
          ...[percent(saved), number(wrong), number(net)],
        ],
      ];
    }),
  };
}

function confidence(results: readonly PositionResult[]): Section {
  const bins = calibration(results);
  const worst = Math.max(...bins.map(({ predicted, right }) => Math.abs(predicted - right.value)));
  return {
    title: "Whether the confidence is one",
    head: ["confidence", "starts of lines", "mean", "right", "off by, points"],
    rows: bins.map(({ from, starts, predicted, right }) => [
      `${from.toFixed(1)}–${(from + 0.1).toFixed(1)}`,
      ...[String(starts), `${(100 * predicted).toFixed(1)} %`, percent(right)],
      (100 * (right.value - predicted)).toFixed(1),
    ]),
    notes: [
      `Every start of every guessed line counts, whatever would be shown of it. Largest error ${(100 * worst).toFixed(1)} points, wanted at most ${100 * TARGET_CALIBRATION}: ${worst <= TARGET_CALIBRATION ? "reached" : "**missed**"}.`,
    ],
  };
}

function compared(dhi: readonly PositionResult[], baselines: readonly NamedResults[]): Section {
  const typingOf = (results: readonly PositionResult[], threshold: number) => {
    const { saved, wrong } = typingFigures(results, threshold);
    return [percent(saved), number(wrong)];
  };
  const words = typingFiguresOf(dhi, (r) => r.typedWithWords);
  return {
    title: "Beside what anyone could do",
    head: [
      "",
      ...TARGETS.map(({ threshold }) => `right, where as many are shown as by Dhi at θ ${threshold}`),
      ...["typing: saved", "wrong a line"],
    ],
    rows: [
      [
        "Dhi, θ 0.7",
        ...TARGETS.map(({ threshold }) => percent(replayFigures(dhi, threshold).right)),
        ...typingOf(dhi, 0.7),
      ],
      ...baselines.map(({ name, results }) => [
        name,
        ...TARGETS.map(({ threshold }) => rightAtCoverage(results, shownCount(dhi, threshold))),
        ...typingOf(results, 0.7),
      ]),
      ["words of the open file, after two letters", "–", "–", percent(words.saved), number(words.wrong)],
    ],
    notes: [
      "The baselines type with their own confidence at 0.7, which is not calibrated: the product of probabilities, or the length of the match as a share of 33 tokens.",
    ],
  };
}

const shownCount = (results: readonly PositionResult[], threshold: number): number =>
  Math.round(replayFigures(results, threshold).shown.value * results.length);

/** Of the positions whose shortest guess that can be shown is surest, so many. */
function rightAtCoverage(results: readonly PositionResult[], count: number): string {
  const surest = results
    .filter((r) => r.surest !== undefined)
    .sort((a, b) => (b.surest?.confidence ?? 0) - (a.surest?.confidence ?? 0))
    .slice(0, count);
  if (surest.length === 0) return "–";
  const right = surest.filter((r) => r.surest?.right).length;
  return `${((100 * right) / surest.length).toFixed(1)} %${surest.length < count ? ` (only ${surest.length} of ${count})` : ""}`;
}

function ownThresholds(results: readonly PositionResult[]): Section {
  const { chosen, fixed, own, recalibrated, asMany } = perRepository(results);
  const row = (name: string, { shown, right, spread }: typeof fixed) => [
    ...[name, percent(shown), percent(right), spread.toFixed(1)],
  ];
  return {
    title: "A threshold for each repository",
    head: ["at the last commit of each package", "shown", "right", "largest miss of 80 % right, points"],
    rows: [
      row(`θ ${FIXED} everywhere`, fixed),
      row("θ by the package's earlier commits, for 80 % right", own),
      row(`θ ${FIXED} on a confidence that the earlier commits correct`, recalibrated),
      row(`θ ${asMany.threshold.toFixed(2)} everywhere, which shows as many`, asMany),
    ],
    notes: [
      `Chosen: ${chosen.map(({ package: name, threshold }) => `${name} ${threshold}`).join(", ")}.`,
      "The correction adds a constant to the log-odds, which a strong prior holds at 0 until there are many positions. On 1560 positions of the last commits of the development packages, by which it is decided, it was right less often than one threshold for all that shows as many (81.0 against 81.3 %), and on the test packages no difference is larger than the intervals: the product has one threshold.",
    ],
  };
}
