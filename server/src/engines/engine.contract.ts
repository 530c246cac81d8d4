/** What every engine must do. Each engine's test runs it over a real or a local fake upstream. */
import { isAbortError } from "@dhi/core/upstream-error";
import { describe, expect, test } from "vitest";
import type { Engine, EngineInput, GenerateOptions } from "./engine.ts";

export interface EngineSubject extends AsyncDisposable {
  readonly engine: Engine;
  /** Is continued with several tokens. */
  readonly input: EngineInput;
  /** Stands somewhere inside that continuation, not at its start. */
  readonly stop: string;
}

/** @param name what the suite is called; an engine that cannot run here is left out with `skip` and says why in its name */
export function describeEngine(
  name: string,
  create: () => Promise<EngineSubject>,
  { skip = false } = {},
): void {
  const live = () => new AbortController().signal;

  describe.skipIf(skip)(name, () => {
    test("streams pieces that, concatenated, are the text", async () => {
      await using subject = await create();
      const pieces: string[] = [];
      const { stop } = subject;
      const generated = await subject.engine.generate(
        subject.input,
        { stop: [], maxTokens: 12, onText: (text) => pieces.push(text) },
        live(),
      );
      expect(generated.text).toContain(stop);
      expect(pieces.join("")).toBe(generated.text);
      expect(generated.firstTokenMs).toBeGreaterThan(0);
    });

    test("ends at a stop string and leaves it out", async () => {
      await using subject = await create();
      const whole = await subject.engine.generate(subject.input, { stop: [], maxTokens: 12 }, live());
      const stopped = await subject.engine.generate(
        subject.input,
        { stop: ["never there", subject.stop], maxTokens: 12 },
        live(),
      );
      expect(stopped).toMatchObject({
        finish: "stop",
        text: whole.text.slice(0, whole.text.indexOf(subject.stop)),
      });
      expect(stopped.text).not.toBe("");
    });

    test("ends at maxTokens and says so", async () => {
      await using subject = await create();
      const whole = await subject.engine.generate(subject.input, { stop: [], maxTokens: 12 }, live());
      const cut = await subject.engine.generate(subject.input, { stop: [], maxTokens: 2 }, live());
      expect(cut).toMatchObject({ finish: "length", usage: { completionTokens: 2 } });
      expect(whole.text.startsWith(cut.text)).toBe(true);
      expect(cut.text.length).toBeLessThan(whole.text.length);
    });

    test("ends with AbortError when the signal fires while text arrives", async () => {
      await using subject = await create();
      const abort = new AbortController();
      const options = { stop: [], maxTokens: 12, onText: () => abort.abort() };
      const error = await subject.engine.generate(subject.input, options, abort.signal).catch((e) => e);
      expect(isAbortError(error)).toBe(true);
    });

    test("ends with AbortError at once when the signal has fired before the call", async () => {
      await using subject = await create();
      let called = false;
      const options = { stop: [], maxTokens: 12, onText: () => (called = true) };
      const error = await subject.engine
        .generate(subject.input, options, AbortSignal.abort())
        .catch((e: unknown) => e);
      expect(isAbortError(error)).toBe(true);
      expect(called).toBe(false);
    });

    test("draws its tokens as it is told to, for that call alone", async () => {
      await using subject = await create();
      const write = (more: Partial<GenerateOptions> = {}) =>
        subject.engine.generate(subject.input, { stop: [], maxTokens: 12, ...more }, live());
      const { text } = await write();
      const drawn = await write({ sampling: { temperature: 0.8, seed: 2 } });
      expect(drawn.text).not.toBe("");
      expect((await write()).text).toBe(text);
    });

    test("is healthy after a warm-up", async () => {
      await using subject = await create();
      await subject.engine.warmUp(live());
      expect((await subject.engine.health(live())).status).toBe("ok");
    });
  });
}
