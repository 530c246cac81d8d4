import { expect, test } from "vitest";
import type { Status } from "./status.ts";
import { statusText } from "./status-text.ts";
import { done, indexStatus, job, serverStatus, statusOf } from "./testing/answers.ts";
import { statusWith } from "./testing/status.ts";

const NOW = new Date(2026, 0, 1, 14, 0).getTime();
const syncing = serverStatus({ state: "syncing", job: job({ files: 42, filesTotal: 99 }) });
const loading = serverStatus();
const last = { ms: 42, answer: done("x") };

test.each<[string, Partial<Status>, string, boolean]>([
  ["ready", {}, "Dhi", false],
  ["not asked yet", { server: undefined }, "Dhi", false],
  ["the last answer", { last }, "Dhi: rag · 42 ms", false],
  ["a request on its way", { loading: 1 }, "$(loading~spin) Dhi", false],
  ["a request after another", { loading: 1, last }, "$(loading~spin) Dhi: rag · 42 ms", false],
  [
    "indexing",
    { server: { kind: "ready", status: syncing }, loading: 1, last },
    "$(sync~spin) Dhi: indexing 42 %",
    false,
  ],
  [
    "starting to index",
    { server: { kind: "ready", status: serverStatus({ state: "starting" }) } },
    "$(sync~spin) Dhi: indexing 0 %",
    false,
  ],
  [
    "a model that is being loaded",
    {
      server: { kind: "ready", status: { ...loading, engine: { ...loading.engine, status: "starting" } } },
      silence: "it took too long",
    },
    "$(sync~spin) Dhi: model loading",
    false,
  ],
  [
    "nothing to suggest",
    { silence: "it was one closing mark", last },
    "Dhi: no suggestion: it was one closing mark",
    false,
  ],
  ["on demand", { onDemand: "trigger" }, "Dhi: on demand", false],
  ["on battery", { onDemand: "battery" }, "Dhi: on battery", false],
  [
    "no server",
    { server: { kind: "unreachable", message: "m" }, silence: "x" },
    "$(warning) Dhi: server unreachable at 127.0.0.1:8000",
    true,
  ],
  [
    "a server that this window is starting",
    { server: { kind: "unreachable", message: "m" }, startedHere: true },
    "$(sync~spin) Dhi: server is starting",
    false,
  ],
  [
    "an address that is none",
    { serverUrl: "not a url", server: { kind: "unreachable", message: "m" } },
    "$(warning) Dhi: server unreachable at not a url",
    true,
  ],
  [
    "a server that fails",
    { server: { kind: "failing", message: "m" } },
    "$(warning) Dhi: server error",
    true,
  ],
  [
    "a model that is not there",
    {
      server: { kind: "ready", status: { ...loading, engine: { ...loading.engine, status: "down" } } },
      last,
    },
    "$(warning) Dhi: model not available",
    true,
  ],
  [
    "off for a language",
    { enabled: false, offLanguage: "python" },
    "$(circle-slash) Dhi: off for python",
    false,
  ],
  [
    "off",
    { enabled: false, snoozedUntil: NOW + 1, server: { kind: "unreachable", message: "m" } },
    "$(circle-slash) Dhi: off",
    false,
  ],
  ["a snooze that is over", { snoozedUntil: NOW }, "Dhi", false],
])("says in the status bar: %s", (_, change, text, isWarning) => {
  expect(statusText(statusWith(change), NOW)).toMatchObject({ text, isWarning, command: "dhi.menu" });
});

test("of several workspaces the bar shows all that are read", () => {
  const busy = (files: number) => indexStatus({ state: "syncing", job: job({ files, filesTotal: 100 }) });
  const workspaces = [
    { name: "shop", path: "/code/shop", indexer: indexStatus() },
    { name: "docs", path: "/code/docs", indexer: indexStatus({ state: "failed" }) },
    { name: "api", path: "/code/api", indexer: busy(20) },
    { name: "web", path: "/code/web", indexer: busy(40) },
  ];
  const status = statusWith({ server: { kind: "ready", status: statusOf(workspaces) } });
  expect(statusText(status).text).toBe("$(sync~spin) Dhi: indexing 30 %");
});

test("a click ends a snooze, and the bar says until when", () => {
  const { text, command } = statusText(statusWith({ snoozedUntil: NOW + 300_000 }), NOW);
  expect(text).toMatch(/^\$\(bell-slash\) Dhi: snoozed until .*05/);
  expect(command).toBe("dhi.endSnooze");
});

test("a screen reader hears words without icons", () => {
  const spoken = (change: Partial<Status>) => statusText(statusWith(change), NOW).spoken;
  expect([spoken({}), spoken({ enabled: false }), spoken({ loading: 1, last })]).toEqual([
    "Dhi code suggestions: ready",
    "Dhi code suggestions: off",
    "Dhi code suggestions: rag · 42 ms",
  ]);
});
