/** Why a file is left out, in a word or two. */
import type { SkipReason } from "@dhi/core/chunk";

/** @param reason of the server; one that is not known here is words with dashes */
export const skipWords = (reason: string): string => WORDS.get(reason) ?? reason.replace(/[-_]+/g, " ");

const REASONS: Readonly<Record<SkipReason, string>> = {
  ignored: "ignored by git",
  binary: "binary",
  "too-large": "too large",
  generated: "generated",
  minified: "minified",
  secret: "may hold a secret",
  unreadable: "cannot be read",
  "not-a-file": "not a plain file",
  "bad-name": "its name is not UTF-8",
  outside: "outside of the workspace",
  missing: "not there",
};

const WORDS: ReadonlyMap<string, string> = new Map(Object.entries(REASONS));
