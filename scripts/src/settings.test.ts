import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { readSettings } from "./settings.ts";

test("defaults: this repository, and .dhi in it", () => {
  expect(readSettings("/repo", {}, {})).toEqual({
    workspaces: [{ name: undefined, path: "/repo" }],
    home: "/repo/.dhi",
    port: 8000,
    bind: "127.0.0.1",
    token: undefined,
    env: { WORKSPACE: "/repo", DHI_HOME: "/repo/.dhi", DHI_PORT: "8000" },
  });
});

test("flags win over the environment", () => {
  const env = { WORKSPACE: "../env", DHI_PORT: "9000", ENGINE: "auto", DHI_HOME: "/home" };
  expect(readSettings("/repo", {}, env)).toMatchObject({
    ...{ workspaces: [{ path: "/env" }], port: 9000, home: "/home" },
  });
  const flags = { workspaces: ["/flag"], port: 9001, engine: "instant" };
  expect(readSettings("/repo", flags, env).env).toEqual({
    WORKSPACE: "/flag",
    DHI_PORT: "9001",
    ENGINE: "instant",
    DHI_HOME: "/home",
  });
});

test("several workspaces come from flags or DHI_WORKSPACES, named, and replace WORKSPACE", () => {
  using temp = tempDir();
  const [web, docs] = ["web", "docs"].map((name) => join(temp.dir, name)) as [string, string];
  for (const dir of [web, docs]) mkdirSync(dir);
  const workspaces = [
    { name: "web", path: web },
    { name: "docs", path: docs },
  ];
  const env = { WORKSPACE: "/env", WORKSPACE_NAME: "env", DHI_WORKSPACES: `${web},${docs}` };
  const several = { DHI_WORKSPACES: `web=${web}\ndocs=${docs}` };
  const services = { ...several, DHI_HOME: "/repo/.dhi", DHI_PORT: "8000" };
  expect(readSettings("/repo", {}, env)).toMatchObject({ workspaces, env: services });
  expect(readSettings("/repo", { workspaces: [web, docs] }, { WORKSPACE: "/env" })).toMatchObject({
    workspaces,
    env: services,
  });
  // A flag counts more than any of them.
  const one = readSettings("/repo", { workspaces: [web] }, env);
  expect([one.workspaces, one.env.WORKSPACE, one.env.DHI_WORKSPACES, one.env.WORKSPACE_NAME]).toEqual([
    [{ name: undefined, path: web }],
    web,
    undefined,
    undefined,
  ]);
});

test("workspaces that cannot be served together are refused at once", () => {
  using temp = tempDir();
  const gone = join(temp.dir, "gone");
  expect(() => readSettings("/repo", { workspaces: [temp.dir, gone] }, {})).toThrow(
    `--workspace cannot be served:\n  "${gone}" does not exist\n  "${gone}" lies inside "${temp.dir}"`,
  );
  expect(() => readSettings("/repo", {}, { DHI_WORKSPACES: gone })).toThrow(
    "DHI_WORKSPACES cannot be served:",
  );
});

test("a DHI_PORT that is no port is refused, not replaced by the default", () => {
  for (const port of ["abc", "0", "65536", "80.5"])
    expect(() => readSettings("/repo", {}, { DHI_PORT: port })).toThrow(
      `DHI_PORT wants a number from 1 to 65535, not "${port}"`,
    );
  expect(readSettings("/repo", { port: 9001 }, { DHI_PORT: "abc" }).port).toBe(9001);
});
