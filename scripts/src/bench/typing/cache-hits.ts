/** Answers that are there already, asked for one after another while nothing else goes on: what they take by themselves. */
import { randomUUID } from "node:crypto";
import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type FimDone, fimDone } from "@dhi/core/protocol";
import type { FakeOllama } from "./fake-ollama.ts";
import type { Insertion } from "./insertion.ts";

export interface CacheHit {
  /** From the request to the first byte of the answer, HTTP included. */
  readonly firstByteMs: number;
  /** In the server, all of it. */
  readonly totalMs: number;
}

/** Code that runs for the first time is compiled first. */
const WARM_UP = 100;
const GAP_MS = 20;

/** @returns `count` at most: what the engine wrote at the start of each line is typed out, with a request for each character */
export async function cacheHits(
  serverUrl: string,
  engine: Pick<FakeOllama, "aim">,
  insertions: readonly Insertion[],
  count: number,
  gapMs = GAP_MS,
): Promise<CacheHit[]> {
  // As an editor's: `fetch` takes some milliseconds by itself.
  const agent = new Agent({ keepAlive: true });
  const sessionId = randomUUID();
  const hits: CacheHit[] = [];
  const ask = (body: object) => askOnce(`${serverUrl}/v1/fim`, agent, { sessionId, ...body });
  try {
    for (const { path, before, lines, after } of insertions) {
      engine.aim(before + lines + after);
      for (let done = 0; done < lines.length && hits.length < WARM_UP + count; done++) {
        const { answer, firstByteMs } = await ask({
          path,
          prefix: before + lines.slice(0, done),
          suffix: after,
        });
        if (answer.reuse === "cached") hits.push({ firstByteMs, totalMs: answer.timings.total });
        await sleep(gapMs);
      }
    }
  } finally {
    agent.destroy();
  }
  return hits.slice(WARM_UP);
}

async function askOnce(
  url: string,
  agent: Agent,
  body: object,
): Promise<{ readonly answer: FimDone; readonly firstByteMs: number }> {
  const text = JSON.stringify(body);
  const askedAt = performance.now();
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { "content-length": Buffer.byteLength(text) };
    httpRequest(url, { method: "POST", agent, headers }, resolve).on("error", reject).end(text);
  });
  let firstByteMs: number | undefined;
  let stream = "";
  for await (const chunk of response.setEncoding("utf8")) {
    firstByteMs ??= performance.now() - askedAt;
    stream += chunk;
  }
  const last = stream.trim().split("data: ").at(-1) ?? "null";
  return { answer: fimDone.parse(JSON.parse(last)), firstByteMs: firstByteMs ?? Number.NaN };
}
