import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { afterEach, expect, test } from "vitest";
import { identify, isAlive } from "./process-id.ts";
import { claimHome } from "./run-record.ts";

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

function startSleeper(): number {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  children.push(child);
  return child.pid!;
}

const dead = { pid: 2 ** 22 - 1, started: "another boot:1" };
const writeRun = (home: string, contents: unknown) =>
  writeFileSync(join(home, "run.json"), JSON.stringify(contents));

test("ends what a killed start left behind, and says so", async () => {
  using temp = tempDir();
  const leftover = identify(startSleeper());
  writeRun(temp.dir, { supervisor: dead, services: { indexer: leftover } });
  const told: unknown[] = [];
  await claimHome(temp.dir, (...args) => told.push(args));
  expect(told).toEqual([["indexer", leftover.pid]]);
  expect(isAlive(leftover)).toBe(false);
});

test("leaves a stranger alone that has the pid of a service by now", async () => {
  using temp = tempDir();
  const stranger = identify(startSleeper());
  writeRun(temp.dir, { supervisor: dead, services: { server: { ...stranger, started: "earlier" } } });
  await claimHome(temp.dir, () => {});
  expect(isAlive(stranger)).toBe(true);
});

test("refuses a folder that another start uses, with its pid", async () => {
  using temp = tempDir();
  const other = identify(startSleeper());
  writeRun(temp.dir, { supervisor: other, services: {} });
  await expect(claimHome(temp.dir, () => {})).rejects.toThrow(
    `another npm start (pid ${other.pid}) already uses ${temp.dir}; stop it, or set DHI_HOME to another folder`,
  );
});

test("takes over a folder whose record was never finished", async () => {
  using temp = tempDir();
  writeFileSync(join(temp.dir, "run.json"), '{"supervisor":');
  const record = await claimHome(temp.dir, () => {});
  record.remove();
  expect(existsSync(join(temp.dir, "run.json"))).toBe(false);
});

test("records the services it is told about for the next start", async () => {
  using temp = tempDir();
  const record = await claimHome(temp.dir, () => {});
  record.add("server", startSleeper());
  const restarted = identify(startSleeper());
  record.add("server", restarted.pid);
  // Its owner is this very process, which is alive.
  await expect(claimHome(temp.dir, () => {})).rejects.toThrow(`pid ${process.pid}`);
});
