import type { FimRequestInput } from "@dhi/core/protocol";
import { beforeEach, expect, test, vi } from "vitest";
import { createGhostText } from "./ghost-text.ts";
import { type OpenFile, openFile, outcome } from "./playground-state.ts";

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
/** What the server was told of ghost text, and whether it keeps it. */
let told: unknown[];
let stored = true;

beforeEach(() => {
  openFile.value = FILE;
  outcome.value = undefined;
  asked = [];
  told = [];
  vi.stubGlobal("fetch", async (path: string, { body, signal }: { body: string; signal: AbortSignal }) => {
    if (path === "/v1/events") {
      told.push(JSON.parse(body).events);
      return Response.json({ stored });
    }
    asked.push(JSON.parse(body));
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        const bytes = (event: object) => new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`);
        say = (event) => controller.enqueue(bytes(event));
        end = () => controller.close();
        signal.addEventListener("abort", () => controller.error(signal.reason));
      },
    });
    return new Response(stream);
  });
});

const answer = (completion: string) => ({ completion, sources: [], debounceMs: 0, reason: "ok" });

function start() {
  const grown: unknown[] = [];
  const ghostText = createGhostText("page-1", (given) => grown.push(given));
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
  const shown = provide();
  await expect.poll(() => asked.length).toBe(1);
  say({ text: "one\n" });
  expect(await shown).toMatchObject({ items: [{ insertText: "one\n" }] });
  say({ text: "two\n" });
  say(answer("one\ntwo\nthree"));
  end();
  await expect.poll(() => outcome.value?.kind).toBe("answered");
  expect(grown).toEqual([{ model, version: 1, position }]);
  expect(await provide()).toMatchObject({ items: [{ insertText: "one\ntwo\nthree" }] });
  expect(asked.length).toBe(1);
});

test("an answer that comes when another file is shown is told nobody", async () => {
  const { ghostText, provide } = start();
  const shown = provide();
  await expect.poll(() => asked.length).toBe(1);
  ghostText.stop();
  openFile.value = { ...FILE, path: "b.py" };
  expect(await shown).toEqual({ items: [] });
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

/** Shows `foo()`, which is asked for only once, and puts it into the document. */
async function accept({ ghostText, provide }: ReturnType<typeof start>) {
  const shown = provide();
  if (asked.length === 0) {
    await expect.poll(() => asked.length).toBe(1);
    say(answer("foo()"));
    end();
  }
  expect(await shown).toMatchObject({ items: [{ insertText: "foo()" }] });
  const range = { startLineNumber: 1, endLineNumber: 1 };
  ghostText.changed([{ range, rangeOffset: 4, rangeLength: 0, text: "foo()" }] as never);
  ghostText.moved(9, false);
  ghostText.leave();
}

test("a server that keeps what became of ghost text is told, without the text", async () => {
  stored = true;
  await accept(start());
  const about = { requestId: asked[0]?.requestId, languageId: "python", chars: 5 };
  expect(told).toEqual([
    [
      { ...about, event: "shown", latencyMs: expect.any(Number) },
      { ...about, event: "accepted", visibleMs: expect.any(Number) },
    ],
  ]);
});

test("a server that keeps none is told once", async () => {
  stored = false;
  const started = start();
  await accept(started);
  // Its answer has been read by then.
  await new Promise((done) => setTimeout(done));
  await accept(started);
  expect(told.length).toBe(1);
});
