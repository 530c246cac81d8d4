import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FakeRequest, type FakeServer, startFakeServer } from "@dhi/core/testing/fake-server";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Outcome } from "../complete-at-cursor.ts";
import { NO_PAUSE, type Pause } from "../control/gate.ts";
import { locateFile } from "../locate-file.ts";
import { answering, done, sendEvent, sendJson } from "../testing/answers.ts";
import { commands, editor, InlineCompletionTriggerKind, Position, Uri } from "../testing/fake-vscode.ts";
import { type Flow, type FlowDeps, registerFlow } from "./register-flow.ts";

type Answer = (request: FakeRequest, response: ServerResponse) => void;

/**
 * A window with the flow in it, and the server that it asks.
 *
 * @param before what the user does before the flow is there
 */
async function start(
  fim: Answer = answering("total(lines)"),
  settings: Record<string, unknown> = {},
  deps: Partial<FlowDeps> = {},
  before: () => void = () => {},
) {
  const server = await startFakeServer((request, response) => {
    if (request.path === "/v1/fim") return fim(request, response);
    sendJson(response, {});
  });
  editor.start({ serverUrl: server.url, debounceMs: 0, ...settings });
  before();
  const outcomes: Outcome[] = [];
  const folders = [{ name: "shop", path: "/code/shop", realPath: "/code/shop" }];
  const flow: Flow = registerFlow({
    locate: ({ fsPath }) => locateFile(fsPath, folders, undefined),
    pause: () => NO_PAUSE,
    sessionId: "window",
    storage: "/nowhere/dhi",
    onLoading: () => {},
    onOutcome: (outcome) => outcomes.push(outcome),
    onNoRequest: () => {},
    ...deps,
  });
  onTestFinished(async () => {
    flow.dispose();
    await server[Symbol.asyncDispose]();
  });
  return { server, flow, outcomes };
}

/** The first line is there at once; the second comes with `more`. */
async function startWithMoreLines() {
  let asked: ServerResponse | undefined;
  const started = await start((_, response) => {
    asked = response;
    sendEvent(response, { text: "a()" });
  });
  const more = () => {
    if (!asked) throw new Error("nothing was asked yet");
    sendEvent(asked, { text: "\nb()" });
    sendEvent(asked, done("a()\nb()"));
    asked.end();
  };
  return { ...started, more };
}

const sentTo = (path: string, server: FakeServer) =>
  server.requests
    .filter((request) => request.path === path)
    .map(({ body }) => body as Record<string, unknown>);
const fims = (server: FakeServer) => sentTo("/v1/fim", server);
const line = (text: string) => `${text}\n`;

test("a key brings ghost text at the cursor", async () => {
  const { server } = await start();
  editor.open("/code/shop/src/a.py", "x =█\ny = 2\n");
  editor.type(" ");
  expect(await editor.suggest()).toEqual([
    { insertText: "total(lines)", range: { start: new Position(0, 4), end: new Position(0, 4) } },
  ]);
  expect(fims(server)).toMatchObject([
    { path: "src/a.py", prefix: "x = ", suffix: "\ny = 2\n", documentVersion: 2, trigger: "automatic" },
  ]);
});

describe("nothing at all is sent", () => {
  test.each<[string, string, Record<string, unknown>, Partial<FlowDeps>]>([
    ["when Dhi is off", "/code/shop/a.py", { enable: false }, {}],
    ["of an excluded file", "/code/shop/gen/a.py", { excludeGlobs: ["gen/"] }, {}],
    ["of a secret file", "/code/shop/.npmrc", { excludeGlobs: [] }, {}],
    ["of a file outside the workspace", "/etc/hosts", {}, {}],
    ["of a language for which it is off", "/code/shop/a.py", { "[python] enable": false }, {}],
    ["while snoozed", "/code/shop/a.py", {}, { pause: () => ({ ...NO_PAUSE, snoozedUntil: Infinity }) }],
  ])("%s", async (_, path, settings, deps) => {
    const { server, flow } = await start(undefined, { localMetrics: true, ...settings }, deps);
    editor.open(path, "x█");
    for (const key of " = ") await editor.keys(key);
    editor.focus();
    flow.serverIsBack();
    await new Promise((rested) => setTimeout(rested, 400));
    editor.save();
    editor.close();
    expect(server.requests).toEqual([]);
  });

  test.each([
    ["of a virtual file", "vscode-vfs"],
    ["of the input of source control", "vscode-scm"],
    ["of the old side of a diff", "git"],
    ["of an output pane", "output"],
  ])("%s", async (_, scheme) => {
    const { server } = await start();
    editor.open("", "x█", { uri: new Uri(scheme, "/code/shop/a.py") });
    expect(await editor.keys(" ")).toBeUndefined();
    expect(server.requests).toEqual([]);
  });
});

