import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { expect, test, vi } from "vitest";
import { createRandom } from "../bench/random.ts";
import { neededBodies, testBenchOf } from "./completion-tests.ts";
import { corpusFile } from "./corpus.ts";
import type { DefinitionSite, Facts } from "./facts.ts";

const SHOP = `def total(prices):
    """Of all of them."""
    return sum(prices)

def unused(a):
    return a
`;

const TESTS = `import os, unittest, shop
class Shop(unittest.TestCase):
    def test_total(self):
        self.assertEqual(shop.total([1, 2]), 3)
        self.assertNotIn("DHI_TEST_SECRET", os.environ)
`;

const COMMAND = ["python3", "-m", "unittest", "discover", "--quiet", "-s", "tests"] as const;

/** A package of one module, with its tests. */
function shop({ tests = TESTS } = {}) {
  const { dir, [Symbol.dispose]: remove } = tempDir();
  mkdirSync(join(dir, "tests"));
  writeFileSync(join(dir, "shop.py"), SHOP);
  writeFileSync(join(dir, "tests", "test_shop.py"), tests);
  return { source: { name: "shop", dir }, [Symbol.dispose]: remove };
}

const site = (name: string, startLine: number, endLine: number): DefinitionSite => ({
  ...{ name, kind: "function", container: null, path: "shop.py", startLine, endLine, nameLine: startLine },
});
const facts: Pick<Facts, "functionsOf"> = {
  functionsOf: () => [site("total", 1, 3), site("unused", 5, 6)],
};

test("the package's tests decide, on a copy that is whole again afterwards", async () => {
  using package_ = shop();
  vi.stubEnv("DHI_TEST_SECRET", "x");
  using bench = await testBenchOf(package_.source, COMMAND, console.log);
  vi.unstubAllEnvs();
  expect(await bench?.passesWith("shop.py", SHOP.replace("sum(prices)", "0"))).toBe(false);
  expect(await bench?.passesWith("shop.py", SHOP.replace("sum(prices)", "sum(list(prices))"))).toBe(true);
  expect(await bench?.passesWith("tests/test_shop.py", "raise SystemExit(1)")).toBe(false);
  expect(await bench?.passesWith("shop.py", SHOP)).toBe(true);
});

test("a package whose tests fail as they are is left out", async () => {
  using package_ = shop({ tests: "raise SystemExit(1)" });
  const said: string[] = [];
  expect(await testBenchOf(package_.source, COMMAND, (line) => said.push(line))).toBeUndefined();
  expect(said).toEqual(["left out: the tests of shop do not pass here even as they are"]);
});

test("bodies that no test needs are passed over; the cursor stands where the body begins", async () => {
  const fakeBench = { passesWith: async (_: string, text: string) => text.includes("return sum(prices)") };
  const bodies = [];
  for await (const body of neededBodies([corpusFile("shop.py", SHOP)], facts, fakeBench, createRandom(1)))
    bodies.push(body);
  expect(bodies).toEqual([
    {
      path: "shop.py",
      language: "python",
      prefix: 'def total(prices):\n    """Of all of them."""\n    ',
      suffix: "\n\ndef unused(a):\n    return a\n",
    },
  ]);
});
