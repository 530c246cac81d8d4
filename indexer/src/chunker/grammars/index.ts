/** The languages the chunker reads by syntax. A new one is one file here, its line below and its line in tree-sitter.ts. */
import type { GrammarName } from "@dhi/core/languages";
import type { Grammar } from "../grammar.ts";
import { go } from "./go.ts";
import { java } from "./java.ts";
import { python } from "./python.ts";
import { rust } from "./rust.ts";
import { typescript } from "./typescript.ts";

export const grammars: Readonly<Record<GrammarName, Grammar>> = {
  python,
  typescript,
  tsx: typescript,
  javascript: typescript,
  go,
  rust,
  java,
};
