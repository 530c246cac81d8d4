/** "Dhi: Explain File": whether completions can see a file, in a sentence or two. */
import type { ExplainResponse } from "@dhi/core/protocol";
import { t } from "../l10n.ts";
import { count } from "../status.ts";

export function explainWords({ path, indexed, chunks, language, detail, hint }: ExplainResponse): string {
  if (!indexed)
    return [t("{0} is not in the index.", path), sentence(detail), sentence(hint ?? "")].join(" ").trim();
  const size = [...(chunks === undefined ? [] : [count(chunks, "chunk")]), ...(language ? [language] : [])];
  return size.length
    ? t("{0} is in the index: {1}.", path, size.join(", "))
    : t("{0} is in the index.", path);
}

function sentence(text: string): string {
  return !text || /[.!?]$/.test(text) ? text : `${text}.`;
}
