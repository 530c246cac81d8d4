import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseEnv, sharedEnv } from "./env.ts";
import { tempDir } from "./testing/temp-repo.ts";
import { readEntries, withNames, workspacesOf } from "./workspaces.ts";

/** What the settings say of folders that exist, with the place of all of them written as `~`. */
function read(folders: readonly string[], given: (dir: string) => NodeJS.ProcessEnv): string | object {
  using home = tempDir();
  for (const folder of folders) mkdirSync(join(home.dir, folder), { recursive: true });
  writeFileSync(join(home.dir, "file"), "");
  symlinkSync(join(home.dir, "web"), join(home.dir, "link"));
  const shown = (path: string) => path.replaceAll(home.dir, "~");
  try {
    const settings = workspacesOf(parseEnv(sharedEnv, given(home.dir)));
    return Object.fromEntries(settings.map(({ name, path }) => [shown(path), name]));
  } catch (error) {
    return shown(String(error));
  }
}

test.each<[string, (dir: string) => string, object]>([
  ["commas", (d) => `${d}/web,${d}/docs`, { "~/web": "web", "~/docs": "docs" }],
  [
    "line ends, with blanks around",
    (d) => `\n  ${d}/web\r\n ${d}/docs \n`,
    { "~/web": "web", "~/docs": "docs" },
  ],
  ["what PATH has", (d) => `${d}/web:${d}/docs:`, { "~/web": "web", "~/docs": "docs" }],
  ["names", (d) => `shop = ${d}/web, ${d}/docs`, { "~/web": "shop", "~/docs": "docs" }],
  ["an equals sign further on", (d) => `${d}/a=b,${d}/web`, { "~/a=b": "a=b", "~/web": "web" }],
  [
    "folders of one name",
    (d) => `${d}/x/web/api,${d}/x/mobile/api,${d}/docs`,
    { "~/x/web/api": "web-api", "~/x/mobile/api": "mobile-api", "~/docs": "docs" },
  ],
  [
    "folders of one name in folders of one name",
    (d) => `${d}/x/web/api,${d}/y/web/api`,
    { "~/x/web/api": "x-web-api", "~/y/web/api": "y-web-api" },
  ],
  [
    "a folder called as another is named",
    (d) => `docs=${d}/web,${d}/x/docs`,
    { "~/web": "docs", "~/x/docs": "x-docs" },
  ],
  ["one folder: git may name it", (d) => `${d}/web`, { "~/web": undefined }],
  ["one folder with a name", (d) => `shop=${d}/web`, { "~/web": "shop" }],
])("DHI_WORKSPACES takes %s", (_, value, expected) => {
  const folders = "web docs a=b x/docs x/web/api x/mobile/api y/web/api".split(" ");
  expect(read(folders, (dir) => ({ DHI_WORKSPACES: value(dir), WORKSPACE: "/elsewhere" }))).toEqual(expected);
});

test.each<[string, (dir: string) => string, string[]]>([
  [
    "a folder inside another",
    (d) => `${d}/web,${d}/web/api`,
    ['"~/web/api" lies inside "~/web"; name one of the two'],
  ],
  [
    "one inside that comes first",
    (d) => `${d}/web/api,${d}/web`,
    ['"~/web/api" lies inside "~/web"; name one of the two'],
  ],
  [
    "a folder twice",
    (d) => `${d}/web,${d}/docs/../web`,
    ['"~/web" and "~/web" are one folder; name it once'],
  ],
  [
    "a folder and a link to it",
    (d) => `${d}/web,${d}/link`,
    ['"~/web" and "~/link" are one folder; name it once'],
  ],
  [
    "a folder inside a linked one",
    (d) => `${d}/link,${d}/web/api`,
    ['"~/web/api" lies inside "~/link"; name one of the two'],
  ],
  ["a name twice", (d) => `a=${d}/web,a=${d}/docs`, ['"~/web" and "~/docs" are both called "a"; rename one']],
  [
    "missing folders and a file, all at once",
    (d) => `${d}/gone,${d}/file,${d}/web,${d}/also/gone`,
    ['"~/gone" does not exist', '"~/file" is a file; it must be a folder', '"~/also/gone" does not exist'],
  ],
  ["nothing but separators", () => ",", ["names no folder"]],
])("DHI_WORKSPACES refuses %s", (_, value, problems) => {
  const told = read(["web/api", "docs"], (dir) => ({ DHI_WORKSPACES: value(dir) }));
  const lines = String(told).split("\n");
  expect(lines[0]).toBe("ConfigError: bad settings:");
  expect(lines.filter((line) => line.startsWith("  DHI_WORKSPACES=")).length).toBe(problems.length);
  expect(problems.filter((problem) => !String(told).includes(`: ${problem}`))).toEqual([]);
});

test("a folder at the root whose name is given to another gets a number", () => {
  const named = withNames([
    { name: undefined, path: "/docs" },
    { name: "docs", path: "/code/web" },
    { name: "docs-2", path: "/code/api" },
  ]);
  expect(named.map(({ name }) => name)).toEqual(["docs-3", "docs", "docs-2"]);
});

test("without it there is one, named by WORKSPACE_NAME or later by git; an empty value counts as none", () => {
  const home = (more: NodeJS.ProcessEnv) => read(["web"], (d) => ({ WORKSPACE: `${d}/web`, ...more }));
  expect(home({})).toEqual({ "~/web": undefined });
  expect(home({ WORKSPACE_NAME: "shop", DHI_WORKSPACES: "" })).toEqual({ "~/web": "shop" });
});

test("Windows separates folders by semicolons, since a colon is part of a path there", () => {
  const entries = readEntries("C:\\code\\web;docs=D:\\docs", ";");
  expect(entries.map(({ name, path }) => [name, path.slice(path.search(/[CD]:/))])).toEqual([
    [undefined, "C:\\code\\web"],
    ["docs", "D:\\docs"],
  ]);
});
