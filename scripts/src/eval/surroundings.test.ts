import { expect, test } from "vitest";
import { surroundingsOf } from "./surroundings.ts";
import { situationAt } from "./testing/situation.ts";

const importing = 'import { formatCents } from "../money";\n';
const code = "export const x = 1;\n".repeat(20);
const files = {
  ...Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`shop/near${n}.ts`, code])),
  ...Object.fromEntries([1, 2, 3].map((n) => [`bank/sharing${n}.ts`, importing + code])),
  ...Object.fromEntries([1, 2, 3, 4].map((n) => [`far/other${n}.ts`, code])),
  "shop/near.py": "x = 1\n",
  "money.ts": "export function formatCents() {}\n",
};
const { corpus, facts, cursor } = situationAt(files, "shop/a.ts", `${importing}█formatCents()▒;\n`);

test("three files of the same folder and two that import the same, in one language, and edits in three of them", () => {
  const { openFiles, recentEdits } = surroundingsOf(corpus, facts, cursor, 1);
  expect(openFiles.map((path) => path.replace(/\d/, ""))).toEqual([
    ...["shop/near.ts", "shop/near.ts", "shop/near.ts"],
    ...["bank/sharing.ts", "bank/sharing.ts"],
  ]);
  expect(new Set(openFiles).size).toBe(5);
  expect(recentEdits).toHaveLength(3);
  for (const { path, startLine, endLine } of recentEdits) {
    expect(openFiles).toContain(path);
    expect([startLine >= 1, endLine - startLine, endLine <= 22]).toEqual([true, 7, true]);
  }
});

test("the same seed opens the same files, another cursor or seed others", () => {
  const opened = (id: string, seed: number) => surroundingsOf(corpus, facts, { ...cursor, id }, seed);
  expect(opened("a", 1)).toEqual(opened("a", 1));
  expect(opened("a", 2)).not.toEqual(opened("a", 1));
  expect(opened("b", 1)).not.toEqual(opened("a", 1));
});
