import { expect, test } from "vitest";
import { askMethods, withOpenFile } from "./ask-methods.ts";
import type { Situation } from "./method.ts";
import { situationAt } from "./testing/situation.ts";

interface Asked {
  readonly path: string;
  readonly body: { readonly legs?: readonly string[]; readonly contextTokens?: number };
}

const files = { "money.ts": "export function formatCents() {}\n" };

/** A server that answers with a leg's finds when it is asked for that leg. */
function served(asked: Asked[], late: readonly string[] = []): Situation {
  const situation = situationAt(files, "a.ts", "format(1);\n█formatCents(1);▒\n");
  const found = (leg: string, path: string) => ({
    ...{
      leg,
      path,
      startLine: 1,
      endLine: 1,
      score: 1,
      tokens: 9,
      legs: [leg],
      form: "body",
      text: "formatCents()",
      pieces: [{ startLine: 1, endLine: 1, text: "formatCents()", score: 1 }],
    },
  });
  const finds = [found("lexical", "noise.ts"), found("definitions", "money.ts")];
  async function post(path: string, body: Asked["body"]): Promise<unknown> {
    asked.push({ path, body });
    if (path !== "/v1/prompt") return {};
    const sources = finds.filter(({ leg }) => body.legs?.includes(leg) ?? true);
    return {
      ...{ prompt: "", format: "qwen", parts: [], sources, candidates: sources, late, tokens: 0 },
      timings: { retrieval: 7, prompt: 1, legs: [] },
    };
  }
  const [gold] = situation.facts.definitionsOf("formatCents", "ecmascript");
  const cursor = { ...situation.cursor, identifiers: ["formatCents"], gold: gold ? [gold] : [] };
  return { ...situation, cursor, served: { ...situation.served, post } };
}

const every = { withBaselines: false, withAblations: true };

test("asks Dhi with the usual legs, with each leg alone, and with all but it or with it too", async () => {
  const asked: Asked[] = [];
  const { scores, legs, retrievalMs } = await askMethods(served(asked), every, 3);
  expect([legs, retrievalMs]).toEqual([["definitions", "lexical"], 7]);
  expect(asked[0]).toEqual({
    path: "/v1/documents",
    body: { workspace: "shop-1.0", path: "a.ts", version: 3, content: "format(1);\n\n" },
  });
  expect(asked.at(-1)?.body).toEqual({ workspace: "shop-1.0", path: "a.ts", closed: true });
  const prompts = asked
    .filter(({ path }) => path === "/v1/prompt")
    .map(({ body }) => body.legs?.length ?? "all");
  expect(prompts).toEqual([6, 1, 5, 1, 5, 1]);
  const recall5 = Object.fromEntries(
    Object.entries(scores).map(([method, { recall }]) => [method, recall[5]]),
  );
  expect(recall5).toMatchObject({
    ...{ Dhi: true, "definitions alone": true, "without definitions": false },
    ...{ "lexical alone": false, "without lexical": true, "tests alone": false, "with tests": true },
  });
});

test("a leg that came too late ends the run: figures must not depend on how busy the machine is", async () => {
  await expect(askMethods(served([], ["vector"]), every, 1)).rejects.toThrow("a.ts: vector came too late");
});

test("the open file leaves the index whatever happens", async () => {
  const asked: Asked[] = [];
  const failing = withOpenFile(served(asked), 1, () => Promise.reject(new Error("no")));
  await expect(failing).rejects.toThrow("no");
  expect(asked.map(({ body }) => "closed" in body)).toEqual([false, true]);
});
