/** What every engine with a server behind it must do when that server is slow, away, or says what it should not. */
import { fimRequest } from "@dhi/core/protocol";
import { closedPort } from "@dhi/core/testing/fake-server";
import { isAbortError, UpstreamError } from "@dhi/core/upstream-error";
import { describe, expect, test } from "vitest";
import type { Engine, Generated } from "./engine.ts";
import type { Protocol } from "./testing/fake-protocols.ts";
import {
  FAKE_PROMPT_TOKENS,
  type FakeUpstream,
  type Fault,
  startFakeUpstream,
} from "./testing/fake-upstream.ts";

export interface FaultsSubject {
  readonly protocol: Protocol;
  readonly model: string;
  /** An engine that asks for `model` at a server's URL. */
  create(url: string): Engine;
}

const TOKENS = ["alpha", " beta", " gamma", " delta"];
const TEXT = TOKENS.join("");
const live = () => new AbortController().signal;
const input = {
  prompt: "<PRE>const a = ",
  request: fimRequest.parse({ path: "a.ts", prefix: "const a = " }),
};
const options = { stop: [], maxTokens: 12 };

export function describeFaults(name: string, { protocol, model, create }: FaultsSubject): void {
  const start = () => startFakeUpstream(protocol, { model, tokens: TOKENS });
  const ask = (engine: Engine, signal = live()) => engine.generate(input, options, signal);

  /** @returns how the call failed, and what it had written */
  async function failure(fake: FakeUpstream, fault: Fault) {
    fake.become(fault);
    let text = "";
    const onText = (piece: string) => (text += piece);
    const error = await create(fake.url)
      .generate(input, { ...options, onText }, live())
      .then(unexpected, (e: unknown) => e);
    if (!(error instanceof UpstreamError)) throw error;
    expect(error.message.startsWith(`${protocol}: `)).toBe(true);
    return { error, words: error.message.slice(protocol.length + 2), text };
  }

  describe(name, () => {
    test("reports counts, and the mean log-probability of the tokens", async () => {
      await using fake = await start();
      const generated = await ask(create(fake.url));
      expect(generated).toMatchObject({
        ...{ text: TEXT, finish: "stop", meanLogprob: -0.5, confidence: null },
        usage: { promptTokens: FAKE_PROMPT_TOKENS, completionTokens: TOKENS.length },
      });
    });

    test("asks with the same options every time", async () => {
      await using fake = await start();
      const engine = create(fake.url);
      await ask(engine);
      await ask(engine);
      const [first, second] = fake.prompts();
      expect(second).toEqual(first);
      expect(JSON.stringify(first)).toContain('"temperature":0');
    });

    test.each([
      [404, "no model of that name"],
      [500, "the runner crashed"],
      [503, "the queue is full"],
    ])("quotes %i and keeps the status", async (status, words) => {
      await using fake = await start();
      const { error, ...told } = await failure(fake, { status, words });
      expect(told).toEqual({ words: `${status} ${words}`, text: "" });
      expect(error).toMatchObject({ upstream: protocol, status, retryAfterMs: undefined });
    });

    test("keeps how long a server that has too much to do asks to be left alone", async () => {
      await using fake = await start();
      const { error } = await failure(fake, { status: 429, words: "slow down", retryAfter: "2" });
      expect(error).toMatchObject({ status: 429, retryAfterMs: 2_000 });
    });

    test.each<[string, Fault, RegExp, string]>([
      ["a connection that breaks before the answer", "reset", /(closed|ECONNRESET).* at http/, ""],
      ["a connection that breaks inside the answer", "reset inside", /^terminated .* at http/, "alpha"],
      [
        "an answer that was cut",
        "cut inside",
        /no JSON \(\d+ characters\)$|ended early, after 5 characters/,
        "alpha",
      ],
      [
        "a line that is no JSON",
        "malformed line",
        /^a line of its answer is no JSON \(\d+ characters\)$/,
        "alpha",
      ],
      ["an error inside the answer", "error inside", /^out of memory$/, "alpha"],
    ])("says so of %s, after what came before it", async (_, fault, words, text) => {
      await using fake = await start();
      expect(await failure(fake, fault)).toMatchObject({ words: expect.stringMatching(words), text });
    });

    test("says where nothing listens", async () => {
      const host = `127.0.0.1:${await closedPort()}`;
      const engine = create(`http://${host}`);
      await expect(ask(engine)).rejects.toThrow(new UpstreamError(protocol, `connect ECONNREFUSED ${host}`));
      const { status, detail } = await engine.health(live());
      expect([status, detail]).toEqual(["down", expect.stringContaining(`(connect ECONNREFUSED ${host})`)]);
    });

    test.each<Fault>(["stall", "stall inside"])("ends at its caller's deadline in a %s", async (fault) => {
      await using fake = await start();
      const engine = create(fake.url);
      // What the server is like is known before the clock runs.
      await ask(engine);
      fake.become(fault);
      const error = await ask(engine, AbortSignal.timeout(50)).then(unexpected, (e: unknown) => e);
      expect((error as Error).name).toBe("TimeoutError");
      await fake.closed(fake.requests.length - 1);
    });

    test.each<Fault>(["stall", "stall inside"])("leaves a %s within 5 ms of the signal", async (fault) => {
      await using fake = await start();
      const engine = create(fake.url);
      await ask(engine);
      fake.become(fault);
      let best = Number.POSITIVE_INFINITY;
      // The machine that tests may be busy: the best of some tries is what the code does.
      for (let i = 0; i < 50 && best >= 5; i++) {
        const abort = new AbortController();
        const asked = fake.requests.length;
        const failed = ask(engine, abort.signal).then(unexpected, (e: unknown) => e);
        await expect.poll(() => fake.requests.length, { interval: 1 }).toBe(asked + 1);
        const firedAt = performance.now();
        abort.abort();
        await fake.closed(asked);
        best = Math.min(best, performance.now() - firedAt);
        expect(await failed).toBe(abort.signal.reason);
      }
      expect(best).toBeLessThan(5);
    });

    test("asks nothing when the signal has fired before the call", async () => {
      await using fake = await start();
      const error = await ask(create(fake.url), AbortSignal.abort()).then(unexpected, (e: unknown) => e);
      expect(isAbortError(error)).toBe(true);
      expect(fake.requests).toEqual([]);
    });

    test("is starting while the model loads, and answers when it has", async () => {
      await using fake = await start();
      fake.become("loading");
      const engine = create(fake.url);
      const warm = engine.warmUp(live());
      await expect.poll(() => engine.health(live())).toMatchObject({ status: "starting" });
      fake.become(undefined);
      await warm;
      await expect.poll(() => engine.health(live())).toMatchObject({ status: "ok" });
      expect((await ask(engine)).text).toBe(TEXT);
    });

    test("answers again once the server does, whatever it did before", async () => {
      await using fake = await start();
      const engine = create(fake.url);
      for (const fault of FAULTS) {
        fake.become(fault);
        await expect(ask(engine)).rejects.toBeInstanceOf(UpstreamError);
        fake.become(undefined);
        expect((await ask(engine)).text).toBe(TEXT);
      }
    });

    test("is asked for its health once by calls in quick succession, and anew after a failure", async () => {
      await using fake = await start();
      const engine = create(fake.url);
      expect((await engine.health(live())).status).toBe("ok");
      const asked = fake.requests.length;
      await engine.health(live());
      expect(fake.requests.length).toBe(asked);
      fake.become("reset");
      await ask(engine).catch(() => {});
      const failed = fake.requests.length;
      await engine.health(live());
      expect(fake.requests.length).toBeGreaterThan(failed);
    });

    test("does not mind that a warm-up fails", async () => {
      const engine = create(`http://127.0.0.1:${await closedPort()}`);
      await engine.warmUp(live());
      expect((await engine.health(live())).status).toBe("down");
    });
  });
}

const FAULTS: readonly Fault[] = [
  { status: 500, words: "the runner crashed" },
  { status: 429, words: "slow down", retryAfter: "1" },
  "reset",
  "reset inside",
  "cut inside",
  "malformed line",
  "error inside",
];

function unexpected({ text }: Generated): never {
  throw new Error(`no failure, but "${text}"`);
}
