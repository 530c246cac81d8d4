/** File name → language. One table for chunking, prompts and the wire (ids as VS Code has them). */
import { posix } from "node:path";

export interface Language {
  /** VS Code's language id. */
  readonly id: string;
  /** Starts a line comment; `undefined` for languages without one. */
  readonly lineComment?: string;
  /** The tree-sitter grammar that reads it. */
  readonly grammar?: GrammarName;
  /** Code of other languages stands in it. A language has this or a grammar. */
  readonly embeds?: EmbeddedCode;
}

export type EmbeddedCode =
  /** `<script>` elements. */
  | "scripts"
  /** The same, and a script between `---` lines at the top. */
  | "frontmatter"
  /** A Jupyter notebook's cells, inside JSON. */
  | "cells";

export type GrammarName = "python" | "typescript" | "tsx" | "javascript" | "go" | "rust" | "java";

const hash = (id: string): Language => ({ id, lineComment: "#" });
const slashes = (id: string): Language => ({ id, lineComment: "//" });
const dashes = (id: string): Language => ({ id, lineComment: "--" });

const python: Language = { id: "python", lineComment: "#", grammar: "python" };
const javascript: Language = { id: "javascript", lineComment: "//", grammar: "javascript" };
const typescript: Language = { id: "typescript", lineComment: "//", grammar: "typescript" };

const extensions: Readonly<Record<string, Language>> = {
  py: python,
  pyi: python,
  pyw: python,
  ts: typescript,
  mts: typescript,
  cts: typescript,
  tsx: { id: "typescriptreact", lineComment: "//", grammar: "tsx" },
  js: javascript,
  mjs: javascript,
  cjs: javascript,
  jsx: { id: "javascriptreact", lineComment: "//", grammar: "javascript" },
  go: { id: "go", lineComment: "//", grammar: "go" },
  rs: { id: "rust", lineComment: "//", grammar: "rust" },
  java: { id: "java", lineComment: "//", grammar: "java" },
  c: slashes("c"),
  h: slashes("c"),
  cc: slashes("cpp"),
  cpp: slashes("cpp"),
  cxx: slashes("cpp"),
  hpp: slashes("cpp"),
  hh: slashes("cpp"),
  cs: slashes("csharp"),
  swift: slashes("swift"),
  kt: slashes("kotlin"),
  kts: slashes("kotlin"),
  scala: slashes("scala"),
  dart: slashes("dart"),
  php: slashes("php"),
  groovy: slashes("groovy"),
  gradle: slashes("groovy"),
  proto: slashes("proto3"),
  zig: slashes("zig"),
  rb: hash("ruby"),
  sh: hash("shellscript"),
  bash: hash("shellscript"),
  zsh: hash("shellscript"),
  pl: hash("perl"),
  r: hash("r"),
  jl: hash("julia"),
  ex: hash("elixir"),
  exs: hash("elixir"),
  yaml: hash("yaml"),
  yml: hash("yaml"),
  toml: hash("toml"),
  tf: hash("terraform"),
  sql: dashes("sql"),
  lua: dashes("lua"),
  hs: dashes("haskell"),
  elm: dashes("elm"),
  json: { id: "json" },
  jsonc: slashes("jsonc"),
  md: { id: "markdown" },
  html: { id: "html" },
  css: { id: "css" },
  scss: slashes("scss"),
  less: slashes("less"),
  vue: { id: "vue", embeds: "scripts" },
  svelte: { id: "svelte", embeds: "scripts" },
  astro: { id: "astro", embeds: "frontmatter" },
  ipynb: { id: "jupyter-notebook", embeds: "cells" },
  xml: { id: "xml" },
};

const names: Readonly<Record<string, Language>> = {
  Dockerfile: hash("dockerfile"),
  Makefile: hash("makefile"),
  GNUmakefile: hash("makefile"),
  Gemfile: hash("ruby"),
  Rakefile: hash("ruby"),
  "CMakeLists.txt": hash("cmake"),
  Jenkinsfile: slashes("groovy"),
};

const plaintext: Language = { id: "plaintext" };

// Maps, since a file may be called `constructor`, which every object has.
const byExtension: ReadonlyMap<string, Language> = new Map(Object.entries(extensions));
const byName: ReadonlyMap<string, Language> = new Map(Object.entries(names));

/** @returns `plaintext` for what is not in the table */
export function languageOf(path: string): Language {
  const name = posix.basename(path);
  const known = byName.get(name.startsWith("Dockerfile.") ? "Dockerfile" : name);
  if (known) return known;
  const dot = name.lastIndexOf(".");
  return (dot > 0 && byExtension.get(name.slice(dot + 1).toLowerCase())) || plaintext;
}

const byId: ReadonlyMap<string, Language> = new Map(
  [plaintext, ...byExtension.values(), ...byName.values()].map((language) => [language.id, language]),
);

/** @returns `plaintext` for an id that is not in the table */
export const languageById = (id: string): Language => byId.get(id) ?? plaintext;
