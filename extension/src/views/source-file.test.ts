import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { sourceFile } from "./source-file.ts";

const root = mkdtempSync(join(tmpdir(), "dhi-source-"));
afterAll(() => rmSync(root, { recursive: true }));
for (const name of ["shop", "docs"]) {
  mkdirSync(join(root, name));
  writeFileSync(join(root, name, "a.py"), "");
}

const folder = (name: string) => ({ name, path: join(root, name), realPath: join(root, name) });
const served = (name: string, isHere = true) => ({
  name,
  path: isHere ? join(root, name) : `/srv/${name}`,
  isHere,
});

test.each([
  ["of the one workspace", { path: "a.py" }, [], [served("shop")], "shop/a.py"],
  [
    "of the named workspace",
    { workspace: "docs", path: "a.py" },
    [],
    [served("shop"), served("docs")],
    "docs/a.py",
  ],
  [
    "of the folder with the name of a workspace in a container",
    { workspace: "docs", path: "a.py" },
    [folder("shop"), folder("docs")],
    [served("docs", false)],
    "docs/a.py",
  ],
  ["of an open folder while nothing is known", { path: "a.py" }, [folder("shop")], [], "shop/a.py"],
])("finds the file %s", (_, file, folders, workspaces, expected) => {
  expect(sourceFile(file, folders, workspaces)).toBe(join(root, expected));
});

test("a file that is not on this machine has no place", () => {
  expect(
    sourceFile({ path: "b.py" }, [folder("shop")], [served("shop"), served("docs", false)]),
  ).toBeUndefined();
});
