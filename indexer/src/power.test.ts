import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { drainsBattery, watchPower } from "./power.ts";

const mains = (online: string) => ({ type: "Mains", online });
const battery = (status: string) => ({ type: "Battery", status, scope: "System" });

test.each([
  ["a desktop has nothing to drain", {}, false],
  ["a laptop on its battery", { AC: mains("0"), BAT0: battery("Discharging") }, true],
  ["a laptop that is plugged in", { AC: mains("1"), BAT0: battery("Charging") }, false],
  ["a full battery on the mains, one of two idle", { AC: mains("1"), BAT0: battery("Discharging") }, false],
  ["power over USB-C", { UCSI: { type: "USB", online: "1" }, BAT0: battery("Discharging") }, false],
  ["a mouse", { hid: { type: "Battery", status: "Discharging", scope: "Device" } }, false],
])("%s", async (_, supplies: Record<string, Record<string, string>>, expected) => {
  using root = tempDir();
  for (const [name, properties] of Object.entries(supplies)) {
    mkdirSync(join(root.dir, name));
    for (const [file, value] of Object.entries(properties))
      writeFileSync(join(root.dir, name, file), `${value}\n`);
  }
  expect(await drainsBattery(root.dir)).toBe(expected);
});

test("counts as plugged in where nobody can tell, and follows the answer where somebody can", async () => {
  const answers = [true, new Error("no such folder"), true];
  const power = watchPower(async () => {
    const next = answers.shift();
    if (next instanceof Error) throw next;
    return next ?? false;
  }, 5);
  const seen: boolean[] = [power.onBattery()];
  await expect
    .poll(
      () => {
        if (seen.at(-1) !== power.onBattery()) seen.push(power.onBattery());
        return seen;
      },
      { interval: 1 },
    )
    .toEqual([false, true, false, true, false]);
  power.close();
});
