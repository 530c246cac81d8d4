/** `.env.example` as Compose and `node --env-file` read it: `NAME=value` lines. */
import { readFileSync } from "node:fs";

const FILE = new URL("../../../.env.example", import.meta.url);

/** @returns name → value, which is empty where there is no one default */
export function envExample(): Readonly<Record<string, string>> {
  const lines = readFileSync(FILE, "utf8").matchAll(/^([A-Z_]+)=(.*)$/gm);
  return Object.fromEntries(Array.from(lines, ([, name = "", value = ""]) => [name, value]));
}
