/** "Dhi: Show Last Prompt": what the model was given, part by part, and where each snippet comes from. */
import type { PromptResponse } from "@dhi/core/protocol";
import { t } from "../l10n.ts";
import { count } from "../status.ts";
import { type Page, pageWriter } from "./page.ts";

export interface PromptOf {
  readonly workspace?: string | undefined;
  readonly path: string;
}

export function promptPage(of: PromptOf, answer: PromptResponse): Page {
  const { prompt, format, sources, parts, tokens, timings, late } = answer;
  const workspace = of.workspace === undefined ? {} : { workspace: of.workspace };
  const page = pageWriter();
  page.line(`# ${t("What the model was given")}`);
  page.line();
  page.line(
    t("For {0}: about {1}, format {2}.", of.path, count(tokens, "token"), format) +
      ` ${t("Finding code took {0} ms, writing the prompt {1} ms.", ms(timings.retrieval), ms(timings.prompt))}`,
  );
  page.line(t("Put together anew for the last request: what has changed since then shows here."));
  if (late.length) page.line(t("Not ready in time: {0}.", late.join(", ")));
  page.line();
  page.line(`## ${t("From other files, the likeliest first")}`);
  page.line();
  if (!sources.length) page.line(t("Nothing: the prompt holds this file alone."));
  for (const { path, startLine, endLine, legs, tokens: size, form } of sources) {
    page.add("- ");
    page.link(`${path}:${startLine}-${endLine}`, { file: { ...workspace, path }, startLine, endLine });
    const how = form === "signature" ? t("heads of definitions") : t("code");
    page.line(`  ${how}, ${count(size, "token")}, ${t("found by {0}", legs.join(", "))}`);
  }
  page.line();
  page.line(`## ${t("The prompt")}`);
  page.line();
  const shares = parts.reduce(
    (sums, { kind, tokens: size }) => sums.set(kind, (sums.get(kind) ?? 0) + size),
    new Map<string, number>(),
  );
  page.line([...shares].map(([kind, size]) => `${kind} ${size}`).join(" · "));
  page.line();
  const fence = fenceFor(prompt);
  page.line(fence);
  page.line(prompt);
  page.line(fence);
  return page.page();
}

const ms = (value: number): string => String(Math.round(value));

/** Longer than any row of backticks in the text, as Markdown wants it. */
function fenceFor(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  return "`".repeat(longest + 1);
}
