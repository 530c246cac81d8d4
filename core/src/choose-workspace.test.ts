import { expect, test } from "vitest";
import { type AskedPlace, chooseWorkspace, type NamedRoots } from "./choose-workspace.ts";
import { HttpError } from "./http-error.ts";

const web: NamedRoots = { name: "web", roots: ["/link/web", "/code/web"] };
const docs: NamedRoots = { name: "docs", roots: ["/code/docs"] };

const chosen = (workspaces: readonly NamedRoots[], asked: AskedPlace): string => {
  try {
    const { workspace, path } = chooseWorkspace(workspaces, asked);
    return `${workspace.name}:${path}`;
  } catch (error) {
    return error instanceof HttpError ? `${error.status} ${error.code}: ${error.message}` : String(error);
  }
};

test.each<[AskedPlace, string]>([
  [{ workspace: "docs", path: "a.ts" }, "docs:a.ts"],
  [{ workspace: "docs", path: "/code/docs/x/a.ts" }, "docs:x/a.ts"],
  [{ workspace: "docs" }, "docs:"],
  [{ path: "/code/docs/a.ts" }, "docs:a.ts"],
  [{ path: "/code/web/a.ts" }, "web:a.ts"],
  [{ path: "/link/web/a.ts" }, "web:a.ts"],
  [{ path: "/code/docs" }, "docs:"],
  [{ path: "a.ts" }, '400 workspace_needed: several workspaces are served and none is named: "web", "docs"'],
  [{}, '400 workspace_needed: several workspaces are served and none is named: "web", "docs"'],
  [
    { path: "/code/docs-old/a.ts" },
    '400 outside_workspace: path: "/code/docs-old/a.ts" lies outside the workspaces "web", "docs"',
  ],
  [
    { workspace: "web", path: "/code/docs/a.ts" },
    '400 outside_workspace: path: "/code/docs/a.ts" lies outside the workspace "web"',
  ],
  [
    { workspace: "web", path: "../docs/a.ts", field: "file_path" },
    '400 outside_workspace: file_path: "../docs/a.ts" lies outside the workspace "web"',
  ],
  [{ workspace: "api", path: "a.ts" }, '404 no_such_workspace: no workspace "api" here, only "web", "docs"'],
])("of two, %j means %s", (asked, expected) => {
  expect(chosen([web, docs], asked)).toBe(expected);
});

test.each<[AskedPlace, string]>([
  [{ path: "a.ts" }, "web:a.ts"],
  [{}, "web:"],
  [{ path: "/code/web/a.ts" }, "web:a.ts"],
  [{ workspace: "docs" }, '404 no_such_workspace: no workspace "docs" here, only "web"'],
  [{ path: "C:\\a.ts" }, '400 outside_workspace: path: "C:\\a.ts" lies outside the workspace "web"'],
])("of one, %j means %s", (asked, expected) => {
  expect(chosen([web], asked)).toBe(expected);
});
