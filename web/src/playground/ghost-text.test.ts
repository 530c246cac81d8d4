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
});
const position = { lineNumber: 1, column: 5 };
const token = { isCancellationRequested: false, onCancellationRequested() {} };

/** What the server is asked, and what it says to it. */
let asked: FimRequestInput[];
let say: (event: object) => void;
let end: () => void;

beforeEach(() => {
  openFile.value = FILE;
  outcome.value = undefined;
  asked = [];
  vi.stubGlobal("fetch", async (_: string, { body, signal }: { body: string; signal: AbortSignal }) => {
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
