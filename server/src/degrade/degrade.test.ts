import { fimRequest } from "@dhi/core/protocol";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { CompletionDeps } from "../complete.ts";
import type { Engine, GenerateOptions } from "../engines/engine.ts";
import { createDegrade } from "./degrade.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const request = fimRequest.parse({ path: "a.ts", prefix: "x = ", suffix: "\n" });
const SLOW_MS = 3_000;

/** @param generate of the engine that requests go to by default */
function setUp(generate: (options: GenerateOptions) => Promise<unknown>, name: Engine["name"] = "ollama") {
  const fake = { name, generate: (_: unknown, options: GenerateOptions) => generate(options) };
  const instant = { name: "instant", generate: async () => ({}) };
  const [engine, other] = [fake, instant] as unknown as [Engine, Engine];
  const degrade = createDegrade({ engine, instant: other, waiting: () => 0, onStep: () => {} });
  const deps = { engine: () => engine, budgetTokens: 4_000 } as unknown as CompletionDeps;
  const apply = (wanted: Partial<typeof request> = {}) => degrade.apply({ ...request, ...wanted }, deps);
  return {
    apply,
    engine,
    async ask(times: number) {
      for (let i = 0; i < times; i++) {
        const asked = apply();
        const options = { stop: [], maxTokens: 9 };
        const { signal } = new AbortController();
        await asked.deps
          .engine(asked.request)
          .generate({ prompt: "", ...asked }, options, signal)
          .catch(() => {});
      }
    },
  };
}

async function slowly({ onText }: GenerateOptions) {
  vi.advanceTimersByTime(SLOW_MS);
  onText?.("a");
}

async function givenUp() {
  vi.advanceTimersByTime(SLOW_MS);
  throw new DOMException("typed on", "AbortError");
}

test("each step takes one thing more away from what a slow engine is asked", async () => {
  const { apply, ask } = setUp(slowly);
  const steps: unknown[] = [];
  for (let i = 0; i < 5; i++) {
    const { step, debounceMs, request: asked, deps } = apply();
    const { budgetTokens, asksAhead, engine } = deps;
    steps.push([step, budgetTokens, asked.singleLine, debounceMs, asksAhead, engine(asked).name]);
    await ask(5);
  }
  expect(steps).toEqual([
    ["full", 4_000, undefined, null, true, "ollama"],
    ["short-prompt", 1_024, undefined, null, false, "ollama"],
    ["one-line", 1_024, true, null, false, "ollama"],
    ["slow-typing", 1_024, true, 225, false, "ollama"],
    ["instant", 1_024, true, 225, false, "instant"],
  ]);
});

test.each([{ trigger: "manual" }, { engine: "ollama" }] as const)(
  "all of it is asked by %j",
  async (wanted) => {
    const { apply, ask } = setUp(slowly);
    await ask(20);
    const asked = apply(wanted);
    expect([asked.step, asked.request, asked.deps.budgetTokens]).toEqual([
      "full",
      { ...request, ...wanted },
      4_000,
    ]);
  },
);

test("a call that was given up before its first text counts as long as it took", async () => {
  const { apply, ask } = setUp(givenUp);
  await ask(5);
  expect(apply().step).toBe("short-prompt");
});

test("one that was given up behind its first text counts once, by that", async () => {
  const { apply, ask } = setUp(async ({ onText }) => {
    onText?.("a");
    return givenUp();
  });
  await ask(10);
  expect(apply().step).toBe("full");
});

test("what the tier without a model says in an engine's place counts for nothing", async () => {
  const { apply, ask, engine } = setUp(async (options) => {
    Object.assign(engine, { name: "instant" });
    await slowly(options);
    Object.assign(engine, { name: "ollama" });
  });
  await ask(20);
  expect(apply().step).toBe("full");
});
