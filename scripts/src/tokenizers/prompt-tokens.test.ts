import { readFileSync } from "node:fs";
import { buildPrompt } from "@dhi/server/prompt/build-prompt";
import { costOf } from "@dhi/server/prompt/estimate-tokens";
import { sentinelTokens } from "@dhi/server/prompt/fim-format";
import type { Snippet } from "@dhi/server/retrieval/snippet";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { realTokenizers } from "./real-tokenizers.ts";

const tokenizers = await realTokenizers();
const ROOT = new URL("../../../", import.meta.url);
const source = (path: string) => readFileSync(new URL(path, ROOT), "utf8");
const code = ["server/src/app.ts", "scripts/src/source-packages.ts", "README.md", "biome.json"].map(source);

test("a machine with a registry has Qwen's tokenizer at least", () => {
  expect(tokenizers.map(({ format }) => format.id)).toContain("qwen");
});

describe.each(tokenizers.map((tokenizer) => [tokenizer.format.id, tokenizer] as const))(
  "%s",
  (_, { format, encode }) => {
    const piece = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 40 }),
      fc.string({ maxLength: 40 }),
      fc.constantFrom(
        "\n",
        "\r\n",
        "\t\t",
        "    ",
        "return total;\n",
        "😀",
        "数据",
        "이름",
        "имя ",
        "3f9a0c71",
        "=".repeat(40),
      ),
      fc.constantFrom(...format.tokens),
      fc.tuple(fc.constantFrom(...code), fc.nat(3000)).map(([text, at]) => text.slice(at, at + 1500)),
    );
    const text = fc.oneof(
      { weight: 8, arbitrary: fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(piece, fc.nat(30_000))
          .map(([one, times]) => one.repeat(times).slice(0, 1_000_000)),
      },
    );
    const path = fc.constantFrom("a.py", "src/b.ts", "数/x y.go");
    const input = fc.record({
      request: fc.record({ path, prefix: text, suffix: text }),
      snippets: fc.array(fc.record({ path, text }), { maxLength: 3 }),
      budgetTokens: fc.integer({ min: 128, max: 2048 }),
      mode: fc.constantFrom("rag" as const, "raw" as const),
    });

    test("whatever is written, its own tokenizer finds each sentinel once, in order, and no more tokens than the budget", () => {
      const sentinels = sentinelTokens(format).map((token) => ({ token, id: encode(token) }));
      for (const { token, id } of sentinels) expect(id, token).toHaveLength(1);
      const order = [
        format.opening ?? "",
        ...(format.order === "PSM" ? [format.prefix, format.suffix] : [format.suffix, format.prefix]),
        format.middle,
      ];
      const ids = new Set(sentinels.flatMap(({ id }) => id));
      const expected = encode(order.join("")).filter((id) => ids.has(id));
      fc.assert(
        fc.property(input, ({ snippets, ...given }) => {
          const { prompt } = buildPrompt({
            ...given,
            ...{ format, repoName: "shop", snippets: snippets.map(snippetOf) },
          });
          const tokens = encode(prompt);
          expect(tokens.filter((id) => ids.has(id))).toEqual(expected);
          expect(tokens.length).toBeLessThanOrEqual(given.budgetTokens);
        }),
        { numRuns: 12, seed: 5 },
      );
    }, 60_000);

    test("of real code the estimate is hardly ever too low, and seldom far too high", () => {
      const windows = code
        .flatMap((file) => file.match(/.{1,2000}/gs) ?? [])
        .filter((window) => window.length > 500);
      const ratios = windows
        .map((window) => costOf(window, format) / encode(window).length)
        .sort((a, b) => a - b);
      expect(ratios[0]).toBeGreaterThan(0.95);
      expect(ratios[Math.floor(ratios.length / 2)]).toBeLessThan(1.4);
    });
  },
);

const snippetOf = ({ path, text }: { path: string; text: string }, i: number): Snippet => ({
  ...{
    path,
    text,
    startLine: i + 1,
    endLine: i + 2,
    language: "",
    kind: "function",
    name: null,
    signature: null,
  },
  ...{ score: 1 / (i + 1), legs: ["lexical"], ranks: new Map() },
});
