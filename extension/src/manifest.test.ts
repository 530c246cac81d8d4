/** What the manifest promises is there: commands, settings, words, files. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { allWords } from "@dhi/client/reason-words";
import { expect, test } from "vitest";
import { readSettings } from "./settings.ts";

const root = new URL("../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");
const manifestText = read("package.json");
const manifest = JSON.parse(manifestText);
const readme = read("README.md");
const commands: { command: string; title: string }[] = manifest.contributes.commands;
const settings: string[] = Object.keys(manifest.contributes.configuration.properties);
const words: Record<string, string> = JSON.parse(read("package.nls.json"));

const sources = readdirSync(fileURLToPath(new URL("src", root)), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts") && !path.includes(".test.") && !path.includes("testing"))
  .map((path) => read(`src/${path}`));
const code = sources.join("\n");
const all = (pattern: RegExp, text: string) =>
  [...new Set([...text.matchAll(pattern)].map(([, found]) => found))].toSorted();

test("every command of the manifest is registered, and every registered one is in the manifest", () => {
  const registered = [
    ...all(/^ {4}"(dhi\.\w+)":/gm, read("src/register-commands.ts")),
    ...all(/registerCommand\(\s*"(dhi\.\w+)"/g, code),
  ];
  expect(registered.toSorted()).toEqual(commands.map(({ command }) => command).toSorted());
});

test("every command that is run by its name exists", () => {
  const known = new Set(commands.map(({ command }) => command));
  const run = all(/(?:command: |executeCommand\(|run\(|")"?(dhi\.[a-z]\w*)"/gi, code);
  const contexts = all(/"setContext",\s*"(dhi\.\w+)"/g, code);
  expect(
    run.filter(
      (name) => !known.has(name ?? "") && !contexts.includes(name) && !settings.includes(name ?? ""),
    ),
  ).toEqual(["dhi.server"]);
});

test("every setting of the manifest is read, and every one that is read is in the manifest", () => {
  const asked: string[] = [];
  readSettings({ get: (key) => void asked.push(`dhi.${key}`) });
  expect(asked.toSorted()).toEqual(settings.toSorted());
});

test("the README names every command by its title, and every setting with its default, and no other", () => {
  const titles = commands.map(({ title }) => words[title.slice(1, -1)]);
  expect(all(/^\| Dhi: (.+?) +\|/gm, readme)).toEqual(titles.toSorted());
  expect(all(/^\| `(dhi\.[\w.]+)` +\|/gm, readme)).toEqual(settings.toSorted());
});

test("every setting says what it means", () => {
  const properties: Record<
    string,
    { markdownDescription?: string; enum?: string[]; enumDescriptions?: string[] }
  > = manifest.contributes.configuration.properties;
  for (const [key, { markdownDescription = "", enum: values, enumDescriptions }] of Object.entries(
    properties,
  )) {
    expect(words[markdownDescription.slice(1, -1)]?.length, key).toBeGreaterThan(20);
    expect(enumDescriptions?.length, key).toBe(values?.length);
  }
});

/** What closes before ghost text does in VS Code, or has Escape for itself. */
test.each([
  ...["suggestWidgetVisible", "inSnippetMode", "findWidgetVisible", "LinkedEditingInputVisible"],
  ...["referenceSearchVisible", "callHierarchyVisible", "typeHierarchyVisible", "notificationCenterVisible"],
  ...["vim.active", "neovim.init", "dance.mode"],
])("Escape is left to whom it is for: %s", (context) => {
  const [binding, ...others] = manifest.contributes.keybindings.filter(
    ({ key }: { key: string }) => key === "escape",
  );
  expect(others).toEqual([]);
  expect(binding.when.split(" && ")).toEqual(
    expect.arrayContaining(["editorTextFocus", "inlineSuggestionVisible", "dhi.isWriting", `!${context}`]),
  );
});

test("every word of the manifest is there, and every word there is used", () => {
  expect(all(/"%([^%"]+)%"/g, manifestText)).toEqual(Object.keys(words).toSorted());
});

test("walkthrough steps have their pages, and link to commands that exist", () => {
  const [{ steps }] = manifest.contributes.walkthroughs;
  const known = new Set(commands.map(({ command }) => command));
  for (const { description, media, completionEvents } of steps) {
    expect(existsSync(new URL(media.markdown, root)), media.markdown).toBe(true);
    const linked = all(/\(command:(dhi\.\w+)/g, words[description.slice(1, -1)] ?? "");
    const awaited = completionEvents.flatMap((event: string) => event.replace(/^onCommand:/, ""));
    for (const name of [...linked, ...awaited.filter((event: string) => !event.startsWith("onContext:"))])
      expect(known, name).toContain(name);
  }
});

test("every picture of the walkthrough is there, is shown, and says what it shows", () => {
  const folder = readdirSync(new URL("walkthrough", root));
  const pages = folder.filter((name) => name.endsWith(".md")).map((name) => read(`walkthrough/${name}`));
  const shown = pages.flatMap((page) => [...page.matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)]);
  expect(shown.map(([, , file]) => file).toSorted()).toEqual(folder.filter((name) => name.endsWith(".png")));
  for (const [, words] of shown) expect(words?.length).toBeGreaterThan(20);
});

test("the sentences of the code are those that translators get", async () => {
  const literal = /\bt\(\s*("(?:[^"\\]|\\.)*")/g;
  const written: string[] = [...code.matchAll(literal)].map(([, text]) => JSON.parse(text ?? '""'));
  const sentences = [...written, ...allWords];
  const bundle = Object.fromEntries([...new Set(sentences)].toSorted().map((text) => [text, text]));
  await expect(`${JSON.stringify(bundle, null, 2)}\n`).toMatchFileSnapshot("../l10n/bundle.l10n.json");
});

test("every sentence for users is a literal, or one of the client's, so that it can be found", () => {
  const others = code.replace(/const t: Translate = \([\s\S]*?;/, "").replaceAll(/t\(english\.\w+\(/g, "");
  expect(all(/[^.\w](t\((?!\s*")[^)]*)/g, others)).toEqual([]);
});

test("the package holds what the manifest names, and nothing to install", () => {
  const listed = read(".vscodeignore").split("\n");
  for (const path of [
    "dist/extension.cjs",
    "icon.png",
    "package.nls.json",
    "README.md",
    "CHANGELOG.md",
    "LICENSE",
  ])
    expect(listed).toContain(`!${path}`);
  for (const folder of ["walkthrough", "l10n"]) expect(listed).toContain(`!${folder}/**`);
  expect(manifest.dependencies).toBeUndefined();
});
