import type { ContextMode } from "@dhi/core/protocol";
import { atCursor } from "@dhi/core/testing/at-cursor";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { snippet } from "../testing/snippets.ts";
import { buildPrompt, type PromptInput } from "./build-prompt.ts";
import { families } from "./families.ts";
import { formatById, formatIds } from "./fim-format.ts";

const qwen = formatById("qwen")!;

const round = snippet("shop/money.py", "def round_cents(x):\n    return round(x, 2)", {
  legs: ["definitions"],
});
const line = snippet("shop/line.py", "class Line:\n    price = 0\n");

function build(source: string, more: Partial<PromptInput> = {}) {
  return buildPrompt({
    request: { path: "shop/invoice.py", ...atCursor(source) },
    snippets: [round, line],
    format: qwen,
    mode: "rag",
    budgetTokens: 2048,
    repoName: "shop",
    ...more,
  });
}

const promptOf = (id: string) => build("total = █)\n", { format: formatById(id)! }).prompt;

describe("each family's prompt", () => {
  test("qwen", () => {
    expect(promptOf("qwen")).toMatchInlineSnapshot(`
      "<|repo_name|>shop
      <|file_sep|>shop/line.py
      class Line:
          price = 0
      <|file_sep|>shop/money.py
      def round_cents(x):
          return round(x, 2)
      <|file_sep|>shop/invoice.py
      <|fim_prefix|>total = <|fim_suffix|>)
      <|fim_middle|>"
    `);
  });

  test("codeqwen", () => {
    expect(promptOf("codeqwen")).toMatchInlineSnapshot(`
      "<reponame>shop
      <file_sep>shop/line.py
      class Line:
          price = 0
      <file_sep>shop/money.py
      def round_cents(x):
          return round(x, 2)
      <file_sep>shop/invoice.py
      <fim_prefix>total = <fim_suffix>)
      <fim_middle>"
    `);
  });

  test("starcoder2", () => {
    expect(promptOf("starcoder2")).toMatchInlineSnapshot(`
      "<repo_name>shop<file_sep>shop/line.py
      class Line:
          price = 0
      <file_sep>shop/money.py
      def round_cents(x):
          return round(x, 2)
      <file_sep><fim_prefix>shop/invoice.py
      total = <fim_suffix>)
      <fim_middle>"
    `);
  });

  test("starcoder", () => {
    expect(promptOf("starcoder")).toMatchInlineSnapshot(`
      "<reponame>shop<filename>shop/line.py
      class Line:
          price = 0
      <filename>shop/money.py
      def round_cents(x):
          return round(x, 2)
      <filename>shop/invoice.py
      <fim_prefix>total = <fim_suffix>)
      <fim_middle>"
    `);
  });

  test("refact", () => {
    expect(promptOf("refact")).toMatchInlineSnapshot(`
      "<reponame>shop<filename>shop/line.py
      class Line:
          price = 0
      <filename>shop/money.py
      def round_cents(x):
          return round(x, 2)
      <filename>shop/invoice.py
      <fim_suffix>)
      <fim_prefix>total = <fim_middle>"
    `);
  });

  test("santacoder", () => {
    expect(promptOf("santacoder")).toMatchInlineSnapshot(`
      "<fim-prefix># the below code fragment can be found in:
      # shop/line.py
      # class Line:
      #     price = 0

      # the below code fragment can be found in:
      # shop/money.py
      # def round_cents(x):
      #     return round(x, 2)

      # shop/invoice.py
      total = <fim-suffix>)
      <fim-middle>"
    `);
  });

  test("deepseek", () => {
    expect(promptOf("deepseek")).toMatchInlineSnapshot(`
      "#shop/line.py
      class Line:
          price = 0

      #shop/money.py
      def round_cents(x):
          return round(x, 2)

      #shop/invoice.py
      <｜fim▁begin｜>total = <｜fim▁hole｜>)
      <｜fim▁end｜>"
    `);
  });

  test("deepseek-v2", () => {
    expect(promptOf("deepseek-v2")).toMatchInlineSnapshot(`
      "#shop/line.py
      class Line:
          price = 0

      #shop/money.py
      def round_cents(x):
          return round(x, 2)

      #shop/invoice.py
      <｜fim▁begin｜>total = <｜fim▁hole｜>)
      <｜fim▁end｜>"
    `);
  });

  test("codellama", () => {
    expect(promptOf("codellama")).toMatchInlineSnapshot(`
      "<PRE> # the below code fragment can be found in:
      # shop/line.py
      # class Line:
      #     price = 0

      # the below code fragment can be found in:
      # shop/money.py
      # def round_cents(x):
      #     return round(x, 2)

      # shop/invoice.py
      total =  <SUF>)
       <MID>"
    `);
  });

  test("codegemma", () => {
    expect(promptOf("codegemma")).toMatchInlineSnapshot(`
      "<|file_separator|>shop/line.py
      class Line:
          price = 0
      <|file_separator|>shop/money.py
      def round_cents(x):
          return round(x, 2)
      <|file_separator|>shop/invoice.py
      <|fim_prefix|>total = <|fim_suffix|>)
      <|fim_middle|>"
    `);
  });

  test("codestral", () => {
    expect(promptOf("codestral")).toMatchInlineSnapshot(`
      "[SUFFIX])
      [PREFIX]+++++ shop/line.py
      class Line:
          price = 0

      +++++ shop/money.py
      def round_cents(x):
          return round(x, 2)

      +++++ shop/invoice.py
      total = "
    `);
  });

  test("granite", () => {
    expect(promptOf("granite")).toMatchInlineSnapshot(`
      "<reponame>shop<filename>shop/line.py
      class Line:
          price = 0
      <filename>shop/money.py
      def round_cents(x):
          return round(x, 2)
      <filename>shop/invoice.py
      <fim_prefix>total = <fim_suffix>)
      <fim_middle>"
    `);
  });

  test("granite4", () => {
    expect(promptOf("granite4")).toMatchInlineSnapshot(`
      "<|fim_prefix|># the below code fragment can be found in:
      # shop/line.py
      # class Line:
      #     price = 0

      # the below code fragment can be found in:
      # shop/money.py
      # def round_cents(x):
      #     return round(x, 2)

      # shop/invoice.py
      total = <|fim_suffix|>)
      <|fim_middle|>"
    `);
  });

  test("stable-code", () => {
    expect(promptOf("stable-code")).toMatchInlineSnapshot(`
      "<fim_prefix># the below code fragment can be found in:
      # shop/line.py
      # class Line:
      #     price = 0

      # the below code fragment can be found in:
      # shop/money.py
      # def round_cents(x):
      #     return round(x, 2)

      # shop/invoice.py
      total = <fim_suffix>)
      <fim_middle>"
    `);
  });

  test("seed-coder", () => {
    expect(promptOf("seed-coder")).toMatchInlineSnapshot(`
      "<[fim-suffix]>)
      <[fim-prefix]># the below code fragment can be found in:
      # shop/line.py
      # class Line:
      #     price = 0

      # the below code fragment can be found in:
      # shop/money.py
      # def round_cents(x):
      #     return round(x, 2)

      # shop/invoice.py
      total = <[fim-middle]>"
    `);
  });

  test("mellum", () => {
    expect(promptOf("mellum")).toMatchInlineSnapshot(`
      "<filename>shop/line.py
      class Line:
          price = 0
      <filename>shop/money.py
      def round_cents(x):
          return round(x, 2)
      <filename>shop/invoice.py
      <fim_suffix>)
      <fim_prefix>total = <fim_middle>"
    `);
  });

  test("glm", () => {
    expect(promptOf("glm")).toMatchInlineSnapshot(`
      "<|code_prefix|># the below code fragment can be found in:
      # shop/line.py
      # class Line:
      #     price = 0

      # the below code fragment can be found in:
      # shop/money.py
      # def round_cents(x):
      #     return round(x, 2)

      # shop/invoice.py
      total = <|code_suffix|>)
      <|code_middle|>"
    `);
  });

  test("codegeex4", () => {
    expect(promptOf("codegeex4")).toMatchInlineSnapshot(`
      "<|user|>
      ###REFERENCE:
      ###PATH:shop/line.py
      class Line:
          price = 0
      ###REFERENCE:
      ###PATH:shop/money.py
      def round_cents(x):
          return round(x, 2)
      ###PATH:shop/invoice.py
      ###LANGUAGE:
      ###MODE:BLOCK
      <|code_suffix|>)
      <|code_prefix|>total = <|code_middle|><|assistant|>
      "
    `);
  });

  test("aixcoder", () => {
    expect(promptOf("aixcoder")).toMatchInlineSnapshot(`
      "<AIX-SPAN-PRE><AIX-SPAN-POST>)
      <AIX-SPAN-MIDDLE># the below code fragment can be found in:
      # shop/line.py
      # class Line:
      #     price = 0

      # the below code fragment can be found in:
      # shop/money.py
      # def round_cents(x):
      #     return round(x, 2)

      # shop/invoice.py
      total = "
    `);
  });

  test("falcon-h1", () => {
    expect(promptOf("falcon-h1")).toMatchInlineSnapshot(`
      "<|prefix|># the below code fragment can be found in:
      # shop/line.py
      # class Line:
      #     price = 0

      # the below code fragment can be found in:
      # shop/money.py
      # def round_cents(x):
      #     return round(x, 2)

      # shop/invoice.py
      total = <|suffix|>)
      <|middle|>"
    `);
  });
});