test("while paused on battery nothing is warmed up or looked ahead at", async () => {
  const pause = () => ({ ...NO_PAUSE, isOnBattery: true });
  const { server, flow } = await start(undefined, { pauseOnBattery: true }, { pause });
  editor.open("/code/shop/a.py", "x█");
  expect(await editor.keys(" ")).toBeUndefined();
  editor.focus();
  editor.move(new Position(0, 0));
  flow.serverIsBack();
  await expect.poll(() => sentTo("/v1/documents", server).length).toBeGreaterThan(0);
  expect(server.requests.map(({ path }) => path)).not.toContain("/v1/warm");
  expect(fims(server)).toEqual([]);
});

describe("from what is known, with one request", () => {
  test("typing on, backspace, a word, and all of it", async () => {
    const { server } = await start(answering("total(lines) + 1"));
    editor.open("/code/shop/a.py", "x =█");
    expect(await editor.keys(" ")).toBe("total(lines) + 1");
    expect(await editor.keys("t")).toBe("otal(lines) + 1");
    editor.backspace();
    expect(await editor.text()).toBe("total(lines) + 1");
    expect(await editor.keys("total")).toBe("(lines) + 1");
    expect(fims(server)).toHaveLength(1);
  });

  test("a bracket that VS Code closed is replaced, and nothing else", async () => {
    await start(answering("total(lines) + 1"));
    const document = editor.open("/code/shop/a.py", "x =█  # sum");
    await editor.keys(" ");
    await editor.keys("total");
    editor.type("()");
    editor.move(new Position(0, 10));
    const [item] = (await editor.suggest()) ?? [];
    expect(item).toEqual({
      insertText: "lines) + 1",
      range: { start: new Position(0, 10), end: new Position(0, 11) },
    });
    if (item) editor.accept(item);
    expect(document.getText()).toBe("x = total(lines) + 1  # sum");
  });

  test("lines that came later are shown by themselves, while the cursor stays", async () => {
    const { server, more } = await startWithMoreLines();
    editor.open("/code/shop/a.py", "x█");
    expect(await editor.keys("\n")).toBe("a()");
    more();
    await expect
      .poll(async () => (await editor.refreshes()).map((items) => items?.[0]?.insertText))
      .toEqual(["a()\nb()"]);
    expect(fims(server)).toHaveLength(1);
  });

  test("lines that would come later are not waited for, nor shown, once Escape was pressed", async () => {
    const { server } = await startWithMoreLines();
    editor.open("/code/shop/a.py", "x█");
    await editor.keys("\n");
    expect(editor.ran()).toEqual(["setContext"]);
    await commands.executeCommand("dhi.dismiss");
    await server.closed(server.requests.findIndex(({ path }) => path === "/v1/fim"));
    expect(editor.ran().slice(1)).toEqual(["dhi.dismiss", "setContext", "editor.action.inlineSuggest.hide"]);
    expect(await editor.refreshes()).toEqual([]);
  });

  test("lines that came later are not shown where the cursor has moved on", async () => {
    const { more } = await startWithMoreLines();
    editor.open("/code/shop/a.py", "x█");
    await editor.keys("\n");
    editor.move(new Position(0, 0));
    more();
    await new Promise((rested) => setTimeout(rested, 120));
    expect(await editor.refreshes()).toEqual([]);
  });
});

