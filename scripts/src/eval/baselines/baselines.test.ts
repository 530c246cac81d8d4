import { expect, test } from "vitest";
import { corpusFile } from "../corpus.ts";
import type { EvalSnippet } from "../metrics.ts";
import { situationAt } from "../testing/situation.ts";
import { bm25Windows, oracleWindows } from "./bm25-windows.ts";
import { baselines } from "./index.ts";
import { jaccard, jaccardWindows, wordsOf } from "./jaccard-windows.ts";
import { lastCharactersVector } from "./last-characters-vector.ts";
import { nearDefinitions } from "./near-definitions.ts";
import { recentEditsBm25 } from "./recent-edits-bm25.ts";
import { windowsOf } from "./windows.ts";

const places = (snippets: readonly EvalSnippet[]) =>
  snippets.map(({ path, startLine, endLine }) => `${path}:${startLine}-${endLine}`);

const filler = (n: number, word = "filler") => Array.from({ length: n }, () => `// ${word}`).join("\n");
const money = `${filler(12)}\nexport function formatCents(cents: number): string {\n  return render(cents);\n}\n`;
const wallet = "export class Wallet {\n  shown = formatCents(this.coins);\n}\n";
const files = { "src/money.ts": money, "src/wallet.ts": wallet, "src/money.py": "formatCents = shown" };

test("windows cover a file once, or slide over it", () => {
  const file = corpusFile("a.ts", "1\n2\n3\n4\n5");
  expect(places(windowsOf(file, 2, 2))).toEqual(["a.ts:1-2", "a.ts:3-4", "a.ts:5-5"]);
  expect(places(windowsOf(file, 4, 1))).toEqual(["a.ts:1-4", "a.ts:2-5"]);
});

test("no context is none", async () => {
  expect(await baselines["no context"]?.(situationAt(files, "a.ts", "formatCents(█);▒"))).toEqual([]);
});

test("BM25 windows: asked with the ten lines above, not with the file itself, other languages or the answer", async () => {
  const above = `const shown = coins;\n${filler(9, "note")}\n`;
  expect(places(await bm25Windows(situationAt(files, "src/a.ts", `${above}█formatCents(1);▒`)))).toEqual([]);
  const nine = `const shown = coins;\n${filler(8, "note")}\n█formatCents(1);▒`;
  expect(places(await bm25Windows(situationAt(files, "src/a.ts", nine)))).toEqual(["src/wallet.ts:1-4"]);
});

test("the oracle is asked with the answer too", async () => {
  const source = `${filler(12, "note")}\n█render(1);▒`;
  expect(places(await oracleWindows(situationAt(files, "src/a.ts", source)))).toEqual(["src/money.ts:11-16"]);
});

test("Jaccard: the best 60 lines of each open file, most alike first", async () => {
  const long = `${filler(100)}\nconst alpha = beta + gamma;\n${filler(100)}\n`;
  const open = { "src/long.ts": long, "src/near.ts": "const alpha = beta + gamma;\n", "src/shut.ts": long };
  const found = await jaccardWindows(
    situationAt(open, "src/a.ts", "const alpha = beta + gamma;\n█▒", {
      openFiles: ["src/long.ts", "src/near.ts"],
    }),
  );
  expect(places(found)[0]).toBe("src/near.ts:1-2");
  expect(found[1]).toMatchObject({ path: "src/long.ts", text: expect.stringContaining("alpha = beta") });
  expect(found).toHaveLength(2);
  expect(jaccard(wordsOf("alpha if beta"), wordsOf("beta.gamma"))).toBe(1 / 3);
});

test("near definitions: of names five lines above to three below, nearest first, whole", async () => {
  const source = (gap: number) =>
    `new Wallet();\n${filler(gap)}\nformatCents(1);\n█▒\n${filler(2)}\nWallet;\n`;
  const found = await nearDefinitions(situationAt(files, "src/a.ts", source(9)));
  expect(places(found)).toEqual(["src/money.ts:1-15", "src/wallet.ts:1-3"]);
  expect(found[1]?.text).toBe(wallet.trimEnd());
  expect(
    places(await nearDefinitions(situationAt(files, "src/a.ts", `new Wallet();\n${filler(5)}\n█▒`))),
  ).toEqual([]);
});

test("vector only: asked with the last 200 characters, without the open file", async () => {
  const asked: object[] = [];
  const { served, ...situation } = situationAt(files, "src/a.ts", `${"x".repeat(300)}█▒`);
  const result = (file_path: string) => ({
    ...{ file_path, start_line: 1, end_line: 2, language: "typescript", node_type: "block", name: null },
    ...{ score: 1, legs: ["vector"], document: "text" },
  });
  const post = async (path: string, body: object) => {
    asked.push({ path, ...body });
    return { results: [result("src/a.ts"), result("src/money.ts")] };
  };
  const found = await lastCharactersVector({ ...situation, served: { ...served, post } });
  expect(places(found)).toEqual(["src/money.ts:1-2"]);
  expect(asked).toEqual([
    { path: "/search", workspace: "shop-1.0", query: "x".repeat(200), mode: "vector", n_results: 20 },
  ]);
});

test("recent edits: pieces around them that pass all three gates, three at most", async () => {
  const edited = "const paymentGateway = connectGateway(merchantAccount, currencyTable);\n";
  const open = {
    "src/edit.ts": `${filler(30)}\n${edited}${filler(30)}\n`,
    ...Object.fromEntries(
      Array.from({ length: 9 }, (_, i) => [`src/o${i}.ts`, `${filler(30, `other${i}`)}\n`]),
    ),
  };
  const around = (startLine: number) =>
    situationAt(open, "src/a.ts", `${edited}█▒`, {
      recentEdits: [
        { path: "src/edit.ts", startLine, endLine: startLine },
        ...Array.from({ length: 9 }, (_, i) => ({ path: `src/o${i}.ts`, startLine: 10, endLine: 12 })),
      ],
    });
  const found = await recentEditsBm25(around(25));
  expect(found.map(({ text }) => text.includes("paymentGateway"))).toEqual([true]);
  expect(found[0]?.text.length).toBeLessThanOrEqual(500);
  expect(await recentEditsBm25(around(5)), "the edit lies more than 20 lines away").toEqual([]);
});
