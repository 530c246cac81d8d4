import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { checkFolder } from "./check-folder.ts";
import { checkHere } from "./check-here.ts";
import { type Server, ServerAway } from "./server.ts";

const away = new ServerAway("no answer from http://dhi.lan (ETIMEDOUT)");

test.each([
  ["is not there", undefined, "not found: only docker compose needs it"],
  [
    "is broken",
    "echo no daemon >&2; exit 1",
    "it fails (Command failed: docker --version\nno daemon): only docker compose needs it",
  ],
  ["hangs", "exec /bin/sleep 30", "no answer within 2 s: only docker compose needs it"],
])("a program that %s is told from others", async (_, script, detail) => {
  using folder = tempDir();
  const file = join(folder.dir, "docker");
  if (script !== undefined) {
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
  }
  const { status, checks } = await checkHere(away, "http://dhi.lan", { PATH: folder.dir });
  expect(status).toBe("fail");
  expect(checks.find(({ id }) => id === "docker")).toMatchObject({ status: "warn", detail });
});

test("a folder that the server does not answer about in time costs none of its other findings", async () => {
  // Nothing else is asked.
  const server = { get: () => Promise.reject(away) } as unknown as Server;
  expect(await checkFolder("/work/shop", server)).toEqual({
    ...{ id: "paths", title: "This folder", status: "warn" },
    detail: "not known: no answer from http://dhi.lan (ETIMEDOUT)",
  });
});