test.each([
  ["moving the cursor", () => editor.move(new Position(0, 0))],
  ["leaving the editor", () => editor.leave()],
])("%s closes the stream of what was shown", async (_, leave) => {
  const { server } = await start((_, response) => sendEvent(response, { text: "a()" }));
  editor.open("/code/shop/a.py", "x█");
  expect(await editor.keys("\n")).toBe("a()");
  leave();
  await server.closed(server.requests.findIndex(({ path }) => path === "/v1/fim"));
});

test("asking by hand where a suggestion is shown brings up to two others, each text once", async () => {
  const texts = ["total(lines)", "sum(lines)", "total(lines)"];
  const { server } = await start((request, response) => {
    const { alternative = 0 } = request.body as { alternative?: number };
    answering(texts[alternative] ?? "")(request, response);
  });
  editor.open("/code/shop/a.py", "x =█");
  const byHand = { triggerKind: InlineCompletionTriggerKind.Invoke };
  editor.type(" ");
  expect(await editor.suggest(byHand)).toHaveLength(1);
  expect((await editor.suggest(byHand))?.map(({ insertText }) => insertText)).toEqual([
    "total(lines)",
    "sum(lines)",
  ]);
  await editor.suggest(byHand);
  expect(fims(server).map(({ alternative, sessionId, ahead }) => [alternative, sessionId, ahead])).toEqual([
    [undefined, "window", true],
    [1, "window", undefined],
    [2, "window", undefined],
  ]);
});

/** Three answers for one place, the others once `write` was called. */
async function startWithOthers(others: readonly string[] = ["sum(lines)", "max(lines)"]) {
  const waiting: (() => void)[] = [];
  const started = await start((request, response) => {
    const { alternative = 0 } = request.body as { alternative?: number };
    const answer = answering(["total(lines)", ...others][alternative] ?? "");
    if (alternative === 0) answer(request, response);
    else waiting.push(() => answer(request, response));
  });
  editor.open("/code/shop/a.py", "x = █");
  const shown = async () => (await editor.refreshes()).at(-1)?.map(({ insertText }) => insertText);
  const isAsked = () => expect.poll(() => waiting.length).toBe(2);
  const write = async () => {
    await isAsked();
    for (const answer of waiting.splice(0)) answer();
  };
  return { ...started, shown, isAsked, write };
}

describe("where VS Code has asked by hand already, and asks no second time", () => {
  test.each([
    ["dhi.suggest", "trigger"],
    ["dhi.nextAlternative", "showNext"],
    ["dhi.previousAlternative", "showPrevious"],
  ])(
    "%s has others written, then hides what is shown so that VS Code asks for them",
    async (command, last) => {
      const { shown, write } = await startWithOthers();
      await commands.executeCommand("dhi.suggest");
      expect(await shown()).toEqual(["total(lines)"]);
      const stepped = commands.executeCommand(command, { others: true });
      await write();
      await stepped;
      expect(await shown()).toEqual(["total(lines)", "sum(lines)", "max(lines)"]);
      const ran = editor.ran().filter((name) => name.startsWith("editor."));
      const actions = ran.map((name) => name.slice(name.lastIndexOf(".") + 1));
      expect(actions).toEqual([...["trigger", "hide", "trigger"], ...(last === "trigger" ? [] : [last])]);
    },
  );

  test("a suggestion that has grown, which was asked for anew, has others too", async () => {
    const { server, more } = await startWithMoreLines();
    editor.open("/code/shop/a.py", "x█");
    await editor.keys("\n");
    more();
    await expect.poll(async () => (await editor.refreshes()).length).toBe(1);
    void commands.executeCommand("dhi.nextAlternative");
    await expect.poll(() => fims(server).map(({ alternative }) => alternative)).toEqual([undefined, 1, 2]);
  });

  test("pressed again while they are written it asks for no more, and goes one further", async () => {
    const { server, write } = await startWithOthers();
    await commands.executeCommand("dhi.suggest");
    const pressed = [1, 2].map(() => commands.executeCommand("dhi.nextAlternative"));
    await write();
    await Promise.all(pressed);
    expect(fims(server)).toHaveLength(3);
    expect(editor.ran().filter((name) => name.endsWith(".showNext"))).toHaveLength(2);
  });

  test("that there is no other is said", async () => {
    const { write } = await startWithOthers(["total(lines)", ""]);
    await commands.executeCommand("dhi.suggest");
    const stepped = commands.executeCommand("dhi.nextAlternative");
    await write();
    await stepped;
    expect(editor.messages()).toEqual(["Dhi: there is no other suggestion here."]);
    expect(editor.ran()).not.toContain("editor.action.inlineSuggest.hide");
  });

  test.each([
    ["a key", () => editor.type("y")],
    ["a move of the cursor", () => editor.move(new Position(0, 0))],
    ["Escape", () => void commands.executeCommand("dhi.dismiss")],
  ])("after %s they are not shown, and what is written for them ends", async (_, goOn) => {
    const { server, isAsked } = await startWithOthers();
    await commands.executeCommand("dhi.suggest");
    const stepped = commands.executeCommand("dhi.nextAlternative");
    await isAsked();
    goOn();
    await stepped;
    const at = server.requests.flatMap(({ path }, index) => (path === "/v1/fim" ? [index] : []));
    for (const index of at.slice(1)) await server.closed(index);
    expect(await editor.refreshes()).toHaveLength(1);
  });
});

