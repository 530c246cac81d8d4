import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { groupMemory } from "./group-memory.ts";
import { machineMemory, memoryHere, within } from "./memory.ts";

/** @param groups their files, by path @returns where they lie */
function groupFiles(dir: string, own: string, groups: Record<string, Record<string, string>>) {
  for (const [group, files] of Object.entries(groups)) {
    mkdirSync(join(dir, group), { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, group, name), `${text}\n`);
  }
  const ownGroup = join(dir, "own");
  writeFileSync(ownGroup, `12:cpu:/elsewhere\n0::${own}\n`);
  return { ownGroup, root: dir };
}

test("a container's limit counts, without what its file cache would give back", async () => {
  using temp = tempDir();
  const files = groupFiles(temp.dir, "/", {
    "/": {
      ...{ "memory.max": "4000000000", "memory.current": "3000000000" },
      "memory.stat": "anon 1\ninactive_file 500000000",
    },
  });
  expect(await groupMemory(files)).toEqual({ total: 4e9, available: 1.5e9 });
});

test("of the groups around a process the one with the least left counts", async () => {
  using temp = tempDir();
  const files = groupFiles(temp.dir, "/user/app", {
    "/user/app": { "memory.max": "9000", "memory.current": "1000" },
    "/user": { "memory.max": "6000", "memory.current": "5000" },
    "/": { "memory.max": "max", "memory.current": "7000" },
  });
  expect(await groupMemory(files)).toEqual({ total: 6_000, available: 1_000 });
});

test("a group that is over its limit has nothing left", async () => {
  using temp = tempDir();
  const files = groupFiles(temp.dir, "/", { "/": { "memory.max": "10", "memory.current": "11" } });
  expect(await groupMemory(files)).toEqual({ total: 10, available: 0 });
});

test.each([
  ["no limit", "0::/\n", { "memory.max": "max", "memory.current": "5" }],
  ["a limit that the system does not tell", "0::/\n", {}],
  ["groups of another kind", "4:memory:/a\n", { "memory.max": "5", "memory.current": "1" }],
])("%s means all of the machine", async (_, own, told) => {
  using temp = tempDir();
  const files = groupFiles(temp.dir, "/", { "/": told });
  writeFileSync(files.ownGroup, own);
  expect(await groupMemory(files)).toBeUndefined();
  const { total } = await machineMemory();
  expect(await memoryHere(files)).toEqual({ total, available: expect.any(Number), isLimited: false });
});

test("a limit above what the machine has does not limit", () => {
  const machine = { total: 100, available: 40, isLimited: false };
  expect(within(machine, { total: 200, available: 150 })).toEqual(machine);
  expect(within(machine, { total: 50, available: 10 })).toEqual({
    ...{ total: 50, available: 10, isLimited: true },
  });
});
