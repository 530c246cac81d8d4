import { usualLegs } from "@dhi/core/protocol";
import { type TempRepo, tempDir, tempRepo } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { gitIn } from "./edits-commits.ts";
import { cutEditCursors, type EditCursor } from "./edits-cursors.ts";
import { measureEdits } from "./edits-measure.ts";
import { editsFigures, writeEditsReport } from "./edits-report.ts";
import { serveHere } from "./testing/serve-here.ts";

const rebate = `export function loyaltyRebate(order) {
  return order.total * 0.1;
}
`;
const invoice = (more: string) => `import { order } from "./order.js";

export function invoiceTotal(order) {
  let sum = order.total;
${more}  return sum;
}
`;

const added = "  // takes something off\n  sum -= loyaltyRebate(order);\n  sum = Math.round(sum);\n";

/** Of three commits, the one in the middle works on two code files at once; the last changes one, and prose. */
function shop(): TempRepo {
  const repo = tempRepo({
    "src/invoice.js": invoice(""),
    "src/order.js": "export const order = { total: 1 };\n",
  });
  repo.commit();
  repo.write("src/rebate.js", rebate);
  repo.write("src/invoice.js", invoice(added));
  repo.commit();
  repo.write("src/order.js", "export const order = { total: 2 };\n");
  repo.write("NOTES.md", "loyaltyRebate\n");
  repo.commit();
  return repo;
}

/** By path. */
const cursorsOf = (repo: TempRepo): EditCursor[] =>
  [...cutEditCursors(gitIn(repo.dir), "shop", 1)].sort((a, b) => (a.path < b.path ? -1 : 1));

test("a line that needs another file's name is the cursor, and the rest of its hunk is not written yet", () => {
  using repo = shop();
  const commit = repo.git("rev-parse", "HEAD~1").trim();
  const [prefix, suffix] = invoice("  // takes something off\n  █\n").split("█");
  expect(cursorsOf(repo)).toEqual([
    {
      ...{ id: `${commit.slice(0, 12)}/src/invoice.js:6`, package: "shop", commit, path: "src/invoice.js" },
      ...{ prefix, continuation: "sum -= loyaltyRebate(order);", suffix },
      needed: new Set(["loyaltyRebate"]),
      surroundings: {
        openFiles: ["src/rebate.js"],
        recentEdits: [{ path: "src/rebate.js", startLine: 1, endLine: 3 }],
      },
      editedText: rebate.trimEnd(),
    },
    {
      ...{ id: `${commit.slice(0, 12)}/src/rebate.js:1`, package: "shop", commit, path: "src/rebate.js" },
      ...{ prefix: "", continuation: "export function loyaltyRebate(order) {", suffix: "\n" },
      needed: new Set(["loyaltyRebate", "order"]),
      surroundings: {
        openFiles: ["src/invoice.js"],
        recentEdits: [{ path: "src/invoice.js", startLine: 5, endLine: 7 }],
      },
      editedText: added.trimEnd(),
    },
  ]);
});

test("Dhi is asked at the commit's tree, with the edits and without", async () => {
  using repo = shop();
  const [cursor] = cursorsOf(repo);
  const served = await serveHere([{ name: "shop", dir: repo.dir, files: new Map() }]);
  const asked: unknown[] = [];
  function post(path: string, body: object) {
    if ("legs" in body) asked.push(body.legs);
    return served.post(path, body);
  }
  try {
    const scores = await measureEdits({ ...served, post }, repo.dir, cursor ? [cursor] : []);
    expect(scores).toEqual([{ cursor, without: 1, with: 1, found: true, inEdits: 1 }]);
    expect(asked).toEqual([usualLegs.filter((leg) => leg !== "edits"), usualLegs]);
    expect(repo.git("rev-parse", "HEAD").trim()).toBe(cursor?.commit);
  } finally {
    await served.close();
  }
}, 60_000);

test("shares and their difference are reported, and another repository's run stays", () => {
  using repo = shop();
  using out = tempDir();
  const scores = cursorsOf(repo)
    .slice(0, 1)
    .flatMap((cursor) => [
      { cursor, without: 0, with: 1, found: true, inEdits: 1 },
      { cursor, without: 0, with: 0, found: false, inEdits: 0 },
    ]);
  const run = { head: "abc", commit: "def", seed: 1, count: 2 };
  writeEditsReport(out.dir, editsFigures(scores, { ...run, repository: "shop" }));
  const markdown = writeEditsReport(
    out.dir,
    editsFigures(scores.slice(0, 1), { ...run, repository: "bank" }),
  );
  expect(markdown.match(/^\| (bank|shop) .*/gm)?.map((row) => row.replaceAll(/ +/g, " "))).toEqual([
    "| bank | 1 | 100.0 % | 100.0 % | 0.0 % | 100.0 % | +100.0 (+100.0 to +100.0) |",
    "| shop | 2 | 50.0 % | 50.0 % | 0.0 % | 50.0 % | +50.0 (+0.0 to +100.0) |",
  ]);
});
