/** A fake Ollama that can be killed, stalled and started again. What it writes says whose text it was asked to go on with. */
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export interface FakeEngine extends AsyncDisposable {
  readonly url: string;
  /** Calls that have begun. */
  readonly calls: number;
  /** Stalled, it takes calls and says nothing; `kill` ends calls in their middle, and nobody listens any more. */
  stall(): void;
  kill(): Promise<void>;
  /** On the same port. */
  live(): Promise<void>;
}

export interface FakeEngineOptions {
  readonly model: string;
  /** From a call to its first token, and between two; 0 for at once. */
  readonly tokenMs: number;
}

const TOKENS = ["answer", "(", "1", ")", ";", "\n", "const", " x", " =", " 2", ";", "\n"];

/** @returns the name that all lines of a session's text begin with, as it stands last in a text */
export const markOf = (text: string): string | undefined => [...text.matchAll(/\bs\d+_/g)].at(-1)?.[0];

export async function startFakeEngine({ model, tokenMs }: FakeEngineOptions): Promise<FakeEngine> {
  let server: Server | undefined;
  let port = 0;
  let isStalled = false;
  let calls = 0;

  async function generate(prompt: string, response: ServerResponse): Promise<void> {
    calls++;
    const prefix = prompt.slice(prompt.lastIndexOf("<|fim_prefix|>"), prompt.lastIndexOf("<|fim_suffix|>"));
    const mark = markOf(prefix) ?? "nobody_";
    for (const token of [mark, ...TOKENS]) {
      if (tokenMs) await sleep(tokenMs);
      if (response.destroyed) return;
      response.write(`${JSON.stringify({ model, response: token, done: false })}\n`);
    }
    response.end(`${JSON.stringify({ model, response: "", done: true, done_reason: "stop" })}\n`);
  }

  function listener(): Server {
    return createServer(async (request, response) => {
      let body = "";
      for await (const part of request) body += part;
      if (isStalled) return;
      const models = [{ name: model, model }];
      const { prompt } = body ? JSON.parse(body) : { prompt: undefined };
      if (prompt) await generate(prompt, response);
      else response.end(JSON.stringify({ models, version: "0.17.4", response: "", done: true }));
    });
  }

  async function live(): Promise<void> {
    isStalled = false;
    if (server) return;
    const next = listener();
    await new Promise<void>((resolve, reject) => {
      next.once("error", reject);
      next.listen(port, "127.0.0.1", resolve);
    });
    server = next;
    port = (next.address() as AddressInfo).port;
  }

  async function kill(): Promise<void> {
    const old = server;
    server = undefined;
    old?.closeAllConnections();
    await new Promise((done) => (old ? old.close(done) : done(undefined)));
  }

  await live();
  return {
    url: `http://127.0.0.1:${port}`,
    get calls() {
      return calls;
    },
    stall() {
      isStalled = true;
    },
    kill,
    live,
    [Symbol.asyncDispose]: kill,
  };
}
