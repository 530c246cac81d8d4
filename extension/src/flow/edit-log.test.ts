import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createEditLog } from "./edit-log.ts";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "dhi-edits-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return join(path, "edits");
}

const day = (date: string) => () => Date.parse(`${date}T12:00:00Z`);

test("lines go into the file of their day, in their order", async () => {
  const path = folder();
  const log = createEditLog(path, {}, day("2026-01-31"));
  log.write("1");
  log.write("2");
  await log.flush();
  log.write("3");
  await log.flush();
  expect(readdirSync(path)).toEqual(["edits-2026-01-31.jsonl"]);
  expect(readFileSync(join(path, "edits-2026-01-31.jsonl"), "utf8")).toBe("1\n2\n3\n");
});

test("they are written by themselves after a while", async () => {
  const path = folder();
  createEditLog(path, { delayMs: 1 }, day("2026-01-31")).write("1");
  await expect.poll(() => existsSync(join(path, "edits-2026-01-31.jsonl"))).toBe(true);
});

test("files that are too old are deleted, and no others", async () => {
  const path = folder();
  const first = createEditLog(path, {}, day("2026-01-01"));
  first.write("1");
  await first.flush();
  writeFileSync(join(path, "notes.jsonl"), "");
  const log = createEditLog(path, { days: 30 }, day("2026-02-02"));
  log.write("2");
  await log.flush();
  expect(readdirSync(path)).toEqual(["edits-2026-02-02.jsonl", "notes.jsonl"]);
});

test("a day has no more than so many bytes", async () => {
  const path = folder();
  const log = createEditLog(path, { bytesPerDay: 4 }, day("2026-01-31"));
  for (const line of ["123", "456", "789"]) {
    log.write(line);
    await log.flush();
  }
  expect(readFileSync(join(path, "edits-2026-01-31.jsonl"), "utf8")).toBe("123\n");
});

test("a folder that cannot be made stops nothing", async () => {
  const path = folder();
  writeFileSync(path, "a file");
  const log = createEditLog(path, {}, day("2026-01-31"));
  log.write("1");
  await expect(log.flush()).resolves.toBeUndefined();
});
