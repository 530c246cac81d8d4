import type { PromptResponse } from "@dhi/core/protocol";
import { expect, test } from "vitest";
import { promptPage } from "./prompt-page.ts";

const answer = (changed: Partial<PromptResponse> = {}): PromptResponse => ({
  ...{ prompt: "# a\n```\nx = ", format: "qwen", tokens: 42, candidates: [], late: [] },
  parts: [
    { kind: "snippet", path: "b.py", tokens: 10, startOffset: 0, endOffset: 4 },
    { kind: "snippet", path: "c.py", tokens: 12, startOffset: 4, endOffset: 8 },
    { kind: "prefix", tokens: 20, startOffset: 8, endOffset: 12 },
  ],
  sources: [
    {
      ...{
        path: "shop/b.py",
        startLine: 3,
        endLine: 9,
        legs: ["definitions", "lexical"],
        score: 1,
        tokens: 10,
      },
      ...{ text: "", form: "signature", pieces: [] },
    },
  ],
  timings: { retrieval: 7.6, prompt: 0.4, legs: [] },
  ...changed,
});

test("shows sources, shares and the prompt itself, in a fence that it cannot close", () => {
  const { text } = promptPage({ path: "a.py" }, answer({ late: ["vector"] }));
  expect(text).toMatchInlineSnapshot(`
    "# What the model was given

    For a.py: about 42 tokens, format qwen. Finding code took 8 ms, writing the prompt 0 ms.
    Put together anew for the last request: what has changed since then shows here.
    Not ready in time: vector.

    ## From other files, the likeliest first

    - shop/b.py:3-9  heads of definitions, 10 tokens, found by definitions, lexical

    ## The prompt

    snippet 22 · prefix 20

    \`\`\`\`
    # a
    \`\`\`
    x = 
    \`\`\`\`
    "
  `);
});

test("a source is a link to its lines, in its own workspace", () => {
  const { text, links } = promptPage({ workspace: "docs", path: "a.py" }, answer());
  expect(links.map(({ start, end, target }) => [text.slice(start, end), target])).toEqual([
    ["shop/b.py:3-9", { file: { workspace: "docs", path: "shop/b.py" }, startLine: 3, endLine: 9 }],
  ]);
});

test("says when the prompt holds nothing of other files", () => {
  expect(promptPage({ path: "a.py" }, answer({ sources: [] })).text).toContain(
    "Nothing: the prompt holds this file alone.",
  );
});
