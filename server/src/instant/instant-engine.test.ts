import { fimRequest } from "@dhi/core/protocol";
import { atCursor } from "@dhi/core/testing/at-cursor";
import { describe, expect, test } from "vitest";
import { describeEngine } from "../engines/engine.contract.ts";
import { createInstantEngine } from "./instant-engine.ts";
import { createInstantIndex } from "./instant-index.ts";

const inputOf = (source: string) => ({
  prompt: "",
  request: fimRequest.parse({ path: "src/a.ts", ...atCursor(source) }),
});
const above = "log.info(request.path, startedAt);\n".repeat(8);

/** Over no repository: the open file is all there is. */
function create() {
  const index = createInstantIndex({ index: { get: () => undefined } });
  return { index, engine: createInstantEngine({ index }), [Symbol.dispose]: () => index.close() };
}
async function ghost(source: string): Promise<string> {
  using subject = create();
  return (
    await subject.engine.generate(inputOf(source), { stop: [], maxTokens: 50 }, new AbortController().signal)
  ).text;
}

describeEngine("instant engine", async () => {
  const { engine, [Symbol.dispose]: dispose } = create();
  return {
    engine,
    input: inputOf(`${above}log.█`),
    stop: "path",
    async [Symbol.asyncDispose]() {
      dispose();
    },
  };
});

describe("the instant engine", () => {
  test("says how sure it is, and nothing of a prompt it does not read", async () => {
    using subject = create();
    const generated = await subject.engine.generate(
      inputOf(`${above}log.█`),
      { stop: [], maxTokens: 50 },
      new AbortController().signal,
    );
    expect(generated).toEqual({
      text: "info(request.path, startedAt);",
      finish: "stop",
      usage: { promptTokens: null, cachedTokens: null, completionTokens: 9 },
      meanLogprob: null,
      confidence: expect.any(Number),
      firstTokenMs: expect.any(Number),
    });
    expect(generated.confidence).toBeGreaterThanOrEqual(0.7);
  });

  test("previews only what it is almost sure of, in one line", async () => {
    using subject = create();
    const previewAt = (source: string, threshold?: number) =>
      createInstantEngine({
        index: subject.index,
        ...(threshold && { previewThreshold: threshold }),
      }).preview?.(inputOf(source).request);
    const found = await previewAt(`${above}log.info(█`);
    expect(found).toEqual({ preview: "request.path, startedAt);", confidence: expect.any(Number) });
    expect(found?.confidence).toBeGreaterThanOrEqual(0.85);
    expect([await previewAt(`${above}log.info(█`, 0.9999), await previewAt("unheard.of(█")]).toEqual([
      undefined,
      undefined,
    ]);
  });

  test("abstains where it knows nothing: no text, finish none, no piece", async () => {
    using subject = create();
    const pieces: string[] = [];
    const generated = await subject.engine.generate(
      inputOf("unheard.of(█"),
      { stop: [], maxTokens: 50, onText: (text) => pieces.push(text) },
      new AbortController().signal,
    );
    expect(generated).toMatchObject({ text: "", finish: "none", confidence: null, firstTokenMs: null });
    expect(pieces).toEqual([]);
  });

  test.each([
    ["what the rest of the line says already", `${above}log.info(█request.path, startedAt);`],
    ["inside a word", `${above}log.in█fo`],
    ["anything where code goes on right of the cursor", `${above}log.█ = console;`],
    ["what the line below says already", `${above}log.█\nlog.info(request.path, startedAt);\n`],
    ["less than three characters", `${"run();\n".repeat(8)}run(█`],
  ])("does not propose %s", async (_, source) => {
    expect(await ghost(source)).toBe("");
  });

  test("ends before the bracket that the editor has closed", async () => {
    expect(await ghost(`${"send(account, total);\n".repeat(8)}send(█);`)).toBe("account, total");
  });
});
