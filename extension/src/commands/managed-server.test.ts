import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
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

describe("without a command it asks how, and keeps the answer", () => {
  /** @param way of those that are offered @param folder that is chosen then */
  async function startBy(way: string | undefined, folder?: string) {
    const ran: string[] = [];
    Object.assign(window, {
      showQuickPick: async (ways: readonly { way: string }[]) => ways.find((one) => one.way === way),
      showOpenDialog: async () => folder && [{ fsPath: folder }],
    });
    Object.assign(commands, { executeCommand: async (...run: string[]) => void ran.push(run.join(" ")) });
    await start(true, {});
    return { ran, command: workspace.getConfiguration().get("server.command") };
  }

  function folderWith(...files: string[]): string {
    const folder = mkdtempSync(join(tmpdir(), "dhi-set-up-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const file of ["extension/package.json", ...files]) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), "");
    }
    return folder;
  }

  test("with Node, which is started at once", async () => {
    const folder = folderWith("scripts/start.mjs");
    const { command } = await startBy("node", folder);
    const said = ["npm", "start", "--prefix", folder, "--", "--workspace"];
    expect(command).toEqual([...said, "$" + "{workspaceFolder}"]);
    expect(log[0]).toBe(`> ${said.join(" ")} /code/shop`);
  });

  test("with Docker Compose", async () => {
    const folder = folderWith("docker-compose.yml");
    const { command } = await startBy("compose", folder);
    expect(command).toEqual([
      ...["WORKSPACE=$" + "{workspaceFolder}", "docker", "compose", "--project-directory", folder],
      ...["up", "--timeout", "3"],
    ]);
  });

  test("not in a folder without Dhi, which is said", async () => {
    const folder = folderWith();
    expect(await startBy("compose", folder)).toEqual({ ran: [], command: undefined });
    expect(told).toEqual([`Dhi: ${folder} has no docker-compose.yml, so it is no folder with Dhi.`]);
  });

  test.each([
    [undefined, []],
    ["node", []],
    ["elsewhere", ["workbench.action.openSettings dhi.serverUrl"]],
    ["steps", ["dhi.openWalkthrough"]],
  ])("answered with %s and no folder nothing is started", async (way, ran) => {
    expect(await startBy(way)).toEqual({ ran, command: undefined });
    expect(log).toEqual([]);
  });
});
