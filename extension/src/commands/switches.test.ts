import { beforeEach, expect, test } from "vitest";
import { settings } from "../editor-settings.ts";
import { editor, window } from "../testing/fake-vscode.ts";
import { toggle, toggleLanguage, toggleTrigger } from "./switches.ts";

let said: string[] = [];
beforeEach(() => {
  said = [];
  Object.assign(window, { setStatusBarMessage: (words: string) => said.push(words) });
});

const triggers = () =>
  [{ languageId: "python" }, { languageId: "go" }].map((scope) => settings(scope as never).trigger);

test("the trigger is changed for all languages, and back", async () => {
  editor.start({});
  editor.open("/code/shop/a.py", "");
  await toggleTrigger();
  expect(triggers()).toEqual(["manual", "manual"]);
  await toggleTrigger();
  expect(triggers()).toEqual(["automatic", "automatic"]);
  expect(said).toEqual(["Dhi suggests on demand: Alt+\\.", "Dhi suggests while you type."]);
});

test("where the open file's language has a value of its own, that is changed", async () => {
  editor.start({ "[python] trigger": "manual" });
  editor.open("/code/shop/a.py", "");
  await toggleTrigger();
  expect(triggers()).toEqual(["automatic", "automatic"]);
  await toggleTrigger();
  expect(triggers()).toEqual(["manual", "automatic"]);
  expect(said).toEqual([
    "Dhi suggests while you type in python.",
    "Dhi suggests on demand in python: Alt+\\.",
  ]);
});

test("a language is switched off and on for itself", async () => {
  editor.start({});
  editor.open("/code/shop/a.py", "");
  const enabled = () => [undefined, { languageId: "python" }].map((scope) => settings(scope as never).enable);
  await toggleLanguage();
  expect(enabled()).toEqual([true, false]);
  await toggleLanguage();
  expect(enabled()).toEqual([true, true]);

  await toggle();
  expect(enabled(), "off means off, also where it was off before").toEqual([false, false]);
  await toggleLanguage();
  expect(enabled()).toEqual([false, true]);
});

test("a language is on alone, while all others are off", async () => {
  editor.start({ enable: false, "[python] enable": true });
  editor.open("/code/shop/a.py", "");
  await toggleLanguage();
  expect(settings({ languageId: "python" } as never).enable).toBe(false);
  await toggleLanguage();
  expect(settings({ languageId: "python" } as never).enable).toBe(true);
});
