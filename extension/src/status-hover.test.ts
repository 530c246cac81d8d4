import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Status } from "./status.ts";
import { HOVER_COMMANDS, statusHover } from "./status-hover.ts";
import { done, indexStatus, serverStatus, statusOf } from "./testing/answers.ts";
import { statusWith } from "./testing/status.ts";

const NOW = Date.parse("2026-01-01T14:00:00Z");
const hover = (change: Partial<Status> = {}) => statusHover(statusWith(change), NOW);

test("tells engine, model, mode, index, the last answer by hop and what was not shown", () => {
  const timings = {
    queue: 0,
    retrieval: 7.6,
    prompt: 0.2,
    firstToken: 9,
    engine: 20,
    postprocess: 1,
    total: 30,
  };
  const source = { startLine: 1, endLine: 2, legs: ["definitions"], score: 1, tokens: 9 };
  const sources = ["a_b.py", "b.py", "c.py", "d.py"].map((path) => ({ ...source, path }));
  const status = serverStatus({ lastChangeAt: "2026-01-01T13:57:00Z", pendingEmbeddings: 12 });
  const requests = { completions: 40, shown: 30, drops: { blank: 2, "too-short": 8 } };
  expect(
    hover({
      server: { kind: "ready", status: { ...status, requests } },
      silence: "it would save no key",
      last: { ms: 34, answer: { ...done("x"), timings, sources } },
    }),
  ).toMatchInlineSnapshot(`
    "**Dhi** 0.1.0 at http://127.0.0.1:8000

    | | |
    |:--|:--|
    | Model | qwen2.5-coder:1.5b-base (ollama) |
    | Mode | rag |
    | Index | 120 files, 3,400 chunks, follows every change, 12 chunks waiting for vectors, last change 3 min ago |
    | Last answer | 34 ms (finding code 8 · model 20 · checks 1 · network 4) |
    | Sources | a\\_b.py, b.py, c.py and 1 more |
    | No suggestion | it would save no key |
    | So far | 30 of 40 requests showed text |
    | Not shown | 8 × it would save no key<br>2 × the model had nothing to add |

    [Last prompt](command:dhi.showLastPrompt) · [Why nothing here?](command:dhi.whyNoSuggestion) · [Model](command:dhi.pickModel) · [Mode](command:dhi.pickMode) · [Snooze](command:dhi.snooze) · [Settings](command:workbench.action.openSettings?%5B%22dhi.%22%5D) · [Doctor](command:dhi.doctor)"
  `);
});

test("of several workspaces each has a row, and the server's words are not read as markdown", () => {
  const failed = indexStatus({ state: "failed", error: "another indexer\nowns *it*" });
  const workspaces = [
    { name: "shop", path: "/code/shop", indexer: indexStatus() },
    { name: "docs", path: "/code/docs", indexer: failed },
    { name: "api", path: "/code/api", indexer: null },
  ];
  const rows = hover({ server: { kind: "ready", status: statusOf(workspaces) } })
    .split("\n")
    .filter((row) => row.includes("Index of"));
  expect(rows).toEqual([
    "| Index of shop | 120 files, 3,400 chunks, follows every change |",
    "| Index of docs | failed: another indexer owns \\*it\\* |",
    "| Index of api | the indexer does not answer |",
  ]);
});

test("says that an engine is spared, and that suggestions come on demand only", () => {
  const status = serverStatus();
  const text = hover({
    server: { kind: "ready", status: { ...status, engine: { ...status.engine, step: "one-line" } } },
    onDemand: "battery",
  });
  expect(text).toContain("| Spared | single lines, because the model is slow |");
  expect(text).toContain("| Asked | on demand only, while on battery |");
});

test("quotes a failing server and its hint, and offers what helps", () => {
  const server = { kind: "failing", message: "model '*x*' not found", hint: "ollama pull x" } as const;
  expect(hover({ server })).toMatchInlineSnapshot(`
    "$(warning) **Dhi**: model '\\*x\\*' not found

    ollama pull x

    [Start](command:dhi.startServer) · [Settings](command:workbench.action.openSettings?%5B%22dhi.%22%5D) · [Doctor](command:dhi.doctor)"
  `);
});

test("says where nothing answers, and that it goes on asking", () => {
  const server = {
    kind: "unreachable",
    message: "server unreachable at http://127.0.0.1:8000: refused",
  } as const;
  expect(hover({ server })).toContain("It is asked again every 5 seconds.");
});

test("of a language that is off for itself it says so, and a click switches on that", () => {
  const text = hover({ enabled: false, offLanguage: "python" });
  expect(text).toContain("**Dhi is off** for python. Nothing of this file is sent to the server.");
  expect(text).toContain("[Enable](command:dhi.toggleLanguage)");
});

test("while this window starts a server it says where its log is, and not that it failed", () => {
  const text = hover({ server: { kind: "unreachable", message: "refused" }, startedHere: true });
  expect(text).toMatch(/^\*\*Dhi\*\* is starting its server\..* Dhi Server /);
  expect(text).not.toContain("refused");
});

test("a version is a server's words as well", () => {
  const status = { ...serverStatus(), version: "[1](command:dhi.doctor)" };
  expect(hover({ server: { kind: "ready", status } })).toContain(
    "**Dhi** \\[1\\]\\(command:dhi.doctor\\) at",
  );
});

test.each([
  ["off", { enabled: false }],
  ["snoozed", { snoozedUntil: NOW + 60_000 }],
])("says that nothing is sent when %s", (_, change) => {
  expect(hover(change)).toContain("Nothing is sent to the server.");
});

test("links run no commands but those of Dhi that exist, and the settings", () => {
  const { contributes } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const commands: string[] = contributes.commands.map(({ command }: { command: string }) => command);
  expect(HOVER_COMMANDS.filter((command) => !commands.includes(command))).toEqual([
    "workbench.action.openSettings",
  ]);
  const states: Partial<Status>[] = [
    ...[{}, { last: { ms: 1, answer: done("x") } }, { enabled: false }, { snoozedUntil: NOW + 1 }],
    { enabled: false, offLanguage: "python" },
    ...[{ server: undefined }, { server: { kind: "failing", message: "" } } as const],
    { server: { kind: "unreachable", message: "" }, startedHere: true },
  ];
  const linked = states.flatMap((state) =>
    [...hover(state).matchAll(/\(command:([\w.]+)/g)].map(([, name]) => name),
  );
  expect(linked.length).toBeGreaterThan(10);
  expect([...new Set(linked)].toSorted()).toEqual([...HOVER_COMMANDS].toSorted());
});
