import { expect, test } from "vitest";
import { defaultSettings } from "../testing/settings.ts";
import { type ClientFacts, clientChecks } from "./doctor-checks.ts";

const fine: ClientFacts = {
  settings: defaultSettings(),
  ...{ snoozed: false, inlineSuggestIsOn: true, extensionVersion: "0.1.0" },
  ...{ remoteName: undefined, proxy: "", isOnBattery: undefined, notServed: [] },
  reached: { kind: "ok", ms: 3, version: "0.1.0" },
};
const check = (id: string, changed: Partial<ClientFacts>) =>
  clientChecks({ ...fine, ...changed }).find((one) => one.id === id);
const withUrl = (serverUrl: string) => ({ settings: defaultSettings({ serverUrl }) });
const unreachable = {
  kind: "unreachable",
  message: "server unreachable at http://127.0.0.1:8000: refused",
} as const;

test("all is well", () => {
  expect(clientChecks(fine)).toMatchInlineSnapshot(`
    [
      {
        "detail": "while typing",
        "id": "editor",
        "status": "ok",
        "title": "Suggestions are switched on",
      },
      {
        "detail": "http://127.0.0.1:8000",
        "id": "address",
        "status": "ok",
        "title": "Server address",
      },
      {
        "detail": "in 3 ms, seen from the extension host",
        "id": "reach",
        "status": "ok",
        "title": "Server answers",
      },
      {
        "detail": "server 0.1.0, extension 0.1.0",
        "id": "version",
        "status": "ok",
        "title": "Versions",
      },
      {
        "detail": "all of them",
        "id": "folders",
        "status": "ok",
        "title": "Open folders are served",
      },
    ]
  `);
});

test.each<[string, Partial<ClientFacts>, string, string | undefined]>([
  ["VS Code's own switch", { inlineSuggestIsOn: false }, "fail", '"editor.inlineSuggest.enabled": true'],
  ["Dhi's switch", { settings: defaultSettings({ enable: false }) }, "warn", '"dhi.enable": true'],
  ["a snooze", { snoozed: true }, "warn", "Dhi: End Snooze"],
  ["on demand is no fault", { settings: defaultSettings({ trigger: "manual" }) }, "ok", undefined],
])("suggestions: %s", (_, changed, status, fix) => {
  expect(check("editor", changed)).toMatchObject({ status, ...(fix && { fix }) });
});

test.each([
  ["an address that is none", { ...withUrl("127.0.0.1:8000") }, "fail", "127.0.0.1:8000 is no http address"],
  [
    "a proxy in between",
    { ...withUrl("http://dhi.example:8000"), proxy: "http://proxy" },
    "warn",
    "http://dhi.example:8000; http.proxy is set, so requests may go through http://proxy",
  ],
  ["a proxy that loopback does not use", { proxy: "http://proxy" }, "ok", "http://127.0.0.1:8000"],
  [
    "a remote window",
    { remoteName: "ssh-remote" },
    "ok",
    "http://127.0.0.1:8000, as seen from the remote machine (ssh-remote), where this extension runs",
  ],
])("address: %s", (_, changed, status, detail) => {
  expect(check("address", changed)).toMatchObject({ status, detail });
});

test.each([
  [undefined, [], "Dhi: Start Server\n# or in the folder with Dhi: docker compose up -d"],
  [undefined, ["npm", "start"], "Dhi: Start Server"],
  [
    "ssh-remote",
    [],
    "Dhi: Start Server\n# or in the folder with Dhi: docker compose up -d\n# on the remote machine; for a server on your own one: ssh -R 8000:127.0.0.1:8000 HOST",
  ],
  [
    "wsl",
    [],
    "Dhi: Start Server\n# or in the folder with Dhi: docker compose up -d\n# inside WSL; for a server on Windows: networkingMode=mirrored in .wslconfig",
  ],
  [
    "dev-container",
    [],
    'Dhi: Start Server\n# or in the folder with Dhi: docker compose up -d\n# inside the container; for a server on its host: "dhi.serverUrl": "http://host.docker.internal:8000"',
  ],
  [
    "tunnel",
    [],
    "Dhi: Start Server\n# or in the folder with Dhi: docker compose up -d\n# on the remote machine: http://127.0.0.1:8000 is that machine here",
  ],
])("a server out of reach, remote %s, command %j: %s", (remoteName, serverCommand, fix) => {
  const settings = defaultSettings({ serverCommand });
  expect(check("reach", { remoteName, settings, reached: unreachable })).toEqual({
    ...{ id: "reach", title: "Server answers", status: "fail", detail: unreachable.message, fix },
  });
});

test("a server elsewhere needs no advice on remote machines", () => {
  const changed = { ...withUrl("http://dhi.example:8000"), remoteName: "wsl", reached: unreachable };
  expect(check("reach", changed)?.fix).toBe(
    "Dhi: Start Server\n# or in the folder with Dhi: docker compose up -d",
  );
});

test("a server that refuses is quoted, and a missing token is named", () => {
  const reached = { kind: "refused", status: 401, message: "token missing or wrong" } as const;
  expect(check("reach", { reached })).toMatchObject({ status: "fail", fix: '"dhi.token": "…"' });
  const other = { kind: "refused", status: 503, message: "starting", hint: "wait" } as const;
  expect(check("reach", { reached: other })).toMatchObject({ detail: "starting", fix: "wait" });
});

test("another version, folders that are not served and a battery that is unknown are remarks", () => {
  expect(check("version", { reached: { kind: "ok", ms: 1, version: "0.2.0" } })).toMatchObject({
    ...{ status: "warn", detail: "server 0.2.0, extension 0.1.0" },
  });
  expect(check("folders", { notServed: ["a", "b"] })).toMatchObject({
    ...{ status: "warn", detail: "not served: a, b", fix: "npm start -- --workspace a --workspace b" },
  });
  const settings = defaultSettings({ pauseOnBattery: true });
  expect(check("battery", { settings })).toMatchObject({ status: "warn" });
  expect(check("battery", { settings, isOnBattery: true })).toMatchObject({
    detail: "on battery: only on demand",
  });
});

test("of a server out of reach neither version nor folders are told", () => {
  expect(clientChecks({ ...fine, reached: unreachable }).map(({ id }) => id)).toEqual([
    "editor",
    "address",
    "reach",
  ]);
});
