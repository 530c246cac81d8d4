import { beforeEach, expect, test } from "vitest";
import { NO_PAUSE } from "../control/gate.ts";
import { done } from "../testing/answers.ts";
import { commands, editor, window } from "../testing/fake-vscode.ts";
import { statusWith } from "../testing/status.ts";
import { type WhyDeps, whyNoSuggestion } from "./why-no-suggestion.ts";

let told: string[] = [];
let asked = 0;

const deps: WhyDeps = {
  places: {
    ...{ served: () => undefined, indexPlan: () => ({ targets: [], notServed: [] }), heard() {} },
    ...{ locate: ({ fsPath }) => ({ path: fsPath.replace("/code/shop/", "") }), dispose() {} },
  },
  pause: () => NO_PAUSE,
  status: () => statusWith(),
  async fetchCompletion() {
    asked++;
    return done("total()");
  },
  onAsked() {},
};

/** Takes the first thing that is offered. */
beforeEach(() => {
  [told, asked] = [[], 0];
  Object.assign(window, {
    withProgress: (_: object, run: () => unknown) => run(),
    async showInformationMessage(words: string, label?: string) {
      told.push(words);
      return label;
    },
  });
  for (const name of ["dhi.toggle", "dhi.toggleLanguage", "dhi.showLastPrompt"])
    commands.registerCommand(name, () => {});
});

test.each([
  ["Dhi, when it is off for all", { enable: false }, "dhi.toggle"],
  ["the language, when that alone is off", { "[python] enable": false }, "dhi.toggleLanguage"],
])("Enable switches on %s", async (_, settings, command) => {
  editor.start(settings);
  editor.open("/code/shop/a.py", "x = █");
  await whyNoSuggestion(deps);
  expect([told, asked]).toEqual([["Dhi is off here (dhi.enable). Nothing is sent."], 0]);
  expect(editor.ran()).toEqual([command]);
});

test("in a comment where they are off nobody is asked, on demand neither", async () => {
  editor.start({ trigger: "manual", commentsAndStrings: "off" });
  editor.open("/code/shop/a.py", "# one█");
  Object.assign(window, { showInformationMessage: async (words: string) => void told.push(words) });
  await whyNoSuggestion(deps);
  expect([told, asked]).toEqual([["Off in comments (dhi.commentsAndStrings)."], 0]);
});

test("where only typing brings nothing the server is asked", async () => {
  editor.start({ trigger: "manual" });
  editor.open("/code/shop/a.py", "x = █");
  await whyNoSuggestion(deps);
  expect(asked).toBe(1);
  expect(told[0]).toContain("Suggestions come on demand only (dhi.trigger).");
});

test("without an editor it says what to do", async () => {
  editor.start({});
  await whyNoSuggestion(deps);
  expect(told).toEqual(["Dhi: put the cursor somewhere in a file first."]);
});
