import { expect, test } from "vitest";
import { matchingGlob } from "./glob.ts";

test.each([
  ["a name in any folder", ".env*", [".env", "a/b/.env.local"], ["a/env", "my.env"]],
  ["a name, case aside", "*.pem", ["KEY.PEM", "tls/key.pem"], ["pem", "key.pem.txt"]],
  ["a folder and all in it", "secrets/", ["secrets/a.txt", "x/secrets/b/c.txt"], ["secrets.txt"]],
  ["a path from any folder", "config/*.json", ["config/a.json", "web/config/a.json"], ["config/b/a.json"]],
  ["a path from the workspace", "/config/*.json", ["config/a.json"], ["web/config/a.json"]],
  ["any depth", "src/**/gen.ts", ["src/gen.ts", "src/a/b/gen.ts"], ["lib/gen.ts"]],
  ["all below", "vendor/**", ["vendor/a/b.go", "src/vendor/a.go"], ["vendors/a.go"]],
  ["alternatives", "*.{key,p12}", ["a.key", "b/c.p12"], ["a.key2", "a.pem"]],
  ["classes and single characters", "id_[re]?a", ["id_rsa", "id_eXa"], ["id_dsa", "id_rsaa"]],
  ["classes that exclude", "[!a].txt", ["b.txt"], ["a.txt"]],
  ["brackets that are never closed as themselves", "a[{.txt", ["a[{.txt"], ["a.txt"]],
  ["a backward range as itself", "[z-a].txt", ["[z-a].txt"], ["b.txt"]],
  ["signs of regular expressions as themselves", "a+(b).txt", ["a+(b).txt"], ["aab.txt"]],
])("matches %s", (_, glob, matches, others) => {
  expect(matches.map((path) => matchingGlob(path, [glob]))).toEqual(matches.map(() => glob));
  expect(others.map((path) => matchingGlob(path, [glob]))).toEqual(others.map(() => undefined));
});

test("tells which of several matched", () => {
  expect(matchingGlob("a.key", ["*.pem", "*.key", "a.*"])).toBe("*.key");
  expect(matchingGlob("a.key", [])).toBeUndefined();
});
