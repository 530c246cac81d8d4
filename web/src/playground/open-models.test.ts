import { afterEach, expect, test, vi } from "vitest";
import { createOpenModels } from "./open-models.ts";
import { edited, fileKey, type OpenFile } from "./playground-state.ts";

vi.hoisted(() => vi.stubGlobal("sessionStorage", { getItem: () => null }));

/** A text, and how often it has been changed; undoing is no part of it. */
function fakeModel(first: string) {
  let [text, version] = [first, 1];
  return {
    getValue: () => text,
    getVersionId: () => version,
    getAlternativeVersionId: () => version,
    setValue(next: string) {
      text = next;
      version++;
    },
    dispose() {},
  };
}

const fakeMonaco = {
  Uri: { from: (parts: object) => parts },
  editor: { createModel: fakeModel, EndOfLinePreference: { LF: 1 } },
};

const FILE: OpenFile = { workspace: "shop", path: "a.py", language: "python", text: "old = 1\n" };
const sent: unknown[] = [];
const open = () => {
  vi.stubGlobal("fetch", async (_: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body));
    return Response.json({});
  });
  return createOpenModels(fakeMonaco as never, "page-1");
};
afterEach(() => {
  edited.value = new Set();
  sent.length = 0;
});

test("a file that has changed since it was opened shows as it is now", () => {
  const models = open();
  const model = models.modelOf(FILE);
  expect(models.modelOf({ ...FILE, text: "new = 2\n" })).toBe(model);
  expect(model.getValue()).toBe("new = 2\n");
  models.changed(FILE);
  expect(edited.value.size).toBe(0);
  models.dispose();
});

test("what was typed in a file stays when it is opened again, until it is discarded", async () => {
  const models = open();
  const model = models.modelOf(FILE);
  model.setValue("typed\n");
  models.changed(FILE);
  expect(edited.value).toEqual(new Set([fileKey(FILE)]));
  await expect.poll(() => sent).toMatchObject([{ path: "a.py", sessionId: "page-1", content: "typed\n" }]);
  models.modelOf({ ...FILE, text: "typed\n" });
  expect(model.getValue()).toBe("typed\n");
  models.discard(FILE);
  expect(model.getValue()).toBe("old = 1\n");
  expect(edited.value.size).toBe(0);
  await expect.poll(() => sent.at(-1)).toMatchObject({ path: "a.py", closed: true });
  models.dispose();
});
