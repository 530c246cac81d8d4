import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { afterEach, expect, test, vi } from "vitest";
import { sourcePackages } from "./source-packages.ts";

afterEach(() => vi.unstubAllEnvs());

test("what cannot be had is said and left out, what is in the cache is found there", async () => {
  using cache = tempDir();
  vi.stubEnv("DHI_TOOLS_CACHE", cache.dir);
  // No npm, no pip, no go.
  vi.stubEnv("PATH", cache.dir);
  const dir = join(cache.dir, "packages", "rxjs-7.8.1");
  mkdirSync(dir, { recursive: true });
  const said: string[] = [];
  expect(await sourcePackages((line) => said.push(line))).toEqual([{ name: "rxjs", dir }]);
  expect(said.length).toBeGreaterThan(8);
  expect(said).toContainEqual(expect.stringMatching(/^left out: Django 5\.1\.1 \(.*python3.*\)$/));
});
