import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { IndexLockedError, lockIndex } from "./lock.ts";

test("a second lock is refused with the pid of the first, and granted once that is released", () => {
  using dir = tempDir();
  const first = lockIndex(dir.dir);
  expect(() => lockIndex(dir.dir)).toThrow(
    new RegExp(`another indexer owns .* process ${process.pid}, since 20`),
  );
  first.release();
  lockIndex(dir.dir).release();
});

test("a full disk, on which nobody can be named, does not keep the lock from being taken and released", () => {
  using dir = tempDir();
  // Cannot be written to, as when there is no room.
  mkdirSync(join(dir.dir, "lock.json"));
  const lock = lockIndex(dir.dir);
  expect(() => lockIndex(dir.dir)).toThrow(/another indexer owns .*: another process/);
  lock.release();
  lockIndex(dir.dir).release();
});

test("what a killed process leaves behind does not lock, whatever pid and host it names", async () => {
  using dir = tempDir();
  const sqlite = createRequire(import.meta.url).resolve("better-sqlite3");
  const holder = spawn(
    process.execPath,
    [
      "-e",
      `const db = new (require(${JSON.stringify(sqlite)}))(${JSON.stringify(join(dir.dir, "lock.db"))});
       db.exec("BEGIN EXCLUSIVE"); console.log("held"); setInterval(() => {}, 1000);`,
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  await once(holder.stdout, "data");
  // Its pid lives, on another host: only the lock itself counts.
  writeFileSync(
    join(dir.dir, "lock.json"),
    JSON.stringify({ pid: process.pid, host: "elsewhere", since: "today" }),
  );
  expect(() => lockIndex(dir.dir)).toThrow(`process ${process.pid} on elsewhere, since today`);
  holder.kill("SIGKILL");
  await once(holder, "exit");
  lockIndex(dir.dir).release();
});

test("without a word from the holder it is refused all the same", () => {
  using dir = tempDir();
  const first = lockIndex(dir.dir);
  writeFileSync(join(dir.dir, "lock.json"), "half a");
  expect(() => lockIndex(dir.dir)).toThrow(IndexLockedError);
  first.release();
});
