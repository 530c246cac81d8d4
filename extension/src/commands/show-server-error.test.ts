import { startFakeServer } from "@dhi/core/testing/fake-server";
import { beforeEach, expect, test } from "vitest";
import { callForJson, callForStatus, ServerRefused } from "../server.ts";
import { sendJson } from "../testing/answers.ts";
import { commands, editor, window } from "../testing/fake-vscode.ts";
import { showServerError } from "./show-server-error.ts";

let told: string[][] = [];
beforeEach(() => {
  editor.start({});
  told = [];
  for (const name of ["dhi.doctor", "dhi.startServer"]) commands.registerCommand(name, () => {});
  Object.assign(window, { showErrorMessage: async (...words: string[]) => void told.push(words) });
});

test("a server that is too slow is told, and is no error of the command", async () => {
  await using server = await startFakeServer(() => {});
  const call = callForJson(
    { url: server.url, token: "" },
    { method: "GET", path: "/x" },
    AbortSignal.timeout(1),
  );
  await showServerError(await call.catch((error: unknown) => error), ["retry"]);
  expect(told).toEqual([["Dhi: the server did not answer in time.", "Retry", "Doctor", "Show Output"]]);
});

test("a refusal is told with the server's hint, and what is taken is done", async () => {
  Object.assign(window, { showErrorMessage: async (...words: string[]) => words.at(-1) });
  expect(await showServerError(new ServerRefused(409, "no such model", "ollama pull x"))).toBe("doctor");
  expect(editor.ran()).toEqual(["dhi.doctor"]);
});

test("what is no word of the server is thrown on", async () => {
  await expect(showServerError(new TypeError("a bug"))).rejects.toThrow("a bug");
});

test.each([[{ hello: "world" }], [null]])("something else that answers %j has no status", async (answer) => {
  await using server = await startFakeServer((_, response) => sendJson(response, answer as object));
  await expect(callForStatus({ url: server.url, token: "" }, AbortSignal.timeout(5_000))).rejects.toThrow(
    `${server.url} does not speak Dhi's protocol`,
  );
});
