import { atCursor } from "@dhi/core/testing/at-cursor";
import { describe, expect, test } from "vitest";
import { Corpus } from "./corpus.ts";
import { OpenFileReader } from "./open-file.ts";
import { type PredictedLine, predictLine, startWorthSaying } from "./predict-line.ts";

interface Scene {
  /** Path → text. */
  readonly repository?: Readonly<Record<string, string>>;
  readonly symbols?: readonly string[];
  readonly threshold?: number;
  readonly maxTokens?: number;
}

const repeat = (line: string, times: number) => `${line}\n`.repeat(times);

function predict(
  source: string,
  { repository = {}, symbols = [], threshold = 0.5, maxTokens = 100 }: Scene = {},
): PredictedLine {
  const corpus = new Corpus({ headBits: 10 });
  for (const [path, text] of Object.entries(repository)) corpus.add({ path, text, symbols });
  const { prefix, suffix } = atCursor(source);
  const open = new OpenFileReader(corpus.vocabulary).read(prefix, suffix);
  return predictLine({ corpus, open, path: "src/open.ts" }, { threshold, maxTokens });
}

describe("what is worth saying", () => {
  const said = (confidences: readonly number[], threshold = 0.5) =>
    startWorthSaying(
      confidences.map((confidence) => ({ added: "name", confidence })),
      { threshold, maxTokens: 9 },
    ).tokens;

  test("is as long as it is sure, and nearly as sure as the shortest that can be shown", () => {
    expect([said([0.9, 0.88, 0.85]), said([0.9, 0.88, 0.7]), said([0.9, 0.4])]).toEqual([3, 2, 1]);
  });

  test("goes on through what is too short to be shown, however much less sure it gets", () => {
    const tokens = [
      { added: "(", confidence: 0.95 },
      { added: "name", confidence: 0.6 },
    ];
    expect(startWorthSaying(tokens, { threshold: 0.5, maxTokens: 9 })).toEqual({
      ...{ text: "(name", confidence: 0.6, tokens: 2, cut: false },
    });
  });
});

