/**
 * Whether this machine runs on battery: Linux and macOS tell it cheaply. Windows tells it only through a PowerShell of half
 * a second, so there it is not asked.
 */
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

/** @returns `undefined` when this system does not tell */
export async function isOnBattery(platform = process.platform): Promise<boolean | undefined> {
  if (platform === "linux") return linuxPower("/sys/class/power_supply");
  if (platform !== "darwin") return undefined;
  return promisify(execFile)("pmset", ["-g", "batt"], { timeout: 2_000 }).then(
    ({ stdout }) => macPower(stdout),
    () => undefined,
  );
}

/**
 * A supply of type Mains or USB that is online feeds the machine, whatever its battery does.
 * https://www.kernel.org/doc/Documentation/ABI/testing/sysfs-class-power
 *
 * @returns `undefined` for a machine without supplies, as servers and containers are
 */
export async function linuxPower(directory: string): Promise<boolean | undefined> {
  const names = await readdir(directory).catch(() => []);
  const field = (name: string, file: string) =>
    readFile(join(directory, name, file), "utf8").then(
      (text) => text.trim(),
      () => "",
    );
  const supplies = await Promise.all(
    names.map(async (name) => ({
      type: await field(name, "type"),
      online: await field(name, "online"),
      status: await field(name, "status"),
      // Batteries of mice and keyboards are of scope Device.
      scope: await field(name, "scope"),
    })),
  );
  const own = supplies.filter(({ scope }) => scope !== "Device");
  if (!own.length) return undefined;
  if (own.some(({ type, online }) => type !== "Battery" && online === "1")) return false;
  return own.some(({ type, status }) => type === "Battery" && status === "Discharging");
}

/** @param text of `pmset -g batt`, which begins with `Now drawing from 'Battery Power'` */
export function macPower(text: string): boolean | undefined {
  const source = /Now drawing from '([^']+)'/.exec(text)?.[1];
  return source === undefined ? undefined : source === "Battery Power";
}
