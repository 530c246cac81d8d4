import type { FimRequest } from "@dhi/core/protocol";
import { expect, test } from "vitest";
import type { InstantStatus } from "./instant/instant-index.ts";
import type { Workspace } from "./workspace.ts";
import { instantIndexOf } from "./workspace-instant-index.ts";
import { createWorkspaces } from "./workspaces.ts";

const fakeInstant = (text: string, status: InstantStatus): Workspace["instant"] => ({
  predict: ({ path }) => ({ text: `${text} ${path}`, confidence: 1, tokens: 1, cut: false }),
  refresh: async () => {},
  status: () => status,
});

/** Of a workspace, only this is asked. */
const fakeWorkspace = (name: string, status: InstantStatus): Workspace => ({
  ...{ name, path: `/work/${name}`, roots: [`/work/${name}`], instant: fakeInstant(name, status) },
  index: { get: () => undefined, close() {} },
  vectors: { search: async () => [], health: async () => ({ status: "ok", detail: "" }) },
  retrieve: async () => ({ snippets: [], found: new Map(), late: [], legMs: new Map() }),
  definedIn: () => [],
  close() {},
});

const shop = fakeWorkspace("shop", { state: "ready", files: 1, tokens: 10, storedTokens: 12 });
const docs = fakeWorkspace("docs", { state: "empty", files: 0, tokens: 0, storedTokens: 0 });
const at = (workspace?: string): Pick<FimRequest, "workspace" | "path" | "prefix" | "suffix"> => ({
  ...{ workspace, path: "a.ts", prefix: "", suffix: "" },
});
const limits = { threshold: 0, maxTokens: 1 };

test("each workspace answers from its own code", async () => {
  const instant = instantIndexOf(createWorkspaces([shop, docs]));
  expect(await instant.predict(at("docs"), limits)).toMatchObject({ text: "docs a.ts" });
  expect(await instant.predict(at("shop"), limits)).toMatchObject({ text: "shop a.ts" });
});

test("the only workspace answers under any name: git may have named it since the request came in", async () => {
  const instant = instantIndexOf(createWorkspaces([shop]));
  expect(await instant.predict(at("folder"), limits)).toMatchObject({ text: "shop a.ts" });
  expect(await instant.predict(at(), limits)).toMatchObject({ text: "shop a.ts" });
});

test("its state is that of all together", () => {
  const stateOf = (...states: InstantStatus["state"][]) =>
    instantIndexOf(
      createWorkspaces(
        states.map((state, i) => fakeWorkspace(`w${i}`, { state, files: 1, tokens: 2, storedTokens: 3 })),
      ),
    ).status();
  expect(stateOf("ready", "empty")).toEqual({ state: "ready", files: 2, tokens: 4, storedTokens: 6 });
  expect(stateOf("ready", "building").state).toBe("building");
  expect(stateOf("empty", "empty").state).toBe("empty");
});
