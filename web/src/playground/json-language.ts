/** Colours for JSON. Monaco has them only together with a language service, which would be a worker of 400 kB. */
import type { monaco } from "./monaco.ts";

export function registerJson({ languages }: typeof monaco): void {
  languages.register({ id: "json", extensions: [".json"] });
  languages.setLanguageConfiguration("json", {
    brackets: [
      ["{", "}"],
      ["[", "]"],
    ],
    autoClosingPairs: ["{}", "[]", '""'].map(([open = "", close = ""]) => ({ open, close })),
  });
  languages.setMonarchTokensProvider("json", {
    brackets: [
      { open: "{", close: "}", token: "delimiter.curly" },
      { open: "[", close: "]", token: "delimiter.square" },
    ],
    tokenizer: {
      root: [
        [/"(?:[^"\\]|\\.)*"(?=\s*:)/, "type"],
        [/"(?:[^"\\]|\\.)*"/, "string"],
        [/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/, "number"],
        [/\b(?:true|false|null)\b/, "keyword"],
        [/[{}[\]]/, "@brackets"],
        [/[,:]/, "delimiter"],
        [/\/\/.*$/, "comment"],
      ],
    },
  });
}
