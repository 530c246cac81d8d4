import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { holdersOf } from "./port-holder.ts";

/** @returns an environment that has only these programs, each of which prints its text */
function programs(texts: Readonly<Record<string, string>>) {
  const folder = tempDir();
  for (const [name, text] of Object.entries(texts)) {
    const file = join(folder.dir, name);
    writeFileSync(file, `#!/bin/sh\n[ "$1" = -Hltnp ] || [ "$1" = -nP ] || exit 1\nprintf '%s' '${text}'\n`);
    chmodSync(file, 0o755);
  }
  return { env: { PATH: folder.dir }, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

const SS =
  'LISTEN 0 511 127.0.0.1:8000 0.0.0.0:* users:(("node",pid=12,fd=21))\nLISTEN 0 511 [::1]:8000 [::]:* users:(("node",pid=12,fd=22),("java",pid=9,fd=3))\n';

test.each([
  [
    "ss, each process once",
    { ss: SS },
    [
      { pid: 12, program: "node" },
      { pid: 9, program: "java" },
    ],
  ],
  [
    "lsof, where there is no ss",
    { lsof: "p12\ncnode\nf21\np9\ncjava\n" },
    [
      { pid: 12, program: "node" },
      { pid: 9, program: "java" },
    ],
  ],
  ["ss, of another user's process nothing", { ss: "LISTEN 0 511 127.0.0.1:8000 0.0.0.0:*\n" }, []],
  ["nobody, without either", {}, []],
])("tells by %s", async (_, texts, expected) => {
  using only = programs(texts as Record<string, string>);
  expect(await holdersOf(8000, only.env)).toEqual(expected);
});