describe("the line", () => {
  test("goes on as the same lines above did, up to their end", () => {
    const above = repeat("log.info(request.path, startedAt);", 8);
    expect(predict(`${above}log.█`).text).toBe("info(request.path, startedAt);");
  });

  test("goes on as lines below do", () => {
    const below = repeat("log.info(request.path, startedAt);", 4);
    expect(predict(`log.█\n${below}`, { threshold: 0.2 }).text).toBe("info(request.path, startedAt);");
  });

  test("goes on as lines of other files do", () => {
    const repository = { "lib/a.ts": repeat("log.info(request.path);", 12) };
    expect(predict("start();\nlog.█", { repository, threshold: 0.2 }).text).toMatch(/^info\(/);
  });

  test("takes its spaces from what it repeats, but not one that is typed already", () => {
    const above = repeat("const total = a + b;", 4);
    expect(predict(`${above}const total█`).text).toBe(" = a + b;");
    expect(predict(`${above}const total █`).text).toBe("= a + b;");
  });

  test("follows the open file where the repository goes on otherwise", () => {
    const repository = { "lib/a.ts": repeat("db.run(old);", 4) };
    expect(predict(`${repeat("db.run(fresh);", 4)}db.run(█`, { repository }).text).toBe("fresh);");
  });

  test("follows a neighbour where files elsewhere go on otherwise", () => {
    const repository = {
      "lib/a.ts": repeat("db.run(elsewhere);", 6),
      "src/near.ts": repeat("db.run(neighbour);", 6),
      "lib/b.ts": repeat("db.run(elsewhere);", 2),
    };
    expect(predict("start();\ndb.run(█", { repository, threshold: 0.05 }).text).toBe("neighbour);");
  });

  test("does not learn from the indexed copy of the open file", () => {
    const repository = { "src/open.ts": repeat("log.info(request.path);", 8) };
    expect(predict("log.█", { repository })).toEqual({ text: "", confidence: 1, tokens: 0, cut: false });
  });

  test("is as long as can be trusted", () => {
    const above = ["one", "two", "three", "four"].map((x) => `save(account, ${x});\n`).join("");
    expect(predict(`${above}save(█`).text).toBe("account,");
  });

  test("is empty where nothing like it was seen", () => {
    expect(predict("const x = 1;\nunheard.of.█", { repository: { "a.ts": "other();" } }).text).toBe("");
  });

  test("ends at maxTokens and says so", () => {
    const above = repeat("log.info(request.path, startedAt);", 4);
    expect(predict(`${above}log.█`, { maxTokens: 2 })).toMatchObject({ text: "info(", tokens: 2, cut: true });
  });

  test("has a confidence that is the less the longer it is, and never below the threshold", () => {
    const above = repeat("log.info(request.path, startedAt);", 4);
    const short = predict(`${above}log.█`, { maxTokens: 1 });
    const long = predict(`${above}log.█`);
    expect(long.confidence).toBeLessThan(short.confidence);
    expect(long.confidence).toBeGreaterThanOrEqual(0.5);
  });
});

describe("a partly typed name", () => {
  const money = { "src/money.ts": "export function formatCents(amount: number): string {\n  return x;\n}\n" };

  test("is completed when another file defines the only one that fits", () => {
    const found = predict("const t = formatC█", {
      repository: money,
      symbols: ["formatCents"],
      threshold: 0.7,
    });
    expect(found.text).toMatch(/^ents/);
  });

  test("is left alone when several fit as well", () => {
    const repository = { "a.ts": "formatCents;\nformatCurrency;\nformatColumn;\n" };
    expect(predict("const t = formatC█", { repository, threshold: 0.7 }).text).toBe("");
  });

  test("is completed as the place wants it, not as it is elsewhere", () => {
    const repository = { "a.ts": repeat("formatColumn;", 8) };
    const above = repeat("const t = formatCents(a);", 4);
    expect(predict(`${above}const t = formatC█`, { repository }).text).toBe("ents(a);");
  });

  test("is not lengthened when it is a whole word that goes on here", () => {
    const repository = { "a.ts": repeat("totals;", 3) };
    const above = repeat("return total * rate;", 6);
    expect(predict(`${above}return total█`, { repository }).text).toBe(" * rate;");
  });
});

describe("the reader of the open file", () => {
  test("gives the same after each keystroke as one that reads the file anew", () => {
    const corpus = new Corpus({ headBits: 10 });
    const kept = new OpenFileReader(corpus.vocabulary);
    const source = `${repeat("if (ok) {\n  log.info(path);\n}", 3)}if (ok) {\n  log.info(path);\n`;
    const suffix = "\n  done();\n";
    const tokens = ({ above, below }: ReturnType<OpenFileReader["read"]>) =>
      [above, below].map((store) => Array.from({ length: store.length }, (_, i) => store.id(i)));
    // Typing to the end, then going back up.
    for (const end of [...source].map((_, i) => i + 1).concat(40, 80)) {
      const fresh = new OpenFileReader(corpus.vocabulary).read(source.slice(0, end), suffix);
      const read = kept.read(source.slice(0, end), suffix);
      expect([tokens(read), read.tail, read.indent]).toEqual([tokens(fresh), fresh.tail, fresh.indent]);
    }
  });

  test("drops the start of a long file in hops, so that typing does not read it anew", () => {
    const reader = new OpenFileReader(new Corpus({ headBits: 10 }).vocabulary);
    const prefix = repeat("call(one, two);", 10_000);
    const { above } = reader.read(prefix, "");
    const before = above.length;
    expect(before).toBeLessThan(40_000);
    expect(reader.read(`${prefix}call(three);\n`, "").above).toBe(above);
    expect(above.length).toBe(before + 6);
  });
});

test("a name that nobody has written is followed by what follows other names", () => {
  const above = ["first", "second", "third"]
    .map((name) => `const ${name} = open();\nuse(${name});\n`)
    .join("");
  expect(predict(`${above}const neverSeen █`, { threshold: 0.2 }).text).toMatch(/^= open\(\);/);
});
