/** The showcase as text for a terminal. */
import type { ShowcaseResult, Shown } from "./showcase.ts";

export function describeShowcase(result: ShowcaseResult, colour: boolean): string {
  const { workspace, shown, tries, reasons } = result;
  if (shown) return `A completion in ${workspace ?? "this workspace"}:\n\n${describeShown(shown, colour)}`;
  if (!tries)
    return "No completion tried: no call of a function that another file of this workspace defines was found.";
  const why = Object.entries(reasons).map(([reason, count]) => `${count} × ${reason}`);
  return `No confident completion in ${tries} tries (${why.join(", ")}). That is normal for ENGINE=instant in a small repository: it stays silent where it is not sure.`;
}

function describeShown({ candidate, done, worth }: Shown, colour: boolean): string {
  const { path, line, prefix, name, definedIn } = candidate;
  const before = prefix.split("\n").slice(-3);
  const first = line - before.length + 1;
  const [ghost = "", ...ghostRest] = done.completion.split("\n");
  const number = (n: number) => String(n).padStart(6);
  const lines = before.map((text, i) => `${number(first + i)} │ ${text}`);
  const body = [
    ...lines.slice(0, -1),
    `${lines.at(-1)}${ghostText(ghost, colour)}`,
    ...ghostRest.map((text) => `${" ".repeat(6)} │ ${ghostText(text, colour)}`),
  ];
  const { timings, usage } = done;
  const sources = done.sources.map((s) => `${s.path}:${s.startLine}-${s.endLine} (${s.legs.join(", ")})`);
  return [
    `${path}:${line}, ${headline(worth, name, `${definedIn.path}:${definedIn.line}`)}`,
    "",
    ...body,
    "",
    `  sources  ${sources.join("\n           ") || "none"}`,
    `  engine   ${done.engine} (${done.model})${usage.promptTokens === null ? "" : `, ${usage.promptTokens} prompt tokens`}`,
    `  timings  ${ms(timings.total)} in all: retrieval ${ms(timings.retrieval)}, prompt ${ms(timings.prompt)}, engine ${ms(timings.engine)}, post-processing ${ms(timings.postprocess)}`,
  ].join("\n");
}

function headline(worth: number, name: string, place: string): string {
  if (worth === 1) return `where ${name} of ${place} stood; this engine continues otherwise:`;
  return `completed with ${name}, which ${place} defines:`;
}

/** Dim on a terminal, as an editor shows it; in guillemets elsewhere. */
const ghostText = (text: string, colour: boolean) => (colour ? `\u001b[2m${text}\u001b[22m` : `«${text}»`);

const ms = (value: number) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
