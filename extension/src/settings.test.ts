import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readSettings } from "./settings.ts";

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const from = (values: Record<string, unknown>) => readSettings({ get: (key) => values[key] });

test("has the defaults of the manifest", () => {
  const properties = Object.entries<{ default: unknown }>(manifest.contributes.configuration.properties);
  expect(from({})).toEqual(
    Object.fromEntries(properties.map(([key, property]) => [key.replace("dhi.", ""), property.default])),
  );
});

test("takes what is set, the address without its last slash", () => {
  const set = {
    enable: false,
    serverUrl: " http://10.0.0.5:8000/ ",
    token: "abcdefgh",
    debounceMs: 200,
    maxTokens: 32,
  };
  expect(from(set)).toEqual({ ...set, serverUrl: "http://10.0.0.5:8000" });
});

test("replaces what cannot be by the nearest that can", () => {
  const wrong = { enable: "yes", serverUrl: 8000, token: null, debounceMs: -5, maxTokens: 1e9 };
  expect(from(wrong)).toEqual({ ...from({}), debounceMs: 0, maxTokens: 2048 });
  expect(from({ debounceMs: "fast", maxTokens: Number.NaN })).toEqual(from({}));
});

test("a repository cannot choose where code is sent", () => {
  const { properties } = manifest.contributes.configuration;
  expect([properties["dhi.serverUrl"].scope, properties["dhi.token"].scope]).toEqual(["machine", "machine"]);
});
