import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { VERSION } from "./version.ts";

test.each([".", "core", "indexer", "server", "extension", "scripts"])(
  "package.json of %s says the same",
  (folder) => {
    const file = new URL(`../../${folder}/package.json`, import.meta.url);
    expect(JSON.parse(readFileSync(file, "utf8")).version).toBe(VERSION);
  },
);