test.each([
  ["dhi.suggest", "trigger"],
  ["dhi.nextAlternative", "showNext"],
  ["dhi.previousAlternative", "showPrevious"],
  ["dhi.acceptLine", "acceptNextLine"],
])("%s is VS Code's %s", async (command, action) => {
  await start();
  editor.open("/code/shop/a.py", "x =█");
  await commands.executeCommand(command);
  expect(editor.ran()).toEqual([command, `editor.action.inlineSuggest.${action}`]);
});

describe("with the suggest widget open", () => {
  const selected = (text: string) => ({
    selectedCompletionInfo: { range: { start: new Position(0, 4), end: new Position(0, 6) }, text },
  });

  test("ghost text goes on from the selected item", async () => {
    const { server } = await start(answering("(lines)"));
    editor.open("/code/shop/a.py", "x = t█");
    editor.type("o");
    expect(await editor.suggest(selected("total"))).toMatchObject([{ insertText: "total(lines)" }]);
    expect(fims(server)).toMatchObject([{ prefix: "x = total" }]);
  });

  test.each([
    ["an item that does not begin with what was typed", "print"],
    ["a snippet of several lines", "total(\n\t$1\n)"],
  ])("nothing is asked beside %s", async (_, text) => {
    const { server } = await start();
    editor.open("/code/shop/a.py", "x = t█");
    editor.type("o");
    expect(await editor.suggest(selected(text))).toBeUndefined();
    expect(fims(server)).toEqual([]);
  });
});

test.each([
  ["several cursors", [new Position(0, 1), new Position(0, 0)].map((active) => ({ active, isEmpty: true }))],
  ["selected text", [{ active: new Position(0, 1), isEmpty: false }]],
])("%s get no ghost text", async (_, selections) => {
  const { server } = await start();
  editor.open("/code/shop/a.py", "xy█");
  editor.select(...selections);
  expect(await editor.suggest()).toBeUndefined();
  expect(fims(server)).toEqual([]);
});

test("a cell of a notebook sees the cells above in its language", async () => {
  const { server } = await start();
  editor.openNotebook("/code/shop/a.ipynb", [
    { code: "import shop", languageId: "python" },
    { code: "# Sums", languageId: "markdown" },
    { code: "x =█", languageId: "python" },
  ]);
  expect(await editor.keys(" ")).toBe("total(lines)");
  expect(fims(server)).toMatchObject([
    { path: "a.ipynb", languageId: "python", prefix: "import shop\nx = " },
  ]);
});

test("a new file is one of the first folder, and no buffer of the index", async () => {
  const { server } = await start();
  editor.open("", "x =█", { uri: new Uri("untitled", "Untitled-1") });
  expect(await editor.keys(" ")).toBe("total(lines)");
  await new Promise((rested) => setTimeout(rested, 400));
  expect(fims(server)).toMatchObject([{ path: "Untitled-1", languageId: "python" }]);
  expect(sentTo("/v1/documents", server)).toEqual([]);
});

