import { expect, test } from "vitest";
import { type Status, silenceOf, statusText } from "./status.ts";
import { indexStatus, job, serverStatus, statusOf } from "./testing/answers.ts";

const ready: Status = {
  enabled: true,
  serverUrl: "http://127.0.0.1:8000",
  server: { kind: "ready", status: serverStatus() },
  loading: 0,
  silence: undefined,
  last: undefined,
};
const syncing = serverStatus({ state: "syncing", job: job({ files: 42, filesTotal: 99 }) });

test.each<[string, Partial<Status>, string, boolean]>([
  ["ready", {}, "Dhi", false],
  ["not asked yet", { server: undefined }, "Dhi", false],
  ["loading", { loading: 1 }, "$(loading~spin) Dhi", false],
  [
    "indexing",
    { server: { kind: "ready", status: syncing }, loading: 1 },
    "$(sync~spin) Dhi: indexing 42 %",
    false,
  ],
  [
    "starting to index",
    { server: { kind: "ready", status: serverStatus({ state: "starting" }) } },
    "$(sync~spin) Dhi: indexing 0 %",
    false,
  ],
  ["nothing to suggest", { silence: "low confidence" }, "Dhi: no suggestion: low confidence", false],
  [
    "no server",
    { server: { kind: "unreachable", message: "m" }, silence: "x" },
    "$(warning) Dhi: server unreachable",
    true,
  ],
  [
    "a server that fails",
    { server: { kind: "failing", message: "m" } },
    "$(warning) Dhi: server error",
    true,
  ],
  ["off", { enabled: false, server: { kind: "unreachable", message: "m" } }, "$(circle-slash) Dhi", false],
])("says in the status bar: %s", (_, change, text, isWarning) => {
  expect(statusText({ ...ready, ...change })).toMatchObject({ text, isWarning });
});

test("the tooltip tells engine, model, mode, index and the last answer", () => {
  const last = { ms: 34, engine: "ollama", model: "m", mode: "rag", sources: 1 };
  expect(statusText({ ...ready, silence: "low confidence", last }).tooltip).toMatchInlineSnapshot(`
    "**Dhi** 0.1.0 at http://127.0.0.1:8000

    Engine: ollama, model qwen2.5-coder:1.5b-base, mode rag

    Index of shop: 120 files, 3,400 chunks, watching

    Last request: no suggestion, low confidence

    Last answer: 34 ms, 1 source, mode rag"
  `);
});

test("of several workspaces the bar shows all that are read, and the tooltip each", () => {
  const failed = indexStatus({ state: "failed", error: "another indexer owns *it*" });
  const busy = (files: number) => indexStatus({ state: "syncing", job: job({ files, filesTotal: 100 }) });
  const workspaces = [
    { name: "shop", path: "/code/shop", indexer: indexStatus() },
    { name: "docs", path: "/code/docs", indexer: failed },
    { name: "api", path: "/code/api", indexer: busy(20) },
    { name: "web", path: "/code/web", indexer: busy(40) },
  ];
  const { text, tooltip } = statusText({ ...ready, server: { kind: "ready", status: statusOf(workspaces) } });
  expect(text).toBe("$(sync~spin) Dhi: indexing 30 %");
  expect(tooltip.split("\n\n").slice(2)).toEqual([
    "Index of shop: 120 files, 3,400 chunks, watching",
    "Index of docs: failed: another indexer owns \\*it\\*",
    "Index of api: 120 files, 3,400 chunks, syncing",
    "Index of web: 120 files, 3,400 chunks, syncing",
  ]);
});

test("the tooltip quotes a failing server and its hint, and none of it as markdown", () => {
  const server = { kind: "failing", message: "model '*x*' not found", hint: "ollama pull x" } as const;
  expect(statusText({ ...ready, server }).tooltip).toBe(
    "**Dhi**: model '\\*x\\*' not found\n\nollama pull x",
  );
});

test("the tooltip says when the indexer is gone", () => {
  const server = {
    kind: "ready",
    status: statusOf([{ name: "shop", path: "/code/shop", indexer: null }]),
  } as const;
  expect(statusText({ ...ready, server }).tooltip).toContain("Index of shop: the indexer does not answer");
});

test("the tooltip says that nothing is sent when off", () => {
  expect(statusText({ ...ready, enabled: false }).tooltip).toBe(
    "**Dhi is off.** Nothing is sent to the server.",
  );
});

test.each([
  ["a completion", "x", "ok", undefined],
  ["a secret", "", "secret", "it looked like a key or password"],
  ["a reason", "", "low-confidence", "low confidence"],
  ["a code that says little", "", "blank", "the engine had none"],
  ["nothing without a reason", "", "ok", "the engine had none"],
  ["a request that a newer one replaced", "", "superseded", undefined],
])("%s explains itself", (_, completion, reason, expected) => {
  expect(silenceOf({ completion, reason })).toBe(expected);
});
