/** Language id → its rules. */
import { languageOf } from "@dhi/core/languages";
import { ecmascript } from "./ecmascript.ts";
import { go } from "./go.ts";
import { java } from "./java.ts";
import { python } from "./python.ts";
import type { Resolver } from "./resolver.ts";
import { rust } from "./rust.ts";

export type Family = "ecmascript" | "python" | "go" | "rust" | "java";

const resolvers: Readonly<Record<Family, Resolver>> = { ecmascript, python, go, rust, java };

const families: ReadonlyMap<string, Family> = new Map([
  ...["typescript", "typescriptreact", "javascript", "javascriptreact", "vue", "svelte", "astro"].map(
    (id) => [id, "ecmascript"] as const,
  ),
  ["python", "python"],
  // The few with another kernel define nothing that is imported.
  ["jupyter-notebook", "python"],
  ["go", "go"],
  ["rust", "rust"],
  ["java", "java"],
]);

/** Languages whose files may call each other. `undefined` for those without a graph. */
export const familyOf = (path: string): Family | undefined => families.get(languageOf(path).id);

export const resolverOf = (family: Family): Resolver => resolvers[family];
