/** What a check found, as text. */
import { relative } from "node:path";
import type { CheckResult, Violation } from "./check.ts";

/** Violations that are shown of each kind. */
const EXAMPLES = 3;
/** Characters of code around a violation. */
const AROUND = 120;

export function checkReport({
  cursors,
  outputs,
  shown,
  reasons,
  truth,
  violations,
  ms,
}: CheckResult): string {
  const count = (n: number) => n.toLocaleString("en-US");
  const places = Object.values(cursors).reduce((sum, n) => sum + n, 0);
  const languages = Object.entries(cursors).map(([language, n]) => `${language} ${count(n)}`);
  const all = new Map<string, number>();
  for (const counts of reasons.values())
    for (const [reason, n] of counts) all.set(reason, (all.get(reason) ?? 0) + n);
  const byCount = [...all].sort(([, a], [, b]) => b - a);
  return [
    `${count(places)} cursors: ${languages.join(", ")}`,
    `${count(outputs)} outputs of ${reasons.size} kinds, ${count(shown)} shown`,
    `by reason: ${byCount.map(([reason, n]) => `${reason} ${count(n)}`).join(", ")}`,
    `of the truth itself: ${count(truth.whole)} shown whole, ${count(truth.cut)} cut, ${count(truth.dropped)} dropped`,
    `processor time: p50 ${ms.p50.toFixed(2)} ms, p95 ${ms.p95.toFixed(2)} ms, most ${ms.max.toFixed(1)} ms`,
    `${count(violations.length)} violations`,
    ...[...groups(violations)].flatMap(([kind, found]) => [
      `\n${kind}: ${count(found.length)}`,
      ...found.slice(0, EXAMPLES).map(example),
    ]),
  ].join("\n");
}

function groups(violations: readonly Violation[]): ReadonlyMap<string, readonly Violation[]> {
  const found = new Map<string, Violation[]>();
  for (const violation of violations) {
    const kind = kindOf(violation);
    const group = found.get(kind) ?? [];
    found.set(kind, group);
    group.push(violation);
  }
  return found;
}

const kindOf = ({ invariant, hostile }: Violation): string => `not so: ${invariant} (${hostile})`;

const example = ({ cursor, output, text }: Violation): string =>
  [
    `  ${relative(process.cwd(), cursor.path)}, ${cursor.kind}`,
    `    before ${JSON.stringify(cursor.prefix.slice(-AROUND))}`,
    `    truth  ${JSON.stringify(cursor.truth.slice(0, AROUND))}`,
    `    after  ${JSON.stringify(cursor.suffix.slice(0, AROUND))}`,
    `    output ${JSON.stringify(output.slice(0, 2 * AROUND))}`,
    `    shown  ${JSON.stringify(text.slice(-2 * AROUND))}`,
  ].join("\n");
