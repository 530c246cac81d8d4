import type { FimRequestInput } from "@dhi/core/protocol";
import { beforeEach, expect, test, vi } from "vitest";
import { status } from "../server/server-state.ts";
import { createGhostText } from "./ghost-text.ts";
import { fileKey, type OpenFile, openFile, outcome, shown } from "./playground-state.ts";

vi.hoisted(() => vi.stubGlobal("sessionStorage", { getItem: () => null }));

const FILE: OpenFile = { workspace: "shop", path: "a.py", language: "python", text: "" };

/** A document of one line. */
const fakeModel = (line: string) => ({
  getVersionId: () => 1,
  getLineCount: () => 1,
  getLineContent: () => line,
  getOffsetAt: ({ column }: { column: number }) => column - 1,
  getEOL: () => "\n",
});
const position = { lineNumber: 1, column: 5 };
const token = { isCancellationRequested: false, onCancellationRequested() {} };

/** What the server is asked, and what it says to it. */
let asked: FimRequestInput[];
let say: (event: object) => void;
let end: () => void;
/** How many requests the page has ended. */
let letGo: number;
/** What the server was told of ghost text, and whether it keeps it. */
let told: unknown[];
let stored: boolean;
/** What stands in the open file where text was accepted. */
let there: string | undefined;

beforeEach(() => {
  openFile.value = FILE;
  outcome.value = undefined;
  asked = [];
  letGo = 0;
  told = [];
  stored = true;
  status.value = undefined;
  vi.stubGlobal("fetch", async (path: string, { body, signal }: { body: string; signal: AbortSignal }) => {
    if (path.startsWith("/v1/stats?")) return Response.json({ stored });
    if (path === "/v1/events") {
      told.push(...JSON.parse(body).events);
      return Response.json({ stored });
    }
    asked.push(JSON.parse(body));
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        const bytes = (event: object) => new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`);
        say = (event) => controller.enqueue(bytes(event));
        end = () => controller.close();
        signal.addEventListener("abort", () => {
          letGo++;
          controller.error(signal.reason);
        });
      },
    });
    return new Response(stream);
  });
});

const answer = (completion: string) => ({
  ...{ completion, sources: [], timings: {}, debounceMs: 0, reason: "ok" },
});

function start() {
  const grown: unknown[] = [];
  const ghostText = createGhostText({
    sessionId: "page-1",
    onGrown: (given) => grown.push(given),
    read: (key) => (key === fileKey(FILE) ? there : undefined),
  });
  const model = fakeModel("x = ") as never;
  const provide = () =>
    ghostText.provider.provideInlineCompletions(
      model,
      position as never,
      { triggerKind: 0 } as never,
      token as never,
    );
  return { ghostText, grown, model, provide };
}

test("of an answer that comes line by line the rest is told once, with the place it belongs to", async () => {
  const { grown, model, provide } = start();
  const given = provide();
  await expect.poll(() => asked.length).toBe(1);
  say({ text: "one\n" });
  expect(await given).toMatchObject({ items: [{ insertText: "one\n" }] });
  // There is no answer yet that could be said to be whole.
  expect([shown.value?.requestId, outcome.value]).toEqual([asked[0]?.requestId, undefined]);
  say({ text: "two\n" });
  say(answer("one\ntwo\nthree"));
  end();
  await expect.poll(() => outcome.value?.kind).toBe("answered");
  expect(outcome.value?.request).toBe(shown.value);
  expect(grown).toEqual([{ model, version: 1, position }]);
  expect(await provide()).toMatchObject({ items: [{ insertText: "one\ntwo\nthree" }] });
  expect(asked.length).toBe(1);
});

test("what was dismissed while it is written is let go, and does not come back", async () => {
  const { ghostText, grown, provide } = start();
  const given = provide();
  await expect.poll(() => asked.length).toBe(1);
  say({ text: "one\n" });
  expect(await given).toMatchObject({ items: [{ insertText: "one\n" }] });
  ghostText.dismissed();
  expect(letGo).toBe(1);
  expect(() => say(answer("one\ntwo"))).toThrow();
  expect([grown, outcome.value]).toEqual([[], undefined]);
});

test("an answer that comes when another file is shown is told nobody", async () => {
  const { ghostText, provide } = start();
  const given = provide();
  await expect.poll(() => asked.length).toBe(1);
  ghostText.stop();
  openFile.value = { ...FILE, path: "b.py" };
  expect(await given).toEqual({ items: [] });
  expect(outcome.value).toBeUndefined();
});

test("a request names the edits in its own workspace only", () => {
  const { ghostText, model } = start();
  const range = { startLineNumber: 3, endLineNumber: 3 };
  ghostText.changed([{ range, text: "y" }] as never);
  expect(ghostText.requestAt(model, position).recentEdits).toEqual([
    { path: "a.py", startLine: 3, endLine: 3 },
  ]);
  openFile.value = { ...FILE, workspace: "other" };
  expect(ghostText.requestAt(model, position).recentEdits).toEqual([]);
});

/** Shows `foo()` and puts it into the document. */
async function accept({ ghostText, provide }: ReturnType<typeof start>) {
  const given = provide();
  await expect.poll(() => asked.length).toBe(1);
  say(answer("foo()"));
  end();
  expect(await given).toMatchObject({ items: [{ insertText: "foo()" }] });
  const range = { startLineNumber: 1, endLineNumber: 1 };
  ghostText.changed([{ range, rangeOffset: 4, rangeLength: 0, text: "foo()" }] as never);
  ghostText.moved(9, false);
}

test("a server that keeps what became of ghost text is told, without the text", async () => {
  const started = start();
  await accept(started);
  started.ghostText.leave();
  const about = { requestId: asked[0]?.requestId, languageId: "python", chars: 5 };
  await expect
    .poll(() => told)
    .toEqual([
      { ...about, event: "shown", latencyMs: expect.any(Number) },
      { ...about, event: "accepted", visibleMs: expect.any(Number) },
    ]);
});

test("what is left of accepted text is told four times, until its file is closed", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  /** The debounce too. */
  const settled = () => vi.advanceTimersByTimeAsync(1_000);
  try {
    there = "foo()";
    const { ghostText, provide } = start();
    const given = provide();
    await settled();
    say(answer("foo()"));
    end();
    await settled();
    await given;
    const range = { startLineNumber: 1, endLineNumber: 1 };
    ghostText.changed([{ range, rangeOffset: 4, rangeLength: 0, text: "foo()" }] as never);
    await vi.advanceTimersByTimeAsync(60_000);
    there = "fo";
    await vi.advanceTimersByTimeAsync(90_000);
    there = undefined;
    await vi.advanceTimersByTimeAsync(600_000);
  } finally {
    vi.useRealTimers();
  }
  expect(told.slice(2)).toMatchObject([
    { event: "survived", afterMs: 30_000, kept: 1 },
    { event: "survived", afterMs: 120_000, kept: 0.4 },
  ]);
});

test("a server that keeps none is told nothing, until another one is there that does", async () => {
  stored = false;
  const started = start();
  await accept(started);
  started.ghostText.leave();
  // Long enough for what would be sent.
  await new Promise((done) => setTimeout(done));
  expect(told).toEqual([]);
  stored = true;
  status.value = { startedAt: "later" } as never;
  openFile.value = { ...FILE, path: "b.py" };
  asked = [];
  await accept(started);
  started.ghostText.leave();
  await expect.poll(() => told.length).toBe(2);
});
