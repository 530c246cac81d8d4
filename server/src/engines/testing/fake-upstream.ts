/** A model server on loopback that speaks an engine's protocol, and fails on command. */
import type { ServerResponse } from "node:http";
import { type FakeRequest, type FakeServer, startFakeServer } from "@dhi/core/testing/fake-server";
import { fakeProtocols, type Protocol, type Wanted } from "./fake-protocols.ts";

export type Fault =
  /** Never answers. */
  | "stall"
  /** Writes one token, and no more. */
  | "stall inside"
  /** Breaks the connection instead of an answer. */
  | "reset"
  | "reset inside"
  /** Ends the answer in good order before it is complete. */
  | "cut inside"
  | "malformed line"
  | "error inside"
  /** Its model is on the way: 503, or as Ollama does, an answer that waits for it. */
  | "loading"
  | { readonly status: number; readonly words: string; readonly retryAfter?: string };

export interface FakeUpstream extends FakeServer {
  /** From the next call on; what waits for a model that was loading goes on. */
  become(fault: Fault | undefined): void;
  /** Bodies of the calls that complete, oldest first. */
  prompts(): Record<string, unknown>[];
}

export interface FakeUpstreamOptions {
  readonly model: string;
  /** What it writes, a token at a time. */
  readonly tokens: readonly string[];
}

/** What it counts, whatever the prompt. */
export const FAKE_PROMPT_TOKENS = 100;
/** Of what it writes, in turn. */
const LOGPROBS = [-0.25, -0.75];
const logprobOf = (i: number) => LOGPROBS[i % LOGPROBS.length] ?? 0;

export async function startFakeUpstream(
  name: Protocol,
  { model, tokens }: FakeUpstreamOptions,
): Promise<FakeUpstream> {
  const protocol = fakeProtocols[name];
  let fault: Fault | undefined;
  let waiting: (() => void)[] = [];

  async function answer({ method, path, body }: FakeRequest, response: ServerResponse): Promise<void> {
    if (fault === "loading" && name !== "ollama") return refuse(response, 503, "Loading model");
    if (method === "GET") {
      const told = protocol.gets[path];
      if (!told) return refuse(response, 404, "no such path");
      response.end(JSON.stringify(told(model)));
      return;
    }
    if (path !== protocol.path) return refuse(response, 404, "no such path");
    if (fault === "loading") await new Promise<void>((done) => waiting.push(done));
    const wanted = protocol.wanted(body);
    if (!wanted) response.end("{}");
    else if (typeof fault === "object") refuse(response, fault.status, fault.words, fault.retryAfter);
    else write(wanted, response);
  }

  function refuse(response: ServerResponse, status: number, words: string, retryAfter?: string): void {
    response
      .writeHead(status, { ...(retryAfter && { "retry-after": retryAfter }) })
      .end(protocol.error(words, status));
  }

  function write({ stop, maxTokens }: Wanted, response: ServerResponse): void {
    if (fault === "stall") return;
    if (fault === "reset") {
      response.destroy();
      return;
    }
    const [first = ""] = tokens;
    if (fault === undefined) response.end(wholeAnswer(stop, maxTokens));
    else response.write(protocol.piece(first, logprobOf(0)));
    // In a turn of its own, so that the token before it is on the way.
    if (fault === "reset inside") setImmediate(() => response.destroy());
    if (fault === "cut inside") response.end(protocol.piece(first, logprobOf(1)).slice(0, -4));
    if (fault === "malformed line") response.end('data: {"half"\n');
    if (fault === "error inside") response.end(protocol.errorInside("out of memory"));
  }

  function wholeAnswer(stop: readonly string[], maxTokens: number): string {
    const stopAt = tokens.findIndex((token) => stop.includes(token));
    const wanted = stopAt < 0 ? tokens : tokens.slice(0, stopAt);
    const sent = wanted.slice(0, maxTokens);
    const finish = sent.length < wanted.length ? "length" : "stop";
    const end = { finish, promptTokens: FAKE_PROMPT_TOKENS, completionTokens: sent.length } as const;
    return sent.map((token, i) => protocol.piece(token, logprobOf(i))).join("") + protocol.end(end);
  }

  const server = await startFakeServer(answer);
  return {
    ...server,
    become(next) {
      fault = next;
      if (next === "loading") return;
      for (const goOn of waiting) goOn();
      waiting = [];
    },
    prompts: () =>
      server.requests
        .filter(({ path, body }) => path === protocol.path && protocol.wanted(body))
        .map(({ body }) => ({ ...(body as object) })),
  };
}