test("every family has its prompt above", async () => {
  const { readFile } = await import("node:fs/promises");
  const here = await readFile(new URL(import.meta.url), "utf8");
  for (const id of formatIds()) expect(here).toContain(`promptOf("${id}")`);
});

describe("context modes", () => {
  test.each<[ContextMode, string]>([
    [
      "symbols",
      "<|repo_name|>shop\n<|file_sep|>shop/money.py\ndef round_cents(x):\n    return round(x, 2)\n" +
        "<|file_sep|>shop/invoice.py\n<|fim_prefix|>x<|fim_suffix|>y<|fim_middle|>",
    ],
    [
      "simple",
      "<|repo_name|>shop\n<|file_sep|>shop/invoice.py\n<|fim_prefix|>x<|fim_suffix|>y<|fim_middle|>",
    ],
    ["raw", "<|fim_prefix|>x<|fim_suffix|>y<|fim_middle|>"],
  ])("%s", (mode, prompt) => {
    expect(build("x█y", { mode }).prompt).toBe(prompt);
  });
});

describe("the parts", () => {
  test("say what stands where, and what it costs", () => {
    const { prompt, parts, tokens, used } = build("x = █", {
      snippets: [round],
      format: formatById("starcoder2")!,
    });
    expect(
      parts.map(({ kind, path, startOffset, endOffset }) => [
        kind,
        path,
        prompt.slice(startOffset, endOffset),
      ]),
    ).toEqual([
      ["repo", undefined, "<repo_name>shop"],
      ["snippet", "shop/money.py", "<file_sep>shop/money.py\ndef round_cents(x):\n    return round(x, 2)\n"],
      ["path", undefined, "<file_sep>"],
      ["sentinel", undefined, "<fim_prefix>"],
      ["path", "shop/invoice.py", "shop/invoice.py\n"],
      ["prefix", undefined, "x = "],
      ["sentinel", undefined, "<fim_suffix>"],
      ["suffix", undefined, ""],
      ["sentinel", undefined, "<fim_middle>"],
    ]);
    expect(parts.map((part) => part.tokens)).toEqual([7, 32, 6, 1, 7, 3, 1, 0, 1]);
    expect(tokens).toBe(58);
    const { path, startLine, endLine, legs } = round;
    expect(used).toEqual(
      [
        ...[
          {
            path,
            startLine,
            endLine,
            legs,
            text: `${round.text}\n`,
            form: "body",
            pieces: [
              {
                startLine: 1,
                endLine: 2,
                text: "def round_cents(x):\n    return round(x, 2)",
                score: 12.025,
              },
            ],
            tokens: 32,
          },
        ],
      ].map((one) => ({ ...one, score: expect.any(Number) })),
    );
  });

  test("an empty repository name leaves no mark", () => {
    expect(build("x█", { repoName: "", snippets: [] }).prompt).toBe(
      "<|file_sep|>shop/invoice.py\n<|fim_prefix|>x<|fim_suffix|><|fim_middle|>",
    );
  });

  test("a path stays on its line", () => {
    const request = { path: "a\nb.py", prefix: "", suffix: "" };
    expect(build("█", { request, snippets: [], repoName: "" }).prompt).toBe(
      "<|file_sep|>a b.py\n<|fim_prefix|><|fim_suffix|><|fim_middle|>",
    );
  });
});

