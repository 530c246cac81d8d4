import { expect, test } from "vitest";
import { readSettings } from "./settings.ts";

test("defaults: this repository, and .dhi in it", () => {
  expect(readSettings("/repo", {}, {})).toEqual({
    workspace: "/repo",
    home: "/repo/.dhi",
    port: 8000,
    bind: "127.0.0.1",
    token: undefined,
    env: { WORKSPACE: "/repo", DHI_HOME: "/repo/.dhi", DHI_PORT: "8000" },
  });
});

test("flags win over the environment", () => {
  const env = { WORKSPACE: "../env", DHI_PORT: "9000", ENGINE: "auto", DHI_HOME: "/home" };
  expect(readSettings("/repo", {}, env)).toMatchObject({ workspace: "/env", port: 9000, home: "/home" });
  const flags = { workspace: "/flag", port: 9001, engine: "instant" };
  expect(readSettings("/repo", flags, env).env).toEqual({
    WORKSPACE: "/flag",
    DHI_PORT: "9001",
    ENGINE: "instant",
    DHI_HOME: "/home",
  });
});

test("a DHI_PORT that is no port is refused, not replaced by the default", () => {
  for (const port of ["abc", "0", "65536", "80.5"])
    expect(() => readSettings("/repo", {}, { DHI_PORT: port })).toThrow(
      `DHI_PORT wants a number from 1 to 65535, not "${port}"`,
    );
  expect(readSettings("/repo", { port: 9001 }, { DHI_PORT: "abc" }).port).toBe(9001);
});
