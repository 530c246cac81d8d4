import { readdirSync, readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { window } from "../testing/fake-vscode.ts";
import { say, sayError, withoutLinks } from "./say.ts";

test("no name and no word of a server becomes a link that runs a command", async () => {
  const told = vi.fn(async (...words: string[]) => words.at(-1));
  Object.assign(window, { showInformationMessage: told, showErrorMessage: told });
  const name = "[Fix](command:workbench.action.terminal.new).py";
  expect(await say(`${name} is not in the index.`, "Doctor")).toBe("Doctor");
  await sayError(`no file ${name}`);
  expect(told.mock.calls).toEqual([
    ["[Fix] (command:workbench.action.terminal.new).py is not in the index.", "Doctor"],
    ["no file [Fix] (command:workbench.action.terminal.new).py"],
  ]);
  expect(withoutLinks("def f(a[0](1)): [x]")).toBe("def f(a[0] (1)): [x]");
});

test("every message goes that way", () => {
  const src = new URL("../", import.meta.url);
  const telling = readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
    .filter((path) =>
      /\bshow(?:Information|Warning|Error)Message\(/.test(readFileSync(new URL(path, src), "utf8")),
    );
  expect(telling).toEqual(["commands/say.ts"]);
});