describe("unsaved buffers", () => {
  test("are sent while they differ from the disk, and withdrawn when they do not", async () => {
    const { server } = await start();
    editor.open("/code/shop/a.py", "x█");
    editor.type("yz");
    await expect
      .poll(() => sentTo("/v1/documents", server))
      .toEqual([{ path: "a.py", sessionId: "window", version: 2, content: "xyz", languageId: "python" }]);
    editor.save();
    await expect
      .poll(() => sentTo("/v1/documents", server)[1])
      .toEqual({
        ...{ path: "a.py", sessionId: "window", languageId: "python", closed: true },
      });
  });

  test("are sent when they were unsaved before the window was opened", async () => {
    const { server } = await start(undefined, {}, {}, () => {
      editor.open("/code/shop/a.py", "x█");
      editor.type("y");
    });
    await expect.poll(() => sentTo("/v1/documents", server)).toMatchObject([{ path: "a.py", content: "xy" }]);
  });

  test("are sent anew when the server is back", async () => {
    const { server, flow } = await start();
    editor.open("/code/shop/a.py", "x█");
    editor.type("y");
    await expect.poll(() => sentTo("/v1/documents", server).length).toBe(1);
    flow.serverIsBack();
    await expect.poll(() => sentTo("/v1/documents", server).length).toBe(2);
  });

  test("are withdrawn when their folder is closed", async () => {
    const folders = [{ name: "shop", path: "/code/shop", realPath: "/code/shop" }];
    const { server } = await start(
      undefined,
      {},
      { locate: ({ fsPath }) => locateFile(fsPath, folders, undefined) },
    );
    editor.open("/code/shop/a.py", "x█");
    editor.type("y");
    await expect.poll(() => sentTo("/v1/documents", server).length).toBe(1);
    folders.pop();
    editor.openFolders();
    await expect.poll(() => sentTo("/v1/documents", server)[1]).toMatchObject({ closed: true });
  });

  test("are withdrawn when their file is excluded", async () => {
    const { server } = await start();
    editor.open("/code/shop/a.py", "x█");
    editor.type("y");
    await expect.poll(() => sentTo("/v1/documents", server).length).toBe(1);
    editor.set({ excludeGlobs: ["*.py"] });
    await expect.poll(() => sentTo("/v1/documents", server)[1]).toMatchObject({ closed: true });
  });
});

test("a request tells which files are open and what was edited lately", async () => {
  const { server } = await start(undefined, { excludeGlobs: ["gen/"] });
  editor.open("/code/shop/b.py", "a\nb█");
  editor.type("\nc");
  editor.open("/code/shop/gen/c.py", "a█");
  editor.type("b");
  editor.open("/code/shop/d.py", "");
  editor.open("/code/shop/a.py", "x█");
  await editor.keys(" ");
  expect(fims(server)).toMatchObject([
    {
      openFiles: ["d.py", "b.py"],
      recentEdits: [
        { path: "a.py", startLine: 1, endLine: 1 },
        { path: "b.py", startLine: 2, endLine: 3 },
      ],
    },
  ]);
});

test("tabs that are there when the window opens are open files until they are closed", async () => {
  const { server } = await start(undefined, { excludeGlobs: ["gen/"] }, {}, () =>
    editor.tabs(
      "/code/shop/b.py",
      "/code/shop/gen/c.py",
      "/code/shop/.npmrc",
      "/elsewhere/d.py",
      "/code/shop/e.py",
    ),
  );
  editor.close(editor.open("/code/shop/e.py", ""));
  editor.open("/code/shop/a.py", "x█");
  await editor.keys(" ");
  expect(fims(server)).toMatchObject([{ openFiles: ["b.py"] }]);
});

