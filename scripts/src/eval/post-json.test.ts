import { startFakeServer } from "@dhi/core/testing/fake-server";
import { expect, test } from "vitest";
import { postJson } from "./post-json.ts";

test("asks again when the connection is ended before there is an answer", async () => {
  let asked = 0;
  await using server = await startFakeServer((_request, response) => {
    asked++;
    if (asked === 1) response.destroy();
    else response.end(JSON.stringify({ asked }));
  });
  expect(await postJson(`${server.url}/search`, {})).toEqual({ asked: 2 });
});

test("a refusal is told in the server's words, and not asked again", async () => {
  let asked = 0;
  await using server = await startFakeServer((_request, response) => {
    asked++;
    response.writeHead(400).end("no such leg");
  });
  await expect(postJson(`${server.url}/v1/prompt`, {})).rejects.toThrow(/\/v1\/prompt: 400 no such leg/);
  expect(asked).toBe(1);
});
