import { beforeEach, expect, test } from "vitest";
import { commands, editor, window, workspace } from "../testing/fake-vscode.ts";
import { managedServerCommands } from "./managed-server.ts";

let told: string[] = [];
let log: string[] = [];
const channel = { show() {}, appendLine: (line: string) => void log.push(line) };

beforeEach(() => {
  [told, log] = [[], []];
  const tell = async (words: string) => void told.push(words);
  Object.assign(window, { showInformationMessage: tell, showErrorMessage: tell });
  Object.assign(commands, { executeCommand: async () => {} });
});

const start = async (isTrusted: boolean, settings: object) => {
  editor.start({ ...settings });
  Object.assign(workspace, { isTrusted });
  const managed = managedServerCommands(
    () => channel as never,
    () => {},
  );
  await managed.start();
  await managed.stop();
};

test("in a folder that is not trusted nothing is started", async () => {
  await start(false, { "server.command": [process.execPath, "--version"] });
  expect(log).toEqual([]);
  expect(told).toEqual([expect.stringContaining("not trusted")]);
});

test("in one that is, the user's command is, and the log has its line", async () => {
  await start(true, { "server.command": [process.execPath, "--version"], "server.directory": "/" });
  expect(told).toEqual([]);
  expect(log[0]).toBe(`> ${process.execPath} --version`);
  expect(log.at(-1)).toMatch(/^The server has ended: /);
});

test("without a command it offers to set one up", async () => {
  await start(true, {});
  expect(told).toEqual(["Dhi: no command to start a server is set (dhi.server.command)."]);
});
