import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { cpuSeconds, diskMb, memoryOf } from "./memory.ts";

test.runIf(process.platform === "linux")("tells memory and processor time of a process that runs", () => {
  const { rssMb, peakMb } = memoryOf(process.pid);
  expect(rssMb).toBeGreaterThan(10);
  expect(peakMb).toBeGreaterThanOrEqual(rssMb);
  const own = process.cpuUsage();
  expect(cpuSeconds(process.pid)).toBeCloseTo((own.user + own.system) / 1e6, 0);
});

test("a process that is gone takes nothing", () => {
  expect(memoryOf(2 ** 22 + 1)).toEqual({ rssMb: 0, peakMb: 0 });
});

test("counts all files beneath a folder; what is missing takes nothing", () => {
  using temp = tempDir();
  mkdirSync(join(temp.dir, "in/side"), { recursive: true });
  for (const name of ["a", "in/b", "in/side/c"])
    writeFileSync(join(temp.dir, name), Buffer.alloc(512 * 1024));
  expect([diskMb(temp.dir), diskMb(join(temp.dir, "nowhere"))]).toEqual([1.5, 0]);
});
