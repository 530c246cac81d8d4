/** Flags that all parts of `npm run eval` have, and what is wrong with them in words. */
import { fileURLToPath } from "node:url";
import type { SetName } from "./packages.ts";

export interface SharedOptions {
  readonly set: SetName;
  /** Cursors of each package, at most. */
  readonly perPackage: number;
  /** Packages whose name contains it; all by default. */
  readonly only: string | undefined;
  readonly seed: number;
  readonly embedder: string;
}

/** For `parseArgs`. */
export const sharedFlags = (perPackage: number) =>
  ({
    set: { type: "string", default: "test" },
    "per-package": { type: "string", default: String(perPackage) },
    only: { type: "string" },
    seed: { type: "string", default: "1" },
    embedder: { type: "string", default: "hash" },
    help: { type: "boolean", default: false },
  }) as const;

interface SharedValues {
  readonly set: string;
  readonly "per-package": string;
  readonly only?: string | undefined;
  readonly seed: string;
  readonly embedder: string;
}

/** @throws {Error} that says what a flag wants */
export function sharedOptions({ set, only, embedder, seed, ...values }: SharedValues): SharedOptions {
  if (set !== "dev" && set !== "test") throw new Error(`--set wants dev or test, not "${set}"`);
  return {
    ...{ set, only, embedder },
    perPackage: wholeNumber("per-package", values["per-package"], 1),
    seed: wholeNumber("seed", seed),
  };
}

/** @throws {Error} that says what the flag wants */
export function wholeNumber(flag: string, value: string, from = Number.NEGATIVE_INFINITY): number {
  const number = Number(value);
  if (value.trim() !== "" && Number.isInteger(number) && number >= from) return number;
  throw new Error(`--${flag} wants a whole number${Number.isFinite(from) ? ` from ${from}` : ""}`);
}

/** @throws {Error} that says what the flag wants */
export function minutesOf(value: string): number {
  const minutes = Number(value);
  if (value.trim() !== "" && minutes >= 0) return minutes;
  throw new Error("--minutes wants a number from 0");
}

/** @param read throws for what is wrong @returns what to print instead: the usage, or what is wrong */
export function optionsOr<T>(read: () => T | string): T | string {
  try {
    return read();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** For `main`, when there is nothing to run: prints {@link optionsOr}'s text. @returns the exit code, 0 for the usage */
export function sayInstead(text: string, usage: string): number {
  console.log(text);
  return text === usage ? 0 : 2;
}

/** Of the parts that write a report, `--out`: where it goes. */
export const outFlag = {
  type: "string",
  default: fileURLToPath(new URL("../../../docs/eval", import.meta.url)),
} as const;
