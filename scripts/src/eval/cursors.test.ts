import { expect, test } from "vitest";
import { corpusFile } from "./corpus.ts";
import { bodyOf, type Cursor, cutCursors } from "./cursors.ts";
import type { DefinitionSite } from "./facts.ts";
import { groupBy } from "./group-by.ts";
import { factsOf } from "./testing/situation.ts";

const money = `/** In euros. */
export function formatCents(cents: number): string {
  return String(cents / 100);
}
export class Wallet {
  balance(): number {
    return 0;
  }
}
`;
const invoice = `import { formatCents } from "./money";

export function total(lines: number[]): string {
  let cents = 0;
  for (const line of lines) cents += line;

  const shown = formatCents(cents);
  return shown;
}
`;
const files = { "src/money.ts": money, "src/invoice.ts": invoice };

function cursorsOf(some: Readonly<Record<string, string>>, n = 20, seed = 1): Cursor[] {
  const { corpus, facts } = factsOf(some);
  return cutCursors(corpus, facts, n, seed);
}
const shown = ({ prefix, continuation, suffix }: Cursor) => `${prefix}█${continuation}▒${suffix}`;

test("cuts where another file's definition is used: prefix, continuation and suffix are the file", () => {
  const cursors = cursorsOf(files);
  expect(cursors.map(({ kind, path, line }) => [kind, path, line])).toEqual([
    ["next-line", "src/invoice.ts", 7],
  ]);
  expect(cursors.map(shown)).toEqual([
    invoice.replace("const shown = formatCents(cents);", "█const shown = formatCents(cents);▒"),
  ]);
  expect(cursors[0]).toMatchObject({
    id: "shop-1.0/src/invoice.ts:7:3:next-line",
    identifiers: ["shown", "formatCents", "cents"],
    gold: [{ name: "formatCents", path: "src/money.ts", nameLine: 2 }],
  });
});

const use = (n: number) => `export function use${n}(): string {\n  const text${n} = formatCents(${n});\n}\n`;
const many = Object.fromEntries(
  Array.from({ length: 8 }, (_, i) => [
    `src/use${i}.ts`,
    `import { formatCents } from "./money";\n${use(i)}`,
  ]),
);

test("every kind comes up, each where it belongs", () => {
  const cursors = cursorsOf({ ...many, "src/money.ts": money });
  const byKind = groupBy(cursors, ({ kind }) => kind);
  expect(Object.fromEntries([...byKind].map(([kind, some]) => [kind, some.length]))).toEqual({
    "next-line": 2,
    "mid-line": 2,
    "mid-identifier": 2,
    body: 2,
  });
  for (const { prefix, continuation } of byKind.get("mid-line") ?? [])
    expect([prefix, continuation]).toEqual([
      expect.stringMatching(/const( text\d =)? ?(text\d )?$/),
      expect.stringMatching(/formatCents/),
    ]);
  for (const { prefix, identifiers } of byKind.get("mid-identifier") ?? []) {
    expect("formatCents".startsWith(/\w+$/.exec(prefix)?.[0] ?? "none")).toBe(true);
    expect(identifiers).toEqual(["formatCents"]);
  }
  for (const { prefix, continuation } of byKind.get("body") ?? [])
    expect([prefix.endsWith("{\n  "), /^const text\d = formatCents\(\d\);$/.test(continuation)]).toEqual([
      true,
      true,
    ]);
});

test("the first n cursors are those of a smaller n; another seed gives others", () => {
  const all = { ...many, "src/money.ts": money };
  const ids = (n: number, seed: number) => cursorsOf(all, n, seed).map(({ id }) => id);
  expect(ids(3, 1)).toEqual(ids(8, 1).slice(0, 3));
  expect(ids(8, 2)).not.toEqual(ids(8, 1));
});

test.each([
  ["defined in the file itself", { "src/invoice.ts": `${invoice}export function formatCents() {}\n` }],
  [
    "defined four times",
    Object.fromEntries([1, 2, 3].map((n) => [`src/other${n}.ts`, "export function formatCents() {}\n"])),
  ],
  ["of another language", { "src/money.ts": "", "src/money.py": "def formatCents(cents):\n  pass\n" }],
])("a name %s is no gold", (_, changed) => {
  expect(cursorsOf({ ...files, ...changed })).toEqual([]);
});

test("what stands alone is no other class's member, what stands behind a dot may be", () => {
  const uses = (call: string) => ({
    "src/wallet.ts": money,
    "src/pay.ts": `export function pay(w: unknown): void {\n  ${call};\n}\n`,
  });
  expect(cursorsOf(uses("balance()"))).toEqual([]);
  expect(cursorsOf(uses("w.balance()")).map(({ gold }) => gold.map(({ name }) => name))).toEqual([
    ["balance"],
  ]);
});

const site = (name: string, nameLine: number, endLine: number): DefinitionSite => ({
  ...{ name, kind: "function", container: null, path: "x", startLine: nameLine, endLine, nameLine },
});

test.each([
  ["f.py", 'def total(\n  a,\n):\n  """Adds.\n\n  All.\n  """\n  return a\n', { first: 8, last: 8 }],
  ["f.py", "def total(a):\n  '''Adds.'''\n\n  return a\n", { first: 4, last: 4 }],
  ["f.go", "func total() {\n\n\treturn\n\n}\n", { first: 3, last: 3 }],
  ["f.ts", "function total() { return 1; }\n", undefined],
])("a body is what stands between a function's head and its end, %s: %j", (path, text, expected) => {
  const file = corpusFile(path, text);
  expect(bodyOf(file, site("total", 1, file.lines.length - 1))).toEqual(expected);
});
