import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { refuseForeign } from "./http-guard.ts";

const refusal = (headers: Record<string, string>, allowedHosts: string[] = [], token?: string) =>
  refuseForeign({ headers } as unknown as IncomingMessage, { allowedHosts, token })?.code;

test.each([
  ["127.0.0.1:8000", undefined],
  ["localhost", undefined],
  ["[::1]:8000", undefined],
  ["LOCALHOST", undefined],
  ["127.0.0.2:8000", undefined],
  ["127.0.0.1x", "foreign_host"],
  ["evil.example", "foreign_host"],
  ["127.0.0.1.evil.example", "foreign_host"],
  ["localhost@evil.example", "foreign_host"],
  ["", "foreign_host"],
])('Host "%s" gives %s', (host, expected) => {
  expect(refusal({ host })).toBe(expected);
});

test.each([
  ["http://localhost:8000", undefined],
  ["http://LOCALHOST:8000", undefined],
  ["http://localhost:3000", "foreign_origin"],
  ["http://127.0.0.1:8000", "foreign_origin"],
  ["vscode-webview://abc", undefined],
  ["https://evil.example", "foreign_origin"],
  ["null", "foreign_origin"],
])("Origin %s gives %s", (origin, expected) => {
  expect(refusal({ host: "localhost:8000", origin })).toBe(expected);
});

test.each([
  [
    "a picture of another site",
    { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" },
    "foreign_origin",
  ],
  [
    "a script of another port",
    { "sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors" },
    "foreign_origin",
  ],
  [
    "a frame",
    { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" },
    "foreign_origin",
  ],
  [
    "a link that is followed",
    { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" },
    undefined,
  ],
  ["an address that is typed", { "sec-fetch-site": "none", "sec-fetch-mode": "navigate" }, undefined],
  ["this server's own page", { "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors" }, undefined],
  [
    "an editor's webview",
    { "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors", origin: "vscode-webview://abc" },
    undefined,
  ],
])("what a browser fetches for %s", (_, headers: Record<string, string>, expected) => {
  expect(refusal({ host: "localhost:8000", ...headers })).toBe(expected);
});

test("a host that was allowed by name may ask", () => {
  expect(refusal({ host: "dhi.lan:8000", origin: "http://dhi.lan:8000" }, ["dhi.lan"])).toBeUndefined();
  expect(refusal({ host: "dhi.lan" }, ["Dhi.LAN"])).toBeUndefined();
  // Behind a proxy that asks by another name.
  expect(refusal({ host: "127.0.0.1:8000", origin: "https://dhi.lan" }, ["dhi.lan"])).toBeUndefined();
});

test("a page of another port of the address that this server listens at may not ask", () => {
  const from = (origin: string) =>
    refuseForeign({ headers: { host: "192.168.1.5:8000", origin } } as unknown as IncomingMessage, {
      ...{ allowedHosts: [], ownHosts: ["192.168.1.5"] },
    })?.code;
  expect(from("http://192.168.1.5:8000")).toBeUndefined();
  expect(from("http://192.168.1.5:3000")).toBe("foreign_origin");
});

test("an IPv6 address is meant with its brackets or without", () => {
  for (const name of ["fd00::1", "[FD00::1]"])
    expect(refusal({ host: "[fd00::1]:8000", origin: "http://[fd00::1]:8000" }, [name])).toBeUndefined();
  expect(refusal({ host: "[fd00::2]:8000" }, ["fd00::1"])).toBe("foreign_host");
});

test("a token is compared whole", () => {
  const ask = (authorization: string) => refusal({ host: "localhost", authorization }, [], "secret-token");
  expect([ask("Bearer secret-token"), ask("Bearer secret"), ask("")]).toEqual([
    undefined,
    "unauthorized",
    "unauthorized",
  ]);
});
