import { expect, test } from "vitest";
import { z } from "zod";
import { ConfigError, hostUrl, parseEnv, sharedEnv } from "./env.ts";

test.each([
  ["localhost", "http://localhost:11434"],
  ["localhost:1234", "http://localhost:1234"],
  ["0.0.0.0:11434", "http://127.0.0.1:11434"],
  ["http://gpu.lan:11434/", "http://gpu.lan:11434"],
  ["https://gpu.lan/ollama/", "https://gpu.lan/ollama"],
])("host %s means %s", (given, expected) => {
  expect(hostUrl(11_434).parse(given)).toBe(expected);
});

test("every bad variable is named at once, with what it was", () => {
  const env = { OLLAMA_HOST: "ftp://x", EMBEDDER: "gpt", OLLAMA_KEEP_ALIVE: "soon" };
  expect(() => parseEnv(sharedEnv, env)).toThrowErrorMatchingInlineSnapshot(`
    [ConfigError: bad settings:
      OLLAMA_HOST=ftp://x: expected host, host:port or a http(s) URL, got "ftp://x"
      EMBEDDER=gpt: Invalid option: expected one of "auto"|"ollama"|"hash"
      OLLAMA_KEEP_ALIVE=soon: expected a duration such as "30m", seconds, or -1 for ever]
  `);
  expect(() => parseEnv(sharedEnv, env)).toThrow(ConfigError);
});

test("a password in a URL is refused, and not shown", () => {
  for (const OLLAMA_HOST of ["http://me:hidden@gpu.lan", "ftp://me:hidden@gpu.lan"]) {
    expect(() => parseEnv(sharedEnv, { OLLAMA_HOST })).toThrow(/OLLAMA_HOST=\w+:\/\/…@gpu\.lan: /);
    expect(() => parseEnv(sharedEnv, { OLLAMA_HOST })).not.toThrow(/hidden/);
  }
});

test("an empty variable means its default, as Compose passes it", () => {
  expect(parseEnv(sharedEnv, { EMBED_MODEL: "" }).EMBED_MODEL).toBe("nomic-embed-text");
});

test("a bad secret is named, not shown", () => {
  const schema = sharedEnv.extend({ DHI_TOKEN: z.string().min(8) });
  expect(() => parseEnv(schema, { DHI_TOKEN: "hunter2" })).toThrowErrorMatchingInlineSnapshot(`
    [ConfigError: bad settings:
      DHI_TOKEN=…: Too small: expected string to have >=8 characters]
  `);
});

test("a bad number of tokens is no secret", () => {
  const schema = sharedEnv.extend({ CONTEXT_TOKENS: z.coerce.number().min(256) });
  expect(() => parseEnv(schema, { CONTEXT_TOKENS: "-3" })).toThrow("CONTEXT_TOKENS=-3: ");
});
