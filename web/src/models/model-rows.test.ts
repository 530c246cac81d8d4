import type { ModelFit } from "@dhi/core/machine-protocol";
import { expect, test } from "vitest";
import { modelRows } from "./model-rows.ts";

const fit = (name: string): ModelFit => ({
  ...{ name, canInfill: true, weights: 1_000, context: 10, needed: 1_010, loaded: null, fits: "now" },
});
const coder = { name: "coder", bytes: 1_000, canInfill: true };

test("a model that the engine has and Ollama holds is one row", () => {
  const rows = modelRows(
    { engine: "ollama", model: "coder", models: [coder] },
    { models: [fit("coder"), fit("other")] },
  );
  expect(rows).toEqual([
    { ...coder, fit: fit("coder"), isInUse: true, isOfEngine: true },
    { ...coder, name: "other", fit: fit("other"), isInUse: false, isOfEngine: false },
  ]);
});

test("what an engine does not tell of its model, Ollama may know of the one by that name", () => {
  const silent = { ...coder, canInfill: null };
  const [row] = modelRows({ engine: "openai", model: "x", models: [silent] }, { models: [fit("coder")] });
  expect(row?.canInfill).toBe(true);
});

test("of an engine besides Ollama nothing is said of memory", () => {
  const rows = modelRows({ engine: "openai", model: "coder", models: [coder] }, { models: [] });
  expect(rows).toEqual([{ ...coder, fit: undefined, isInUse: true, isOfEngine: true }]);
});

test("the engine without a model uses none of them", () => {
  const [row] = modelRows({ engine: "instant", model: "coder", models: [] }, { models: [fit("coder")] });
  expect(row).toMatchObject({ name: "coder", isInUse: false, isOfEngine: false });
});
