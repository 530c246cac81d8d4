import { expect, test } from "vitest";
import { windowsCommand } from "./windows-command.ts";

const env = {
  PATH: "C:\\Windows;C:\\Program Files\\nodejs",
  PATHEXT: ".COM;.EXE;.CMD",
  ComSpec: "C:\\cmd.exe",
};
const files = ["C:\\Program Files\\nodejs\\npm.cmd", "C:\\Program Files\\nodejs\\node.exe"];
const spawned = (...command: string[]) => windowsCommand(command, env, (path) => files.includes(path));

test("a batch file of the path is run by cmd.exe, each part in quotes", () => {
  expect(spawned("npm", "start", "--", "--workspace", "C:\\my code & more\\")).toEqual({
    program: "C:\\cmd.exe",
    args: [
      "/d",
      "/s",
      "/c",
      '""C:\\Program Files\\nodejs\\npm.cmd" "start" "--" "--workspace" "C:\\my code & more\\\\""',
    ],
    windowsVerbatimArguments: true,
  });
});

test.each([["node"], ["docker"], ["C:\\Program Files\\nodejs\\node.exe"]])(
  "%s is run as it is",
  (program) => {
    expect(spawned(program, "50%")).toEqual({ program, args: ["50%"], windowsVerbatimArguments: false });
  },
);

test.each([['a"b'], ["%PATH%"], ["a\nb"]])("a batch file is not given %j", (argument) => {
  expect(() => spawned("npm.cmd", argument)).toThrow("npm.cmd is a batch file, and Windows would read");
});
