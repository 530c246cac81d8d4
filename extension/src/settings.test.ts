import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readSettings } from "./settings.ts";

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const properties: Record<string, { default: unknown; scope?: string }> =
  manifest.contributes.configuration.properties;
const from = (values: Record<string, unknown>) => readSettings({ get: (key) => values[key] });

/** `dhi.server.command` → `serverCommand` */
const fieldOf = (key: string) =>
  key.replace("dhi.", "").replace(/\.(.)/g, (_, first: string) => first.toUpperCase());

test("has the defaults of the manifest", () => {
  expect(from({})).toEqual(
    Object.fromEntries(Object.entries(properties).map(([key, property]) => [fieldOf(key), property.default])),
  );
});

test("takes what is set, the address without its last slash", () => {
  const set = {
    ...{ enable: false, serverUrl: " http://10.0.0.5:8000/ ", token: "abcdefgh" },
    ...{ debounceMs: 200, maxTokens: 32, maxLines: 4, trigger: "manual", commentsAndStrings: "singleLine" },
    ...{ excludeGlobs: ["a/**"], pauseOnBattery: true, localMetrics: true, recordEdits: true },
  };
  expect(from({ ...set, "server.command": ["npm", "start"], "server.directory": "/dhi" })).toEqual({
    ...from({}),
    ...set,
    ...{ serverUrl: "http://10.0.0.5:8000", serverCommand: ["npm", "start"], serverDirectory: "/dhi" },
  });
});

test("replaces what cannot be by the nearest that can", () => {
  const wrong = {
    enable: "yes",
    serverUrl: 8000,
    token: null,
    debounceMs: -5,
    maxTokens: 1e9,
    maxLines: 1e9,
  };
  expect(from(wrong)).toEqual({ ...from({}), debounceMs: 0, maxTokens: 2048, maxLines: 200 });
  const odd = { trigger: "never", commentsAndStrings: true, excludeGlobs: "*.pem", "server.command": "rm" };
  expect(from({ ...odd, debounceMs: "fast", maxTokens: Number.NaN })).toEqual(from({}));
  expect(from({ excludeGlobs: ["*.a", 7, ""] }).excludeGlobs).toEqual(["*.a"]);
});

test("a repository cannot choose where code is sent, nor what is started", () => {
  const machine = ["dhi.serverUrl", "dhi.token", "dhi.server.command", "dhi.server.directory"];
  expect(machine.map((key) => properties[key]?.scope)).toEqual(machine.map(() => "machine"));
  expect(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations).toContain("dhi.excludeGlobs");
});
