import type { DocumentRequest } from "@dhi/core/protocol";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createDocumentSync, type OpenBuffer } from "./document-sync.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp(answer: () => Promise<unknown> = async () => {}) {
  const sent: DocumentRequest[] = [];
  const sync = createDocumentSync({
    sessionId: "window",
    send: (request) => {
      sent.push(request);
      return answer();
    },
  });
  return {
    ...sync,
    sent,
    contents: () => sent.map(({ content, closed }) => (closed ? "closed" : content)),
    after: (ms: number) => vi.advanceTimersByTimeAsync(ms),
  };
}

const buffer = (text: string, changed: Partial<OpenBuffer> = {}): OpenBuffer => ({
  id: "file:///a.py",
  place: { path: "a.py" },
  languageId: "python",
  isDirty: true,
  version: () => 7,
  text: () => text,
  ...changed,
});

test("a buffer is sent once its typing rests", async () => {
  const { changed, sent, after } = setUp();
  changed(buffer("a"));
  await after(250);
  changed(buffer("ab"));
  await after(299);
  expect(sent).toEqual([]);
  await after(1);
  expect(sent).toEqual([
    { path: "a.py", sessionId: "window", version: 7, content: "ab", languageId: "python" },
  ]);
});

test("is read when it is sent, not per keystroke", async () => {
  const { changed, after } = setUp();
  let reads = 0;
  const counting = () =>
    buffer("", {
      text() {
        reads++;
        return "";
      },
    });
  for (let i = 0; i < 10; i++) changed(counting());
  await after(300);
  expect(reads).toBe(1);
});

describe("nothing is sent", () => {
  test.each<[string, Partial<OpenBuffer>]>([
    ["of a clean buffer", { isDirty: false }],
    ["of a file that may not be sent", { place: undefined }],
    ["of a buffer that is too large", { text: () => "x".repeat(650_001) }],
  ])("%s", async (_, changedBuffer) => {
    const { changed, closed, sent, after } = setUp();
    changed(buffer("", changedBuffer));
    await after(300);
    closed("file:///a.py");
    await after(300);
    expect(sent).toEqual([]);
  });

  test("once disposed", async () => {
    const { changed, resend, dispose, sent, after } = setUp();
    changed(buffer("a"));
    dispose();
    resend();
    await after(20 * 60_000);
    expect(sent).toEqual([]);
  });
});

describe("the server is told that the disk counts again", () => {
  test.each<[string, (sync: ReturnType<typeof setUp>) => void]>([
    ["after a save or a revert", ({ changed }) => changed(buffer("a", { isDirty: false }))],
    ["when the editor is closed", ({ closed }) => closed("file:///a.py")],
    ["when the file is excluded", ({ changed }) => changed(buffer("a", { place: undefined }))],
  ])("%s", async (_, end) => {
    const sync = setUp();
    sync.changed(buffer("a"));
    await sync.after(300);
    end(sync);
    await sync.after(20 * 60_000);
    expect(sync.sent.slice(1)).toEqual([
      { path: "a.py", sessionId: "window", languageId: "python", closed: true },
    ]);
  });

  test("and not when it never heard of the buffer", async () => {
    const { changed, closed, sent, after } = setUp();
    changed(buffer("a"));
    closed("file:///a.py");
    await after(300);
    expect(sent).toEqual([]);
  });

  test("under the old name when the file gets another", async () => {
    const { changed, sent, after } = setUp();
    changed(buffer("a"));
    await after(300);
    changed(buffer("a", { place: { path: "b.py" } }));
    await after(300);
    expect(sent.map(({ path, closed = false }) => [path, closed])).toEqual([
      ["a.py", false],
      ["a.py", true],
      ["b.py", false],
    ]);
  });
});

test("one request of a buffer at a time, the newest last", async () => {
  const pending: (() => void)[] = [];
  const { changed, closed, contents, after } = setUp(() => new Promise<void>((done) => pending.push(done)));
  for (const text of ["a", "ab", "abc"]) {
    changed(buffer(text));
    await after(300);
  }
  expect(contents()).toEqual(["a"]);
  pending.shift()?.();
  await after(0);
  expect(contents()).toEqual(["a", "abc"]);
  closed("file:///a.py");
  await after(0);
  expect(contents()).toEqual(["a", "abc"]);
  pending.shift()?.();
  await after(0);
  expect(contents()).toEqual(["a", "abc", "closed"]);
  changed(buffer("x"));
  await after(300);
  expect(contents()).toEqual(["a", "abc", "closed"]);
  pending.shift()?.();
  await after(0);
  expect(contents()).toEqual(["a", "abc", "closed", "x"]);
});

test("a slow server gets once what was changed several times meanwhile", async () => {
  const pending: (() => void)[] = [];
  const { changed, contents, after } = setUp(() => new Promise<void>((done) => pending.push(done)));
  for (const text of ["a", "ab", "abc"]) {
    changed(buffer(text));
    await after(300);
  }
  for (let turns = 0; turns < 3; turns++) {
    pending.shift()?.();
    await after(0);
  }
  expect(contents()).toEqual(["a", "abc"]);
});

test("a buffer that grows too large is withdrawn", async () => {
  const { changed, contents, after } = setUp();
  changed(buffer("a"));
  await after(300);
  changed(buffer("a".repeat(650_001)));
  await after(2 * 600_000);
  expect(contents()).toEqual(["a", "closed"]);
});

test("what the wire does not take is replaced", async () => {
  const { changed, contents, after } = setUp();
  changed(buffer("a\0b\uD83D"));
  await after(300);
  expect(contents()).toEqual(["a\uFFFDb\uFFFD"]);
});

test("buffers do not wait for each other", async () => {
  const { changed, contents, after } = setUp(() => new Promise(() => {}));
  changed(buffer("a"));
  changed(buffer("b", { id: "file:///b.py", place: { path: "b.py" } }));
  await after(300);
  expect(contents()).toEqual(["a", "b"]);
});

test("is repeated every ten minutes while it is unsaved", async () => {
  const { changed, contents, after } = setUp();
  changed(buffer("a"));
  await after(300 + 2 * 600_000);
  expect(contents()).toEqual(["a", "a", "a"]);
});

test("all are sent anew at once when the server has forgotten them", async () => {
  const { changed, resend, contents, after } = setUp();
  changed(buffer("a"));
  changed(buffer("b", { id: "file:///b.py", place: { path: "b.py" } }));
  await after(300);
  resend();
  await after(0);
  expect(contents()).toEqual(["a", "b", "a", "b"]);
});

test("a failure loses nothing: the next change is sent", async () => {
  const { changed, contents, after } = setUp(async () => {
    throw new Error("down");
  });
  changed(buffer("a"));
  await after(300);
  changed(buffer("ab"));
  await after(300);
  expect(contents()).toEqual(["a", "ab"]);
});
