/** "Dhi: Doctor" as a page: one block per check, what is wrong first to be seen, and what to do about it. */
import type { Check } from "@dhi/core/config-protocol";
import { t } from "../l10n.ts";
import { type Page, pageWriter } from "./page.ts";

export interface Section {
  readonly title: string;
  readonly checks: readonly Check[];
}

const MARKS = { ok: "✓", warn: "!", fail: "✗" } as const;

export function doctorPage(sections: readonly Section[]): Page {
  const page = pageWriter();
  page.line("# Dhi: Doctor");
  page.line();
  page.line(verdict(sections.flatMap(({ checks }) => checks)));
  for (const { title, checks } of sections) {
    page.line();
    page.line(`## ${title}`);
    page.line();
    for (const { status, title: name, detail, fix } of checks) {
      page.line(`${MARKS[status]} ${name}: ${oneLine(detail)}`);
      for (const line of fix?.split("\n") ?? []) page.line(`      ${line}`);
    }
  }
  page.line();
  page.link(t("Check again"), { command: "dhi.doctor" });
  page.add("   ");
  page.link(t("Settings"), { command: "workbench.action.openSettings", arguments: ["dhi."] });
  page.add("   ");
  page.link(t("Output"), { command: "dhi.showOutput" });
  page.line();
  return page.page();
}

function verdict(checks: readonly Check[]): string {
  const failed = checks.filter(({ status }) => status === "fail").length;
  const warned = checks.filter(({ status }) => status === "warn").length;
  if (failed) return t("{0} of {1} checks failed. What to do stands below each.", failed, checks.length);
  if (warned) return t("It works. {0} of {1} checks have a remark.", warned, checks.length);
  return t("All {0} checks passed.", checks.length);
}

const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, " ");
