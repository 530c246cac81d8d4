import { expect, test } from "vitest";
import { errorWords } from "./server-error.ts";

const answer = (body: string) => new Response(body, { status: 502, statusText: "Bad Gateway" });

test("an error of the server is told in its words", async () => {
  const error = { code: "upstream", message: "model 'x' not found", hint: "ollama pull x" };
  expect(await errorWords(answer(JSON.stringify({ error })))).toEqual({
    message: "model 'x' not found",
    hint: "ollama pull x",
  });
});

test.each([
  ["a page", "<h1>Bad Gateway</h1>"],
  ["nothing", ""],
  ["null", "null"],
  ["another JSON", '{"detail":"no"}'],
])("%s from somebody else is told as its status", async (_, body) => {
  expect(await errorWords(answer(body))).toEqual({ message: "502 Bad Gateway", hint: undefined });
});
