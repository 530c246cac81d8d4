import { expect, test } from "vitest";
import { addressOf, locateFile, type ServedWorkspace, type WorkspaceFolder } from "./locate-file.ts";

const folder = (path: string, realPath = path): WorkspaceFolder => ({
  name: path.slice(path.lastIndexOf("/") + 1),
  path,
  realPath,
});
const served = (path: string, isHere = true): ServedWorkspace => ({
  name: path.slice(path.lastIndexOf("/") + 1),
  path,
  isHere,
});
const shop = folder("/code/shop");

test.each<[string, string, WorkspaceFolder[], ServedWorkspace[] | undefined, unknown]>([
  [
    "a file of the served folder",
    "/code/shop/src/a.ts",
    [shop],
    [served("/code/shop")],
    { path: "src/a.ts" },
  ],
  [
    "a file of a subfolder that is open",
    "/code/shop/web/a.ts",
    [folder("/code/shop/web")],
    [served("/code/shop")],
    { path: "web/a.ts" },
  ],
  [
    "a folder that is open through a link",
    "/home/me/shop/a.ts",
    [folder("/home/me/shop", "/code/shop")],
    [served("/code/shop")],
    { path: "a.ts" },
  ],
  ["a server in a container", "/code/shop/a.ts", [shop], [served("/workspace", false)], { path: "a.ts" }],
  ["a server that has not been asked yet", "/code/shop/a.ts", [shop], undefined, { path: "a.ts" }],
  [
    "several served workspaces",
    "/code/bank/a.ts",
    [shop, folder("/code/bank")],
    [served("/code/shop"), served("/code/bank")],
    { workspace: "bank", path: "a.ts" },
  ],
  [
    "several in a container, told apart by name",
    "/code/bank/a.ts",
    [shop, folder("/code/bank")],
    [served("/w/shop", false), served("/w/bank", false)],
    { workspace: "bank", path: "a.ts" },
  ],
  [
    "a folder that is open inside another: the inner one's workspace",
    "/code/shop/docs/a.ts",
    [shop, folder("/code/shop/docs", "/data/docs")],
    [served("/code/shop"), served("/data/docs")],
    { workspace: "docs", path: "a.ts" },
  ],
  [
    "served folders inside each other: the inner one",
    "/code/shop/docs/a.ts",
    [shop],
    [served("/code/shop"), served("/code/shop/docs")],
    { workspace: "docs", path: "a.ts", openPath: "docs/a.ts" },
  ],
  [
    "an open folder that holds several workspaces",
    "/code/bank/a.ts",
    [folder("/code")],
    [served("/code/shop"), served("/code/bank")],
    { workspace: "bank", path: "a.ts", openPath: "bank/a.ts" },
  ],
  [
    "a folder that none of several workspaces is",
    "/code/notes/a.ts",
    [folder("/code/notes")],
    [served("/code/shop"), served("/w/bank", false)],
    undefined,
  ],
  [
    "a Windows drive in either case",
    "c:\\code\\shop\\src\\a.ts",
    [folder("c:\\code\\shop")],
    [served("C:\\code\\shop")],
    { path: "src/a.ts" },
  ],
  ["a file outside the open folders", "/etc/hosts", [shop], [served("/code/shop")], undefined],
  ["a folder whose name only begins alike", "/code/shop2/a.ts", [shop], [served("/code/shop")], undefined],
  ["a file when no folder is open", "/code/shop/a.ts", [], [served("/code/shop")], undefined],
  ["a server of another repository", "/code/shop/a.ts", [shop], [served("/code/bank")], undefined],
  [
    "a second folder that the server does not know",
    "/code/bank/a.ts",
    [shop, folder("/code/bank")],
    [served("/workspace", false)],
    undefined,
  ],
])("%s", (_, file, folders, workspaces, expected) => {
  expect(locateFile(file, folders, workspaces)).toEqual(expected);
});

test("the server is not told what lies above it", () => {
  expect([
    addressOf({ workspace: "docs", path: "a.ts", openPath: "docs/a.ts" }),
    addressOf({ path: "a.ts", openPath: "docs/a.ts" }),
  ]).toEqual([{ workspace: "docs", path: "a.ts" }, { path: "a.ts" }]);
});
