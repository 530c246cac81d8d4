import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { cpuSeconds, diskMb, residentMb } from "./memory.ts";

test.runIf(process.platform === "linux")("tells memory and processor time of a process that runs", () => {
  expect(residentMb(process.pid)).toBeGreaterThan(10);
  const own = process.cpuUsage();
  expect(cpuSeconds(process.pid)).toBeCloseTo((own.user + own.system) / 1e6, 0);
});

test.runIf(process.platform === "linux")(
  "the memory of what a process started counts as its own",
  async () => {
    const code = `require("node:child_process").spawn(process.execPath, ["-e",
    "globalThis.kept = Buffer.alloc(200 << 20, 1); console.log(1); setInterval(() => {}, 1e6)"], { stdio: "inherit" })`;
    const parent = spawn(process.execPath, ["-e", code], { detached: true });
    await once(parent.stdout, "data");
    expect(residentMb(parent.pid!)).toBeGreaterThan(200);
    process.kill(-parent.pid!, "SIGKILL");
  },
);

test("a process that is gone takes nothing", () => {
  expect([residentMb(2 ** 22 + 1), cpuSeconds(2 ** 22 + 1)]).toEqual([0, 0]);
});

test("counts all files beneath a folder; what is missing takes nothing", () => {
  using temp = tempDir();
  mkdirSync(join(temp.dir, "in/side"), { recursive: true });
  for (const name of ["a", "in/b", "in/side/c"])
    writeFileSync(join(temp.dir, name), Buffer.alloc(512 * 1024));
  expect([diskMb(temp.dir), diskMb(join(temp.dir, "nowhere"))]).toEqual([1.5, 0]);
});
