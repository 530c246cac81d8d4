/** What Monaco calls a language. The server's names are VS Code's. */

const OTHER_NAMES: Readonly<Record<string, string>> = {
  typescriptreact: "typescript",
  javascriptreact: "javascript",
  shellscript: "shell",
  jsonc: "json",
  c: "cpp",
  toml: "ini",
  less: "scss",
  vue: "html",
  svelte: "html",
};

/** @returns a name that Monaco may not know, and then shows as plain text */
export const monacoLanguage = (id: string): string => OTHER_NAMES[id] ?? id;
