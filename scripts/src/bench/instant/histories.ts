/** The packages whose successive versions are replayed as commits. Development and test packages share no code. */
import type { PackageSpec } from "../../source-packages.ts";

/** `dev` is looked at and fitted on; `test` gives the figures of the report. */
export type SetName = "dev" | "test";

export interface History extends Omit<PackageSpec, "version"> {
  /** Oldest first. */
  readonly versions: readonly string[];
  readonly language: string;
  /** Paths of it that are taken. */
  readonly only?: RegExp;
}

export const historiesOf: Readonly<Record<SetName, readonly History[]>> = {
  dev: [
    {
      ...{ client: "npm", name: "rxjs", sources: "src", language: "TypeScript" },
      versions: ["7.2.0", "7.4.0", "7.5.5", "7.8.1"],
    },
    {
      ...{ client: "npm", name: "effect", sources: "src", language: "TypeScript" },
      versions: ["3.10.0", "3.10.15", "3.11.0", "3.12.0"],
      only: /^(internal\/)?[A-Za-z]+\.ts$/,
    },
    {
      ...{ client: "npm", name: "element-ui", sources: "packages", language: "Vue, JavaScript" },
      versions: ["2.12.0", "2.13.2", "2.14.1", "2.15.14"],
    },
    {
      ...{ client: "npm", name: "carbon-components-svelte", sources: "src", language: "Svelte" },
      versions: ["0.84.1", "0.85.3", "0.86.2"],
    },
    {
      ...{ client: "pip", name: "SQLAlchemy", sources: "lib", language: "Python" },
      versions: ["2.0.32", "2.0.35", "2.0.38"],
    },
    {
      ...{ client: "go", name: "github.com/gin-gonic/gin", sources: ".", language: "Go" },
      versions: ["v1.8.1", "v1.9.0", "v1.10.0", "v1.11.0"],
    },
    {
      ...{ client: "pip", name: "pydantic-core", sources: ".", language: "Rust, Python" },
      versions: ["2.18.0", "2.20.0", "2.23.4", "2.27.0"],
    },
    {
      ...{ client: "pip", name: "JPype1", sources: "native/java", language: "Java" },
      versions: ["1.3.0", "1.4.0", "1.5.0", "1.5.2"],
    },
  ],
  test: [
    {
      ...{ client: "npm", name: "@blueprintjs/core", sources: "src", language: "TypeScript (JSX)" },
      versions: ["5.8.2", "5.10.0", "5.13.0", "5.16.0"],
    },
    {
      ...{ client: "npm", name: "three", sources: "src", language: "JavaScript" },
      versions: ["0.168.0", "0.169.0", "0.170.0"],
    },
    {
      ...{ client: "npm", name: "svelte", sources: "src", language: "JavaScript" },
      versions: ["5.1.0", "5.14.0", "5.20.0"],
    },
    {
      ...{ client: "pip", name: "Django", sources: "django", language: "Python" },
      versions: ["5.0.6", "5.1.1", "5.2"],
      only: /\.py$/,
    },
    {
      ...{ client: "pip", name: "nbconvert", sources: ".", language: "Python" },
      versions: ["7.7.0", "7.11.0", "7.16.4", "7.17.2"],
    },
    {
      ...{ client: "go", name: "golang.org/x/tools", sources: ".", language: "Go" },
      versions: ["v0.25.0", "v0.26.0", "v0.27.0"],
      only: /^(go\/(analysis|ast|callgraph|cfg|packages|ssa|types)|internal)\//,
    },
    {
      ...{ client: "pip", name: "ruff", sources: "crates", language: "Rust" },
      versions: ["0.6.5", "0.6.9", "0.7.0"],
      only: /^(red_knot|ruff\/|ruff_(db|diagnostics|graph|index|notebook|python_[a-z]+|server|source_file|text_size|workspace)).*\.rs$/,
    },
    {
      ...{ client: "npm", name: "react-native", sources: "ReactAndroid/src/main/java", language: "Java" },
      versions: ["0.70.15", "0.71.19", "0.72.17"],
      only: /\.java$/,
    },
  ],
};

/** Tests, documents and examples are easier to guess than what they are about. */
export const isBesideSource = (path: string): boolean =>
  /(^|[/_.-])(tests?|docs?|docs_src|examples?|spec|benchmarks?|benches|testing)([/_.-]|$)|_test\.|\.test\./i.test(
    path,
  );
