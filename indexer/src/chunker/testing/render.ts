/** An analysis as text, one line each, so that a test can show all of it. */
import type { FileAnalysis } from "@dhi/core/chunk";
import { languageOf } from "@dhi/core/languages";
import { createAnalyzer } from "../analyze.ts";

const analyzer = await createAnalyzer();

export const analyze = (path: string, text: string): FileAnalysis => analyzer.analyze(text, languageOf(path));

/** `lines export kind container.name: signature`, with `+` for exported. */
export function renderSymbols(path: string, text: string): string {
  return analyze(path, text)
    .symbols.map((s) => {
      const where = `${s.startLine}-${s.endLine} ${s.exported ? "+" : "-"}`;
      return `${where} ${s.kind} ${[s.container, s.name].filter(Boolean).join(" › ")}: ${s.signature}`;
    })
    .join("\n");
}

/** `line kind receiver › name in enclosing`, `-` for none. */
export function renderReferences(path: string, text: string): string {
  return analyze(path, text)
    .references.map((r) => `${r.line} ${r.kind} ${r.receiver ?? "-"} › ${r.name} in ${r.enclosing ?? "-"}`)
    .join("\n");
}

/** `line export specifier: name as local`, with `+` for exported. */
export function renderImports(path: string, text: string): string {
  return analyze(path, text)
    .imports.map((i) => `${i.line} ${i.exported ? "+" : "-"} "${i.specifier}": "${i.name}" as "${i.local}"`)
    .join("\n");
}

/** `lines kind container › name: signature`, `-` for no name. */
export function renderChunks(path: string, text: string): string {
  return analyze(path, text)
    .chunks.map((c) => {
      const name = [c.container, c.name ?? "-"].filter(Boolean).join(" › ");
      return `${c.startLine}-${c.endLine} ${c.kind} ${name}${c.signature === null ? "" : `: ${c.signature}`}`;
    })
    .join("\n");
}

/** Statements of about this many non-blank characters in all, one per line. */
export function statements(weight: number, indent = "  ", semicolon = ";"): string {
  return Array.from(
    { length: Math.ceil(weight / 20) },
    (_, i) => `${indent}touch(argument${100 + i})${semicolon}`,
  ).join("\n");
}
