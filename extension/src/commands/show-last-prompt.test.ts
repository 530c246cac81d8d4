import { startFakeServer } from "@dhi/core/testing/fake-server";
import { beforeEach, expect, test } from "vitest";
import { sendJson } from "../testing/answers.ts";
import { window } from "../testing/fake-vscode.ts";
import type { Page } from "../views/page.ts";
import { showLastPrompt } from "./show-last-prompt.ts";

const request = { path: "a.py", prefix: "x = ", languageId: "python" };
let told: string[] = [];
beforeEach(() => {
  told = [];
  Object.assign(window, { showInformationMessage: async (words: string) => void told.push(words) });
});

const pages = (shown: string[] = []) => ({
  show: async (name: string, { text }: Page) => void shown.push(name, text),
  dispose() {},
});

test("asks for the prompt of the last request, and shows it", async () => {
  await using server = await startFakeServer((_, response) =>
    sendJson(response, {
      ...{ prompt: "x = ", format: "qwen", tokens: 3, candidates: [], late: [], parts: [], sources: [] },
      timings: { retrieval: 1, prompt: 1, legs: [] },
    }),
  );
  const shown: string[] = [];
  await showLastPrompt({ url: server.url, token: "" }, request, () => undefined, pages(shown));
  expect(server.requests.map(({ path, body }) => [path, body])).toEqual([["/v1/prompt", request]]);
  expect(shown).toEqual(["Last Prompt", expect.stringContaining("For a.py: about 3 tokens")]);
});

test("of a file that was excluded since then nothing is sent again", async () => {
  await using server = await startFakeServer((_, response) => sendJson(response, {}));
  const excluded = () => ({ kind: "excluded", glob: "*.py" }) as const;
  await showLastPrompt({ url: server.url, token: "" }, request, excluded, pages());
  expect(server.requests).toEqual([]);
  expect(told).toEqual([
    "Dhi: nothing of a.py is sent any more: *.py in dhi.excludeGlobs excludes this file.",
  ]);
});

test("says that nothing has been asked yet", async () => {
  await showLastPrompt({ url: "http://127.0.0.1:1", token: "" }, undefined, () => undefined, pages());
  expect(told).toEqual(["Dhi: nothing has been asked yet in this window."]);
});
