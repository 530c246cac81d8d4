import { expect, test, vi } from "vitest";
import { main as completion } from "./completion.ts";
import { main as likelihood } from "./likelihood.ts";

/** @returns the exit code and what was printed */
async function run(main: (args: readonly string[]) => Promise<number>, ...args: string[]) {
  const log = vi.spyOn(console, "log").mockReturnValue();
  try {
    return [await main(args), log.mock.calls.flat().join("\n")];
  } finally {
    log.mockRestore();
  }
}

test.each([
  ["--set train", '--set wants dev or test, not "train"'],
  ["--per-package 0", "--per-package wants a whole number from 1"],
  ["--minutes soon", "--minutes wants a number from 0"],
  ["--seed x", "--seed wants a whole number"],
])("%s is refused before anything is fetched or started", async (args, problem) => {
  expect(await run(likelihood, ...args.split(" "))).toEqual([2, problem]);
  expect(await run(completion, ...args.split(" "))).toEqual([2, problem]);
});

test("an unknown flag is named", async () => {
  expect(await run(likelihood, "--sett")).toEqual([2, expect.stringContaining("--sett")]);
  expect(await run(completion, "--sett")).toEqual([2, expect.stringContaining("--sett")]);
});

test("--help tells the flags", async () => {
  expect(await run(likelihood, "--help")).toEqual([0, expect.stringContaining("--model FILE")]);
  expect(await run(completion, "--help")).toEqual([0, expect.stringContaining("--run-tests N")]);
});
