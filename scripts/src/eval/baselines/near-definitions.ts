/**
 * Definitions of the names near the cursor and nothing else, as Continue's import definitions
 * (`ImportDefinitionsService`, `getAllSnippets`): names in the five lines before the cursor's and the three after, each
 * with the text of its definition, at most 100 lines. Continue asks a language server; here the index tells, the nearest
 * path first, and names that are not imported count as well, which can only help it.
 */
import { posix } from "node:path";
import { codeIdentifiers } from "../code-identifiers.ts";
import type { DefinitionSite } from "../facts.ts";
import type { Baseline } from "../method.ts";

const LINES_BEFORE = 5;
const LINES_AFTER = 3;
const MOST_LINES = 100;
/** A name with more definitions has none that a language server would jump to. */
const MOST_PLACES = 3;

export const nearDefinitions: Baseline = ({ corpus, facts, cursor }) => {
  const { path, prefix, suffix } = cursor;
  const family = corpus.files.get(path)?.family ?? "other";
  const before = prefix
    .split("\n")
    .slice(-LINES_BEFORE - 1)
    .reverse();
  const after = suffix.split("\n").slice(1, LINES_AFTER + 1);
  const names = new Set([...before, ...after].flatMap((line) => codeIdentifiers(line, family).reverse()));
  const folder = posix.dirname(path);
  return [...names].flatMap((name) => {
    const sites = facts.definitionsOf(name, family);
    // Where the open file defines it, that is where a language server leads.
    if (sites.some((site) => site.path === path)) return [];
    return sites
      .toSorted((a, b) => stepsTo(folder, a) - stepsTo(folder, b))
      .slice(0, sites.length <= MOST_PLACES ? 1 : 0)
      .map(({ path: at, startLine, endLine }) => {
        const last = Math.min(endLine, startLine + MOST_LINES - 1);
        const text =
          corpus.files
            .get(at)
            ?.lines.slice(startLine - 1, last)
            .join("\n") ?? "";
        return { path: at, startLine, endLine: last, text };
      });
  });
};

const stepsTo = (folder: string, { path }: DefinitionSite): number =>
  posix.relative(folder, posix.dirname(path)).split("/").length;
