import type { FimDone, FimRequestInput } from "@dhi/core/protocol";
import { expect, test } from "vitest";
import type { DhiClient } from "../dhi-client.ts";
import { askBoth } from "./completion-measure.ts";

const at = {
  cursor: { package: "shop", path: "a.py", language: "python", prefix: "x = ", suffix: "\n" },
  surroundings: { openFiles: ["b.py"], recentEdits: [{ path: "b.py", startLine: 1, endLine: 2 }] },
};

const request = {
  ...{ workspace: "shop", path: "a.py", languageId: "python", prefix: "x = ", suffix: "\n" },
  ...{ openFiles: ["b.py"], recentEdits: [{ path: "b.py", startLine: 1, endLine: 2 }] },
};

function fakeClient(engine: FimDone["engine"]) {
  const asked: FimRequestInput[] = [];
  const client: Pick<DhiClient, "complete"> = {
    async complete(request) {
      asked.push(request);
      return { engine, completion: request.mode ?? "" } as FimDone;
    },
  };
  return { client, asked };
}

test("an engine that reads prompts is asked with retrieval and without", async () => {
  const { client, asked } = fakeClient("ollama");
  const answers = await askBoth(at, client);
  expect(answers.map(([retrieval, { completion }]) => [retrieval, completion])).toEqual([
    ["on", "rag"],
    ["off", "simple"],
  ]);
  expect(asked).toEqual([
    { ...request, mode: "rag" },
    { ...request, mode: "simple" },
  ]);
});

test("the instant tier is asked once: it reads no prompt", async () => {
  const { client, asked } = fakeClient("instant");
  const answers = await askBoth(at, client);
  expect(answers.map(([retrieval]) => retrieval)).toEqual(["on"]);
  expect(asked).toEqual([{ ...request, mode: "rag" }]);
});
