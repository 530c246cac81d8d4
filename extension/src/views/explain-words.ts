/** "Dhi: Explain File": whether completions can see a file, in a sentence or two. */
import type { ExplainResponse } from "@dhi/core/protocol";
import { t } from "../l10n.ts";
import { count } from "../status.ts";

export function explainWords({ path, indexed, chunks, language, detail, hint }: ExplainResponse): string {
  const head = indexed ? t("{0} is in the index.", path) : t("{0} is not in the index.", path);
  const size =
    indexed && chunks !== undefined ? [count(chunks, "chunk") + (language ? `, ${language}` : "")] : [];
  return [head, ...[...size, detail, hint ?? ""].filter(Boolean).map(sentence)].join(" ");
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