describe("snippets", () => {
  const uses = (name: string, count = 1) =>
    Array.from({ length: count }, (_, i) => `${name}${i}()`).join("\n");

  test("are named by how likely they are needed, and stand by path and line", () => {
    const snippets = [
      snippet("b.py", uses("first", 3), { rank: 0 }),
      snippet("a.py", uses("third"), { rank: 4, startLine: 50 }),
      snippet("c.py", uses("last"), { rank: 6 }),
      snippet("a.py", uses("second"), { rank: 2, startLine: 9 }),
    ];
    const { used, parts } = build("█", { snippets });
    expect(used.map(({ path, text }) => `${path}: ${text}`)).toEqual([
      "b.py: first0()\nfirst1()\nfirst2()\n",
      "a.py: second0()\n\nthird0()\n",
      "c.py: last0()\n",
    ]);
    expect(parts.filter(({ kind }) => kind === "snippet").map(({ path }) => path)).toEqual([
      "a.py",
      "b.py",
      "c.py",
    ]);
  });

  test("the same choice gives the same prompt, whatever the order they were found in", () => {
    const found = (first: number, second: number) => [
      snippet("a.py", "alpha = 1", { rank: first }),
      snippet("b.py", "beta = 2", { rank: second }),
    ];
    expect(build("█", { snippets: found(1, 0).reverse() }).prompt).toBe(
      build("█", { snippets: found(0, 1) }).prompt,
    );
  });

  test("a smaller one takes the room that a bigger one does not fit", () => {
    const snippets = [
      snippet("big.py", `${"x".repeat(8_000)}()`, { rank: 0 }),
      snippet("small.py", uses("small"), { rank: 9 }),
    ];
    expect(build("█", { snippets }).used.map(({ path }) => path)).toEqual(["small.py"]);
  });

  test("what the open file shows is not worth showing again", () => {
    const snippets = [snippet("a.py", "total(price)", { rank: 3 })];
    expect(build("price = 1\n█\nprint(total)", { snippets }).used).toEqual([]);
    expect(build("price = 1\n█", { snippets }).used).toHaveLength(1);
  });

  test("what stood in the prompt before stays there", () => {
    const before = build("█", { snippets: [snippet("b.py", uses("first"))] });
    const snippets = [
      snippet("a.py", uses("other"), { rank: 4 }),
      snippet("b.py", uses("first"), { rank: 0 }),
    ];
    expect(build("█", { snippets, before: { ...before, stays: 0.5 } }).prompt).toBe(before.prompt);
    expect(build("█", { snippets }).prompt).not.toBe(before.prompt);
  });

  test("blank ones are left out", () => {
    expect(build("█", { snippets: [snippet("a.py", " \n\n")] }).used).toEqual([]);
  });

  test("CRLF stays, and each line of a commented one is a comment in the open file's language", () => {
    const request = { path: "main.go", prefix: "", suffix: "" };
    const format = formatById("codellama")!;
    expect(build("█", { request, format, snippets: [snippet("a.go", "ax\r\n\r\nay\r\n")] }).prompt).toBe(
      "<PRE> // the below code fragment can be found in:\n// a.go\n// ax\r\n//\r\n// ay\n\n// main.go\n <SUF> <MID>",
    );
  });
});

