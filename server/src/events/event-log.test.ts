import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type StoredEvent, storedEvent } from "@dhi/core/events-protocol";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { createEventLog } from "./event-log.ts";

const none = Object.fromEntries(storedEvent.keyof().options.map((column) => [column, null]));
const event = (at: string, suggestion: string): StoredEvent =>
  storedEvent.parse({
    ...{ ...none, at, suggestion, event: "shown", language: "go", engine: "ollama", model: "m", mode: "rag" },
  });

test("each event is a line in the file of its day", () => {
  using home = tempDir();
  const dir = join(home.dir, "events");
  const log = createEventLog({ dir, days: 9, maxBytes: 1e6 });
  log.append([]);
  log.append([event("2026-03-01T23:59:59.000Z", "a"), event("2026-03-01T23:59:59.000Z", "b")]);
  log.append([event("2026-03-02T00:00:01.000Z", "c")]);
  const read = (name: string) =>
    readFileSync(join(dir, name), "utf8")
      .trim()
      .split("\n")
      .map((line) => storedEvent.parse(JSON.parse(line)).suggestion);
  expect([read("2026-03-01.jsonl"), read("2026-03-02.jsonl")]).toEqual([["a", "b"], ["c"]]);
});

test("files that are too old, or too much, go, the oldest first, and nothing else of the folder does", () => {
  using home = tempDir();
  for (const day of ["2026-02-01", "2026-02-26", "2026-02-27", "2026-02-28"])
    writeFileSync(join(home.dir, `${day}.jsonl`), "x".repeat(1_000));
  writeFileSync(join(home.dir, "notes.txt"), "x".repeat(9_000));
  createEventLog({ dir: home.dir, days: 9, maxBytes: 2_500 }).append([
    event("2026-03-01T10:00:00.000Z", "a"),
  ]);
  expect(readdirSync(home.dir)).toEqual([
    "2026-02-27.jsonl",
    "2026-02-28.jsonl",
    "2026-03-01.jsonl",
    "notes.txt",
  ]);
});

test("half a line that a killed process has left spoils no other", () => {
  using home = tempDir();
  const file = join(home.dir, "2026-03-01.jsonl");
  writeFileSync(file, '{"at":"2026-03-01T09:0');
  const log = createEventLog({ dir: home.dir, days: 9, maxBytes: 1e6 });
  for (const suggestion of ["a", "b"]) log.append([event("2026-03-01T10:00:00.000Z", suggestion)]);
  const [half, ...lines] = readFileSync(file, "utf8").trim().split("\n");
  expect(half).toBe('{"at":"2026-03-01T09:0');
  expect(lines.map((line) => storedEvent.parse(JSON.parse(line)).suggestion)).toEqual(["a", "b"]);
});
