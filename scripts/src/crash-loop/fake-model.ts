/** An Ollama that embeds: the same vector for the same text, and a little time for each batch. */
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type FakeServer, startFakeServer } from "@dhi/core/testing/fake-server";

const BATCH_MS = 5;

export function startFakeModel(): Promise<FakeServer> {
  return startFakeServer(async ({ path, body }, response) => {
    await sleep(BATCH_MS);
    response.setHeader("content-type", "application/json");
    if (path === "/api/embed") response.end(JSON.stringify({ embeddings: inputOf(body).map(vectorOf) }));
    else response.end(JSON.stringify({ models: [] }));
  });
}

function inputOf(body: unknown): string[] {
  if (typeof body !== "object" || body === null || !("input" in body)) return [];
  return Array.isArray(body.input) ? body.input.map(String) : [String(body.input)];
}

const vectorOf = (text: string): number[] =>
  [...createHash("sha512").update(text).digest()].map((byte) => byte - 127.5);