describe("the budget", () => {
  const long = "total = price.times(quantity)\n".repeat(3000);
  const many = Array.from({ length: 40 }, (_, i) =>
    snippet(`f${i}.py`, long.slice(i, i + 900), { score: i }),
  );
  const partOf = ({ parts }: ReturnType<typeof buildPrompt>, kind: string) =>
    parts.find((p) => p.kind === kind)!;

  test.each(formatIds())("%s: prefix ≥ 400 tokens, a suffix of full lines, snippets ≤ half", (id) => {
    const format = formatById(id)!;
    const built = build(`${long}█\n${long}`, { format, snippets: many });
    // In PSM order it is read again at each keystroke.
    const [most, least] = format.order === "PSM" ? [114, 90] : [250, 200];
    expect(built.tokens).toBeLessThanOrEqual(2048);
    expect(built.tokens).toBeGreaterThan(1600);
    expect(partOf(built, "prefix").tokens).toBeGreaterThanOrEqual(400);
    expect(partOf(built, "suffix").tokens).toBeLessThanOrEqual(most);
    expect(partOf(built, "suffix").tokens).toBeGreaterThan(least);
    expect(built.used.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(1024);
    expect(built.used.length).toBeGreaterThanOrEqual(2);
  });

  test("what snippets leave goes to the prefix", () => {
    expect(partOf(build(`${long}█`, { snippets: [] }), "prefix").tokens).toBeGreaterThan(1700);
  });

  test("typing changes only the end of the prompt, but for a hop each 256 tokens", () => {
    const text = "order.lines.map(item => item.price) ".repeat(40);
    let last = { head: "", before: build(`${long}█\n${long}`, { snippets: many }) };
    let hops = 0;
    for (let i = 0; i < text.length; i += 8) {
      const source = `${long}${text.slice(0, i)}█\n${long}`;
      const built = build(source, { snippets: many, before: { ...last.before, stays: 0.5 } });
      const head = built.prompt.slice(0, partOf(built, "prefix").endOffset);
      if (!head.startsWith(last.head)) hops++;
      last = { head, before: built };
    }
    expect(hops).toBeLessThanOrEqual(Math.ceil(text.length / 3.5 / 256));
  });

  test("the text left of the cursor begins where it did before, in the other direction, too", () => {
    const lines = Array.from({ length: 400 }, (_, i) => `total${i} = price.times(quantity)\n`);
    const beginsAt = (prefix: string) => prefix.split(" ", 1)[0];
    const prefixOf = (built: ReturnType<typeof buildPrompt>) => {
      const { startOffset, endOffset } = partOf(built, "prefix");
      return built.prompt.slice(startOffset, endOffset);
    };
    let before = build(`${lines.slice(0, 250).join("")}█`, {});
    const begins = new Set<string | undefined>();
    // Up to a place where the window has to move, and to and fro around it.
    for (const n of [...Array.from({ length: 40 }, (_, i) => 250 + i), ...[280, 289, 281, 288, 282]]) {
      before = build(`${lines.slice(0, n).join("")}█`, { before: { ...before, stays: 0.5 } });
      begins.add(beginsAt(prefixOf(before)));
    }
    expect(begins.size).toBeGreaterThan(1);
    const last = beginsAt(prefixOf(before));
    for (const n of [289, 281, 288])
      expect(
        beginsAt(prefixOf(build(`${lines.slice(0, n).join("")}█`, { before: { ...before, stays: 0.5 } }))),
      ).toBe(last);
  });

  test("far from where it was, it begins anew", () => {
    const before = { ...build(`${long}█`, {}), stays: 0.5 };
    const source = `${long.slice(0, 30_000)}█`;
    expect(build(source, { before }).prompt).toBe(build(source, {}).prompt);
  });

  test("what is written ahead stands behind the same text, though it would be cut for who types", () => {
    const lines = Array.from({ length: 400 }, (_, i) => `total${i} = price.times(quantity)\n`).join("");
    let before = build(`${lines}█`, {});
    const headOf = (built: ReturnType<typeof buildPrompt>) =>
      built.prompt.slice(0, partOf(built, "prefix").startOffset + 40);
    for (let typed = lines; typed.length < lines.length + 2_000; typed += "more ") {
      const ahead = build(`${typed}total = price.times(quantity)█`, { before: { ...before, stays: 0 } });
      before = build(`${typed}█`, { before: { ...before, stays: 0.5 } });
      if (headOf(before) === headOf(ahead)) continue;
      const next = build(`${typed}more total = price.times(█`, { before: { ...before, stays: 0 } });
      expect(headOf(next), "moved with the typing, and only then").toBe(headOf(before));
    }
  });

  test("a short file's snippets do not change with each keystroke", () => {
    const choices = new Set<string>();
    for (let i = 0; i < 56; i++) {
      const { used } = build(`${"y".repeat(i)}█`, { snippets: many, budgetTokens: 600 });
      choices.add(used.map(({ path }) => path).join());
    }
    expect(choices.size).toBeLessThanOrEqual(2);
  });
});

describe("for every family and any input", () => {
  const everyToken = families.flatMap(({ format }) => [...format.tokens, ...format.stop]);
  const code = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 60 }),
    fc.constantFrom("\n", "\r\n", "    ", "return total;\n", "# ", "😀", "数据", "<PRE", "<|fim_", "+++++ "),
    fc.constantFrom(...everyToken),
  );
  const text = fc.oneof(
    { weight: 8, arbitrary: fc.array(code, { maxLength: 30 }).map((pieces) => pieces.join("")) },
    {
      weight: 1,
      arbitrary: fc.tuple(code, fc.integer({ min: 1, max: 20_000 })).map(([s, n]) => s.repeat(n)),
    },
  );
  const path = fc
    .oneof(fc.constantFrom("a.py", "src/b.ts", "Makefile", "x\ny.md"), code)
    .filter((s) => s !== "");
  const anySnippet = fc.record({ path, text, score: fc.double({ noNaN: true }), line: fc.nat(1000) });
  const input = fc.record({
    format: fc.constantFrom(...families.map(({ format }) => format)),
    request: fc.record({ path, prefix: text, suffix: text }),
    snippets: fc.array(
      anySnippet.map(({ line: at, ...s }) =>
        snippet(s.path, s.text, {
          score: s.score,
          startLine: at,
          legs: at % 2 ? ["definitions"] : ["vector"],
        }),
      ),
      { maxLength: 6 },
    ),
    mode: fc.constantFrom<ContextMode>("rag", "symbols", "simple", "raw"),
    budgetTokens: fc.oneof(fc.integer({ min: 4, max: 64 }), fc.integer({ min: 64, max: 4096 })),
    repoName: fc.oneof(fc.constant(""), code),
  });

  test("sentinels stand once each and in order, the cursor is where it belongs, and all fits", () => {
    fc.assert(
      fc.property(input, (given) => {
        const { prompt, parts, tokens, used } = buildPrompt(given);
        const { format, request } = given;

        const order =
          format.order === "PSM" ? [format.prefix, format.suffix] : [format.suffix, format.prefix];
        const sentinels = [format.opening ?? "", ...order, format.middle].filter((s) => s !== "");
        expect(
          parts.filter((p) => p.kind === "sentinel").map((p) => prompt.slice(p.startOffset, p.endOffset)),
        ).toEqual(sentinels);
        for (const sentinel of sentinels) expect(prompt.split(sentinel.trim())).toHaveLength(2);
        expect(prompt.endsWith(format.middle)).toBe(true);

        expect(tokens).toBeLessThanOrEqual(given.budgetTokens);
        expect(tokens).toBe(parts.reduce((sum, part) => sum + part.tokens, 0));
        let offset = 0;
        for (const part of parts) {
          expect(part.startOffset).toBe(offset);
          offset = part.endOffset;
        }
        expect(offset).toBe(prompt.length);
        expect(prompt.isWellFormed()).toBe(true);

        const prefixPart = parts.find((p) => p.kind === "prefix")!;
        const suffixPart = parts.find((p) => p.kind === "suffix")!;
        const shownPrefix = prompt.slice(prefixPart.startOffset, prefixPart.endOffset);
        const shownSuffix = prompt.slice(suffixPart.startOffset, suffixPart.endOffset);
        expect(plain(request.prefix).endsWith(plain(shownPrefix))).toBe(true);
        expect(plain(request.suffix).startsWith(plain(shownSuffix))).toBe(true);
        const afterPrefix = format.order === "PSM" ? format.suffix : format.middle;
        expect(prompt.slice(prefixPart.endOffset).startsWith(afterPrefix)).toBe(true);

        expect(parts.filter((p) => p.kind === "snippet")).toHaveLength(used.length);
        const shown = new Set(given.snippets.flatMap((s) => s.text.split(/\r?\n/)));
        for (const { text: own } of used)
          for (const one of own.split(/\r?\n/)) if (one.trim()) expect(shown).toContain(one);
      }),
      { numRuns: 400 },
    );
  });

  test("no family's tokens reach another", () => {
    for (const { format } of families) {
      const foreign = everyToken.filter(
        (token) => !format.tokens.includes(token) && !format.stop.includes(token),
      );
      for (const mode of ["rag", "symbols", "simple", "raw"] as const) {
        const { prompt } = build("total = █)\n", { format, mode });
        expect(foreign.filter((token) => prompt.includes(token))).toEqual([]);
      }
    }
  });
});

/** Neutralised or not, the same. */
const plain = (text: string) => text.replaceAll("＜", "<").replaceAll("［", "[");