describe("hints follow the settings", () => {
  async function openFilesAfter(settings: Record<string, unknown>, changed: Record<string, unknown>) {
    const { server } = await start(undefined, settings);
    editor.open("/code/shop/b.md", "a█", { languageId: "markdown" });
    editor.type("b");
    editor.open("/code/shop/c.py", "a");
    editor.open("/code/shop/a.py", "x█");
    editor.set(changed);
    await editor.keys(" ");
    const [{ openFiles, recentEdits } = {}] = fims(server) as {
      openFiles?: string[];
      recentEdits?: object[];
    }[];
    return [openFiles, recentEdits?.length];
  }

  test("of a language that is switched off later", async () => {
    expect(await openFilesAfter({}, { "[markdown] enable": false })).toEqual([["c.py"], 1]);
  });

  test("of a language that alone is switched on", async () => {
    expect(await openFilesAfter({ enable: false, "[python] enable": true }, {})).toEqual([["c.py"], 1]);
  });
});

test("a cell of a notebook is no hint: its lines are not those of the file", async () => {
  const { server } = await start();
  editor.openNotebook("/code/shop/a.ipynb", [{ code: "x =█", languageId: "python" }]);
  editor.type(" ");
  editor.open("/code/shop/a.py", "x█");
  await editor.keys(" ");
  expect(fims(server)).toMatchObject([{ openFiles: [], recentEdits: [{ path: "a.py" }] }]);
});

describe("switched off meanwhile", () => {
  test("a request that waits for its debounce is not sent", async () => {
    const { server } = await start(undefined, { debounceMs: 30 });
    editor.open("/code/shop/a.py", "x█");
    const shown = editor.keys(" ");
    editor.set({ enable: false });
    expect([await shown, fims(server)]).toEqual([undefined, []]);
  });

  test("a completion that is being written ends, and nothing is shown", async () => {
    const { server } = await start(() => {});
    editor.open("/code/shop/a.py", "x█");
    const shown = editor.keys(" ");
    await expect.poll(() => fims(server).length).toBe(1);
    editor.set({ enable: false });
    expect(await shown).toBeUndefined();
    await server.closed(server.requests.findIndex(({ path }) => path === "/v1/fim"));
  });
});

describe("warm-ups", () => {
  test("tell the server where somebody is about to type, once a minute", async () => {
    const { server } = await start();
    editor.open("/code/shop/a.py", "x = █\n");
    editor.focus();
    await expect
      .poll(() => sentTo("/v1/warm", server))
      .toEqual([{ path: "a.py", sessionId: "window", languageId: "python", prefix: "x = ", suffix: "\n" }]);
  });

  test("have the server look at each place where the cursor comes to rest, and at none that is typed at", async () => {
    const { server } = await start();
    editor.open("/code/shop/a.py", "x = █\ny = 2\n");
    editor.type("1");
    editor.move(new Position(1, 0));
    editor.move(new Position(1, 4));
    const looks = () => sentTo("/v1/warm", server).filter(({ contextOnly }) => contextOnly);
    const place = { path: "a.py", sessionId: "window", languageId: "python", contextOnly: true };
    await expect.poll(looks).toEqual([{ ...place, prefix: "x = 1\ny = ", suffix: "2\n" }]);
  });
});

