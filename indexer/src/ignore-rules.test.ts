import { tempRepo } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { readIgnoreRules } from "./ignore-rules.ts";

/** Those of the paths that `git check-ignore` names, and those that the rules name. */
function bothOf(files: Readonly<Record<string, string>>, paths: readonly string[]) {
  using repo = tempRepo({ ...files, ...Object.fromEntries(paths.map((path) => [path, ""])) });
  const rules = readIgnoreRules(repo.dir, ".gitignore");
  const byGit = paths.filter((path) => {
    try {
      return repo.git("check-ignore", `./${path}`) !== "";
    } catch {
      return false;
    }
  });
  return { byGit, byRules: paths.filter((path) => rules.find(path, false)) };
}

test.each<[string, Record<string, string>, string[], string[]]>([
  [
    "matches bytes, as a letter with an accent has two",
    { ".gitignore": "[!a]\nx?\n" },
    ["b", "é", "xy", "xé"],
    ["b", "xy"],
  ],
  [
    "brings back what a folder's own file unignores",
    { ".gitignore": "*.log\n", "s/.gitignore": "!k.log\n" },
    ["k.log", "s/k.log", "s/x.log"],
    ["k.log", "s/x.log"],
  ],
  [
    "brings nothing back from a folder that is left out",
    { ".gitignore": "s/\n", "s/.gitignore": "!k\n" },
    ["s/k", "k"],
    ["s/k"],
  ],
  [
    "takes a folder's name as it is, whatever it means in a pattern",
    { "[a]*/.gitignore": "/x\ny\n" },
    ["[a]*/x", "[a]*/s/x", "[a]*/s/y", "a1/x", "a1/y"],
    ["[a]*/x", "[a]*/s/y"],
  ],
  [
    "reads lines as git does: a mark at the start, carriage returns, spaces at the end",
    { ".gitignore": "\uFEFFa\r\nb  \nc\\ \n\\#d\n#e\n" },
    ["a", "b", "c ", "c", "#d", "e"],
    ["a", "b", "c ", "#d"],
  ],
  [
    "tells capitals apart where the file system does",
    { ".gitignore": "A\n" },
    ["A", "a"],
    process.platform === "linux" ? ["A"] : ["A", "a"],
  ],
])("%s", (_, files, paths, ignored) => {
  expect(bothOf(files, paths)).toEqual({ byGit: ignored, byRules: ignored });
});

test("names the file, the line and the pattern, as it is written there", () => {
  using repo = tempRepo({ "pkg/.rules": "# first\n\n*.é\n!k.é\n" });
  const rules = readIgnoreRules(repo.dir, ".rules");
  expect(rules.find("pkg/sub/a.é", false)).toEqual({ file: "pkg/.rules", line: 3, pattern: "*.é" });
  expect(rules.find("pkg/k.é", false)).toBeUndefined();
  expect(rules.find("a.é", false)).toBeUndefined();
});

test("a pattern with a slash at its end means folders alone", () => {
  using repo = tempRepo({ ".rules": "out/\n" });
  const rules = readIgnoreRules(repo.dir, ".rules");
  expect([rules.find("out", false), rules.find("out", true)?.line, rules.find("out/x", false)?.line]).toEqual(
    [undefined, 1, 1],
  );
});
