import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isOnBattery, linuxPower, macPower } from "./battery.ts";

type Supply = Record<string, string>;

function supplies(all: Record<string, Supply>): string {
  const directory = mkdtempSync(join(tmpdir(), "dhi-power-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  for (const [name, files] of Object.entries(all)) {
    mkdirSync(join(directory, name));
    for (const [file, text] of Object.entries(files)) writeFileSync(join(directory, name, file), `${text}\n`);
  }
  return directory;
}

const battery = (status: string): Supply => ({ type: "Battery", status });

test.each<[string, Record<string, Supply>, boolean | undefined]>([
  ["unplugged", { AC: { type: "Mains", online: "0" }, BAT0: battery("Discharging") }, true],
  ["plugged in", { AC: { type: "Mains", online: "1" }, BAT0: battery("Discharging") }, false],
  ["charging over USB", { BAT0: battery("Charging"), ucsi: { type: "USB", online: "1" } }, false],
  ["full", { BAT0: battery("Full") }, false],
  ["a desktop with a mouse", { mouse: { ...battery("Discharging"), scope: "Device" } }, undefined],
  ["a server", {}, undefined],
])("Linux: %s", async (_, all, expected) => {
  expect(await linuxPower(supplies(all))).toBe(expected);
});

test("Linux without that folder does not tell", async () => {
  expect(await linuxPower("/nowhere/power_supply")).toBeUndefined();
});

test("macOS names its source", () => {
  expect([
    macPower("Now drawing from 'Battery Power'\n -InternalBattery-0 (id=1) 84%; discharging\n"),
    macPower("Now drawing from 'AC Power'\n"),
    macPower("no such thing"),
  ]).toEqual([true, false, undefined]);
});

test("Windows is not asked", async () => {
  expect(await isOnBattery("win32")).toBeUndefined();
});