describe("the events feed", () => {
  const events = (server: FakeServer) =>
    sentTo("/v1/events", server).flatMap(({ events }) => events as Record<string, unknown>[]);

  test("tells what was accepted, without code", async () => {
    const { server, flow } = await start(undefined, { localMetrics: true });
    editor.open("/code/shop/a.py", "x =█");
    editor.type(" ");
    const [item] = (await editor.suggest()) ?? [];
    if (item) editor.accept(item);
    flow.dispose();
    await expect
      .poll(() => events(server))
      .toEqual([
        {
          event: "shown",
          requestId: "window-1",
          languageId: "python",
          chars: 12,
          latencyMs: expect.any(Number),
        },
        {
          event: "accepted",
          requestId: "window-1",
          languageId: "python",
          chars: 12,
          visibleMs: expect.any(Number),
        },
      ]);
    expect(JSON.stringify(events(server))).not.toContain("total");
  });

  test("minds no cursor of another editor that has the same file", async () => {
    const { server, flow } = await start(undefined, { localMetrics: true });
    editor.open("/code/shop/a.py", "x =█");
    editor.type(" ");
    const [item] = (await editor.suggest()) ?? [];
    editor.moveBeside(new Position(0, 0));
    if (item) editor.accept(item);
    flow.dispose();
    await expect.poll(() => events(server).map(({ event }) => event)).toEqual(["shown", "accepted"]);
  });

  test("finds its place again after lines of a file with Windows ends", async () => {
    const { server, flow } = await start(answering("a()\nb()\nc()"), { localMetrics: true });
    editor.open("/code/shop/a.py", "x =█\r\n");
    editor.type(" ");
    const [item] = (await editor.suggest()) ?? [];
    if (item) editor.accept({ ...item, insertText: "a()\nb()" });
    expect(await editor.text()).toBe("\nc()");
    editor.type("\nc()");
    flow.dispose();
    await expect
      .poll(() => events(server).map(({ event, chars }) => [event, chars]))
      .toEqual([
        ["shown", 13],
        ["partial", 8],
        ["accepted", 13],
      ]);
  });

  test.each<[string, Record<string, unknown>, Partial<Pause>]>([
    ["it is switched off", { localMetrics: false }, {}],
    ["Dhi is switched off", { enable: false }, {}],
    ["Dhi is snoozed", {}, { snoozedUntil: Number.POSITIVE_INFINITY }],
  ])("sends nothing that was waiting when %s", async (_, settings, paused) => {
    let pause = NO_PAUSE;
    const { server, flow } = await start(undefined, { localMetrics: true }, { pause: () => pause });
    editor.open("/code/shop/a.py", "x =█");
    editor.type(" ");
    const [item] = (await editor.suggest()) ?? [];
    if (item) editor.accept(item);
    pause = { ...pause, ...paused };
    editor.set(settings);
    flow.dispose();
    await new Promise((rested) => setTimeout(rested, 50));
    expect(events(server)).toEqual([]);
  });

  test("is off unless it was asked for", async () => {
    const { server, flow } = await start();
    editor.open("/code/shop/a.py", "x =█");
    editor.type(" ");
    const [item] = (await editor.suggest()) ?? [];
    if (item) editor.accept(item);
    flow.dispose();
    await new Promise((rested) => setTimeout(rested, 50));
    expect(events(server)).toEqual([]);
  });
});

describe("recorded edits", () => {
  async function recorded(settings: Record<string, unknown>): Promise<unknown[]> {
    const storage = mkdtempSync(join(tmpdir(), "dhi-flow-"));
    onTestFinished(() => rmSync(storage, { recursive: true, force: true }));
    const { flow } = await start(undefined, settings, { storage });
    editor.open("/code/shop/gen/b.py", "b█");
    editor.type("c");
    editor.open("/code/shop/a.py", "x█");
    editor.type("y");
    editor.openNotebook("/code/shop/c.ipynb", [{ code: "z█", languageId: "python" }]);
    editor.type("z");
    flow.dispose();
    const folder = join(storage, "edits");
    await expect
      .poll(() => !settings.recordEdits || (existsSync(folder) && readdirSync(folder).length > 0))
      .toBe(true);
    // What should not be written would be there by then.
    await new Promise((rested) => setTimeout(rested, 50));
    if (!existsSync(folder)) return [];
    const text = readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), "utf8"))
      .join("");
    return text
      .trim()
      .split("\n")
      .map((one) => JSON.parse(one));
  }

  test("are written down on this machine, those of excluded files and of cells left out", async () => {
    expect(await recorded({ recordEdits: true, excludeGlobs: ["gen/"] })).toMatchObject([
      { path: "a.py", languageId: "python", text: "x" },
      { path: "a.py", offset: 1, length: 0, text: "y" },
    ]);
  });

  test("are none unless they were asked for", async () => {
    expect(await recorded({})).toEqual([]);
  });
});

test("a key in a file of 10,000 lines reads some hundred of them, and no setting", async () => {
  await start();
  const code = line("    total = total + price(lines[i])").repeat(5_000);
  const document = editor.open("/code/shop/a.py", `${code}x =█\n${code}`);
  await editor.keys(" ");
  await editor.keys("t");
  document.linesRead = 0;
  const reads = editor.settingsReads();
  expect(await editor.keys("o")).toBe("tal(lines)");
  expect(document.linesRead).toBeLessThan(1_000);
  expect([document.wholeReads, editor.settingsReads()]).toEqual([0, reads]);
});
