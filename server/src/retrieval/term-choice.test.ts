import { type IndexDb, openIndexForWriting } from "@dhi/core/index-db";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chooseTerms, MAX_RANKED } from "./term-choice.ts";

const home = tempDir();
let db: IndexDb;
beforeAll(() => {
  db = openIndexForWriting(home.dir);
  const insert = db.prepare("INSERT INTO terms (words) VALUES (?)");
  db.transaction(() => {
    for (let i = 0; i <= MAX_RANKED; i++) insert.run(`const ${i % 2 ? "string" : "number"} word${i}`);
    for (let i = 0; i <= MAX_RANKED; i++) insert.run("string");
    for (let i = 0; i <= MAX_RANKED; i++) insert.run("alone");
    for (const words of ["invoice const", "invoice total", "total"]) insert.run(words);
  })();
});
afterAll(() => {
  db.close();
  home[Symbol.dispose]();
});

test.each<[string, string[], string, object]>([
  ["all are ranked that few chunks hold", ["total", "invoice"], "", { match: '"total" OR "invoice"' }],
  ["one that is everywhere is left out beside others", ["const", "invoice"], "", { match: '"invoice"' }],
  ["one that no chunk holds is left out", ["nobody", "invoice"], "", { match: '"invoice"' }],
  [
    "those that are everywhere have to stand together",
    ["const", "string"],
    "",
    { match: '"const" AND "string"', newest: true },
  ],
  ["one that is everywhere has its newest chunks ranked", ["const"], "", { match: '"const"', newest: true }],
  ["a start is one more", ["total"], "inv", { match: '"total" OR "inv"*' }],
  ["a start that many words have says nothing", ["total"], "wor", { match: '"total"' }],
  ["quotes are no syntax", ['a"b'], "", { match: "" }],
])("%s", (_, terms, start, expected) => {
  expect(chooseTerms(db, terms, { start })).toMatchObject(expected);
});

test("says how many chunks hold each of those that are ranked, the rarest first", () => {
  const { terms } = chooseTerms(db, ["total", "const", "invoice", "nobody"], { start: "word1000" });
  expect([...terms]).toEqual([
    ["word1000", 1],
    ["total", 2],
    ["invoice", 2],
  ]);
});

test("of those that are everywhere and never together the first is ranked", () => {
  expect(chooseTerms(db, ["alone", "string"])).toEqual({ match: '"alone"', newest: true, terms: new Map() });
});
