/** What earlier self-tests found, kept between starts: a model that has not changed is not tested again. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { TestResult } from "./self-test.ts";

export interface LoggedTest extends TestResult {
  /** ISO time; left out where an older version has tested. */
  readonly at?: string | undefined;
}

export interface CheckLog {
  /** @returns undefined for a model that was not tested in this format */
  get(key: string): LoggedTest | undefined;
  set(key: string, test: LoggedTest): void;
}

/** Part of the key: with another test its findings mean something else. */
export const SELF_TEST_VERSION = 1;
/** Models that one tries come and go. */
const MOST = 50;

const entry = z.object({
  finding: z.string().optional(),
  wrote: z.string().optional(),
  at: z.string().optional(),
});
const entries = z.record(z.string(), entry);

/** A file that cannot be read or written only means that a model is tested again. */
export function createCheckLog(dhiHome: string): CheckLog {
  const path = join(dhiHome, "model-checks.json");
  const read = () => {
    try {
      return entries.parse(JSON.parse(readFileSync(path, "utf8")));
    } catch {
      return {};
    }
  };
  return {
    get(key) {
      const found = read()[key];
      return found && { ...found, finding: found.finding };
    },
    set(key, test) {
      const { [key]: _, ...others } = read();
      const kept = Object.entries(others).slice(1 - MOST);
      try {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(`${path}.new`, JSON.stringify(Object.fromEntries([...kept, [key, test]]), null, 1));
        renameSync(`${path}.new`, path);
      } catch {
        // A read-only home: then each start tests.
      }
    },
  };
}
