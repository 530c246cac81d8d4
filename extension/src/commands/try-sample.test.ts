import { expect, test } from "vitest";
import { NO_PAUSE } from "../control/gate.ts";
import { editor, TextDocument, Uri, window, workspace } from "../testing/fake-vscode.ts";
import { trySample } from "./try-sample.ts";

test("types nothing where nothing would be suggested, and says why", async () => {
  editor.start({ enable: false });
  const told: string[] = [];
  Object.assign(window, { showInformationMessage: async (words: string) => void told.push(words) });
  Object.assign(workspace, {
    findFiles: async () => [Uri.file("/code/shop/a.py")],
    openTextDocument: async (uri: Uri) => new TextDocument(uri, "    return shop.total(1)\n", "python"),
  });
  const places = {
    ...{ served: () => undefined, indexPlan: () => ({ targets: [], notServed: [] }), heard() {} },
    ...{ locate: () => ({ path: "a.py" }), dispose() {} },
  };
  await trySample(places, NO_PAUSE);
  expect(told).toEqual(["Dhi: no file to try it on: Dhi is off."]);
  editor.start({});
  Object.assign(workspace, { findFiles: async () => [] });
  await trySample(places, NO_PAUSE);
  expect(told.at(-1)).toBe("Dhi: no code to try it on, in the folders that the server serves.");
});
