import type { SkippedRequest } from "@dhi/core/files-protocol";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { afterEach, beforeEach, expect, test } from "vitest";
import { seedIndex } from "../testing/seed-index.ts";
import { createWorkspaces, type Workspaces } from "../workspaces.ts";
import { listSkipped } from "./skipped.ts";

let workspaces: Workspaces;
let skip: (path: string, reason: string) => void;
let stop: () => void;

beforeEach(() => {
  const home = tempDir();
  const db = seedIndex(home.dir, [{ path: "src/a.ts", text: "export {};\n" }]);
  const insert = db.prepare("INSERT INTO files VALUES (?, NULL, 'plaintext', 9, 0, ?)");
  skip = (path, reason) => void insert.run(path, reason);
  skip("lib/min.js", "minified");
  skip(".env", "secret");
  skip("img/Logo.png", "binary");
  skip("img/b.png", "binary");
  const shop = { name: "shop", roots: ["/work/shop"], index: { get: () => db, close() {} } };
  const bare = { name: "bare", roots: ["/work/bare"], index: { get: () => undefined, close() {} } };
  // Only the index is read.
  workspaces = createWorkspaces([shop, bare] as never);
  stop = () => {
    db.close();
    home[Symbol.dispose]();
  };
});
afterEach(() => stop());

const list = (asked: Partial<SkippedRequest> = {}) =>
  listSkipped({ workspace: "shop", after: "", ...asked }, workspaces);

test("every file that is left out is listed once, with its reason, and none that is indexed", () => {
  expect(list()).toEqual({
    reasons: [
      { reason: "binary", files: 2 },
      { reason: "minified", files: 1 },
      { reason: "secret", files: 1 },
    ],
    files: [
      { path: ".env", reason: "secret", bytes: 9 },
      { path: "img/Logo.png", reason: "binary", bytes: 9 },
      { path: "img/b.png", reason: "binary", bytes: 9 },
      { path: "lib/min.js", reason: "minified", bytes: 9 },
    ],
    next: null,
  });
});

test("a reason narrows the files and not the reasons; a part of the path in any case narrows both", () => {
  expect(list({ reason: "secret" })).toMatchObject({
    files: [{ path: ".env" }],
    reasons: [{ reason: "binary" }, { reason: "minified" }, { reason: "secret" }],
  });
  expect(list({ match: "LOGO" })).toMatchObject({
    files: [{ path: "img/Logo.png" }],
    reasons: [{ reason: "binary", files: 1 }],
  });
  // No patterns: they mean themselves.
  expect(list({ match: "%" })).toEqual({ reasons: [], files: [], next: null });
});

test("pages follow each other without a gap", () => {
  for (let i = 0; i < 450; i++) skip(`many/${String(i).padStart(3, "0")}.bin`, "too-large");
  const seen: string[] = [];
  let next: string | null = "";
  let pages = 0;
  while (next !== null) {
    const page = list({ reason: "too-large", after: next });
    expect(page.files.length).toBeLessThanOrEqual(200);
    seen.push(...page.files.map(({ path }) => path));
    next = page.next;
    pages++;
  }
  expect(pages).toBe(3);
  expect(new Set(seen).size).toBe(450);
});

test("without an index nothing is known, and another workspace's name is refused", () => {
  expect(list({ workspace: "bare" })).toEqual({ reasons: [], files: [], next: null });
  expect(() => list({ workspace: "bank" })).toThrow(expect.objectContaining({ status: 404 }));
});
