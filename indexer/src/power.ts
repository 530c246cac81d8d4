/** Whether the machine runs on its battery, asked now and then: there is no event for it that all systems send. */
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

export interface Power {
  /** As of the last look; `false` before the first, and where nobody can tell. */
  onBattery(): boolean;
  close(): void;
}

const LOOK_EVERY_MS = 30_000;

/** Starts with a look at once. */
export function watchPower(read: () => Promise<boolean> = isOnBattery, everyMs = LOOK_EVERY_MS): Power {
  let onBattery = false;
  const look = () =>
    read().then(
      (is) => (onBattery = is),
      () => (onBattery = false),
    );
  const timer = setInterval(look, everyMs);
  timer.unref();
  void look();
  return { onBattery: () => onBattery, close: () => clearInterval(timer) };
}

/** @throws when the system does not say */
function isOnBattery(): Promise<boolean> {
  if (process.platform === "linux") return drainsBattery("/sys/class/power_supply");
  if (process.platform === "darwin") return drawsFromBattery();
  return Promise.resolve(false);
}

/** @param dir as in https://docs.kernel.org/power/power_supply_class.html: a folder per supply, a file per property */
export async function drainsBattery(dir: string): Promise<boolean> {
  const supplies = await Promise.all(
    (await readdir(dir)).map(async (name) => {
      const property = (file: string) =>
        readFile(join(dir, name, file), "utf8").then(
          (value) => value.trim(),
          () => "",
        );
      const [type, scope, status, online] = await Promise.all(
        ["type", "scope", "status", "online"].map(property),
      );
      return { type, scope, status, online };
    }),
  );
  // A mouse's battery has the scope "Device".
  const own = supplies.filter(({ scope }) => scope !== "Device");
  const hasMains = own.some(({ type, online }) => type !== "Battery" && online === "1");
  return !hasMains && own.some(({ type, status }) => type === "Battery" && status === "Discharging");
}

async function drawsFromBattery(): Promise<boolean> {
  const { stdout } = await promisify(execFile)("pmset", ["-g", "batt"]);
  return stdout.includes("'Battery Power'");
}
