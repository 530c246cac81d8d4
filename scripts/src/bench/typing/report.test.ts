import { expect, test } from "vitest";
import { sectionText } from "../sections.ts";
import type { EngineCounts } from "./fake-ollama.ts";
import { typingSections } from "./report.ts";

const engine: EngineCounts = {
  ...{
    requests: 10,
    aborted: 4,
    promptTokens: 1_000,
    cachedTokens: 800,
    coldTokens: 200,
    coldCachedTokens: 20,
  },
  reread: { "other file": 0, snippets: 12, window: 0, "other text": 0, typed: 8 },
  ...{ decodedTokens: 90, decodedAfterSupersede: 3, decodedLate: 1, mostLate: 1 },
};
const typed = {
  ...{ keystrokes: 50, accepts: 5, charactersAccepted: 60, shown: 30, shownWithoutEngine: 20 },
  ...{ waitsMs: [1, 2, 90], flickers: 0, previews: 4, wrongPreviews: 1 },
};

const NOTHING = { answers: [], hits: [] };

test("shares are of keystrokes and of prompt tokens, the first prompts left out where it says so", () => {
  const read = { promptTokens: 1_200, cachedTokens: 900, warmTokens: 1_000, warmCachedTokens: 870 };
  const [policies, rereads, ...rest] = typingSections([{ policy: "Dhi", typed, engine }], NOTHING, read);
  expect(policies?.rows).toEqual([
    [
      "Dhi",
      "50",
      "5",
      "10",
      "4",
      "90",
      "3",
      "1",
      "1",
      "60 %",
      "40 %",
      "1000",
      "80 %",
      "98 %",
      "2.0",
      "90.0",
      "0",
      "1 of 4",
    ],
  ]);
  expect(policies?.head).toHaveLength(policies?.rows[0]?.length ?? 0);
  expect(rereads?.rows).toContainEqual(["other snippets", "12", "1.5 %"]);
  expect(rereads && sectionText(rereads)).toContain("75 % of 1200 tokens cached, in a piece 87 % of 1000");
  expect(rest).toEqual([]);
});

test("what nothing is measured of is a dash, and peers alone have no table of ours", () => {
  const silent = { ...typed, waitsMs: [] };
  const [policies, ...rest] = typingSections([{ policy: "lock", typed: silent, engine }], NOTHING, undefined);
  expect(policies?.rows[0]?.slice(14, 16)).toEqual(["–", "–"]);
  expect(rest).toEqual([]);
});
