import { expect, test } from "vitest";
import { waterfall } from "./waterfall-bars.ts";

const timings = {
  queue: 3,
  retrieval: 10,
  prompt: 2,
  firstToken: 40,
  engine: 100,
  postprocess: 1,
  total: 116,
};
const render = ({ bars }: ReturnType<typeof waterfall>) =>
  Object.fromEntries(bars.map(({ stage, startMs, ms }) => [stage, [startMs, ms]]));

test("stages follow each other; the engine's time is split where its first text came", () => {
  const made = waterfall(timings, 75, 120);
  expect(render(made)).toEqual({
    debounce: [0, 75],
    retrieval: [75, 10],
    prompt: [85, 2],
    queue: [87, 3],
    prefill: [90, 25],
    decode: [115, 75],
    "post-process": [190, 1],
    network: [191, 4],
  });
  expect([made.totalMs, made.firstTextMs]).toEqual([195, 115]);
});

test("time that no stage counts is the last bar's: together they are what the page waited", () => {
  const slow = { ...timings, total: 150 };
  const { bars, totalMs } = waterfall(slow, 75, 160);
  expect(bars.at(-1)).toMatchObject({ stage: "network", startMs: 191, ms: 44 });
  expect(totalMs).toBe(75 + 160);
});

test("an answer without text is all prefill, and has no first text", () => {
  const made = waterfall({ ...timings, firstToken: null }, 0, 116);
  expect(render(made)).toMatchObject({ prefill: [15, 100], decode: [115, 0], network: [116, 0] });
  expect(made.firstTextMs).toBeNull();
});

test("text that was there at once makes no bar end before it begins", () => {
  const reused = {
    queue: 0,
    retrieval: 0,
    prompt: 0,
    firstToken: 0.2,
    engine: 0.1,
    postprocess: 0.1,
    total: 0.3,
  };
  for (const { ms } of waterfall(reused, 0, 0.1).bars) expect(ms).toBeGreaterThanOrEqual(0);
});
