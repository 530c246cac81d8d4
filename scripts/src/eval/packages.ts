/** Which packages the evaluation cuts its cursors from. Development and test packages share no code. */

/** `dev` is looked at while retrieval is tuned; `test` gives the figures of the report. */
export type SetName = "dev" | "test";

export interface EvalPackage {
  /** As `source-packages.ts` names it. */
  readonly name: string;
  /** Paths of it that are taken; what is too large to index in seconds is cut to folders that belong together. */
  readonly only?: RegExp;
}

export const packagesOf: Readonly<Record<SetName, readonly EvalPackage[]>> = {
  dev: [
    { name: "rxjs" },
    { name: "effect", only: /^(internal\/)?[A-Za-z]+\.ts$/ },
    { name: "element-ui" },
    { name: "carbon-components-svelte" },
    { name: "SQLAlchemy", only: /^sqlalchemy\/(engine|event|ext|orm|pool|sql|util|[a-z]+\.py)/ },
    { name: "github.com/gin-gonic/gin" },
    { name: "pydantic-core" },
    { name: "JPype1" },
  ],
  test: [
    { name: "@blueprintjs/core" },
    { name: "three" },
    { name: "svelte" },
    {
      name: "Django",
      only: /^(apps|conf\/[a-z_]+\.py|core|db|dispatch|forms|http|middleware|template|templatetags|test|urls|utils|views|contrib\/(admin|auth|contenttypes|sessions))/,
    },
    { name: "nbconvert" },
    { name: "golang.org/x/tools", only: /^(go\/(analysis|ast|callgraph|cfg|packages|ssa|types)|internal)\// },
    {
      name: "ruff",
      only: /^(red_knot|ruff\/|ruff_(db|diagnostics|graph|index|notebook|python_[a-z]+|server|source_file|text_size|workspace)\/).*\.rs$/,
    },
    { name: "react-native" },
  ],
};

/** Copies, builds and data: what a repository would not hold, or would hold a second time. */
export const LEFT_OUT =
  /(^|\/)(\.[^/]+|node_modules|vendor|dist|build|cjs|esm?|umd|target|testdata|fixtures|resources|migrations)(\/|$)|\.min\.js$|_pb2\.py$/;
