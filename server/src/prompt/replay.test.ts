import { promptRequest } from "@dhi/core/protocol";
import { expect, test } from "vitest";
import type { Snippet } from "../retrieval/snippet.ts";
import { snippet } from "../testing/snippets.ts";
import { buildPrompt } from "./build-prompt.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import { type FimFormat, formatById } from "./fim-format.ts";
import { createLayouts } from "./layouts.ts";

const above = Array.from({ length: 120 }, (_, i) => `const price${i} = round(order${i}.price);\n`).join("");
const below = `\n}\n\n${Array.from({ length: 40 }, (_, i) => `export const line${i} = ${i};\n`).join("")}`;
const typed = `const invoice = openInvoice(order);
  for (const line of order.lines) {
    invoice.add(line.price, line.quantity);
    total += line.price * line.quantity;
  }
  if (total > limit) throw new Error("too much");
  return invoice.close(total);`;

/** Prefixes of a function as it is typed: forward, with a word mistyped and deleted again now and then. */
function* keystrokes(): Generator<string> {
  const start = `${above}export function bill(order: Order): Invoice {\n  `;
  for (let i = 1; i <= typed.length; i++) {
    yield start + typed.slice(0, i);
    if (i % 40 === 0) for (const wrong of ["x", "xy", "x", ""]) yield start + typed.slice(0, i) + wrong;
  }
}

/** As retrieval answers: in another order with each keystroke, and with each line some of it goes and something else comes. */
function found(prefix: string, keystroke: number): Snippet[] {
  const line = prefix.split("\n").length;
  const definitions = ["openInvoice", "Order", "Invoice", "add", "close", "limit"].map((name, i) =>
    snippet(
      `lib/${name}.ts`,
      `export function ${name}(${name}Options) {\n  return ${name}Store.get(${name}Options);\n}`,
      {
        ...{ legs: ["definitions"], signature: `function ${name}(${name}Options)` },
        rank: (i + keystroke) % 6,
      },
    ),
  );
  const uses = Array.from({ length: 14 }, (_, i) => line + i).map((n, i) =>
    snippet(
      `app/use${n}.ts`,
      Array.from({ length: 9 }, (_, l) => `handler${n}.step${l}(request${n});`).join("\n"),
      { ...{ legs: [n % 2 ? "lexical" : "vector"] }, rank: (i + keystroke * 3) % 14 },
    ),
  );
  return [...definitions, ...uses];
}

function sharedLength(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}

/** @returns of each prompt the share of its tokens that are a prefix it shares with the one before */
function replay(format: FimFormat, budgetTokens: number): number[] {
  const layouts = createLayouts();
  let last: string | undefined;
  const shares: number[] = [];
  let keystroke = 0;
  for (const prefix of keystrokes()) {
    const request = promptRequest.parse({ path: "src/bill.ts", sessionId: "window", prefix, suffix: below });
    const before = layouts.before(request);
    const built = buildPrompt({
      ...{
        request,
        snippets: found(prefix, keystroke++),
        format,
        mode: "rag",
        budgetTokens,
        repoName: "shop",
      },
      ...(before && { before }),
    });
    layouts.keep(request, built);
    if (last !== undefined) {
      const shared = built.prompt.slice(0, sharedLength(built.prompt, last));
      shares.push(estimateTokens(shared, format) / estimateTokens(built.prompt, format));
    }
    last = built.prompt;
  }
  return shares;
}

test.each<[string, number]>([
  ["refact", 0.9],
  ["codestral", 0.9],
  ["qwen", 0.9],
  ["codellama", 0.9],
])(
  "%s: over 200 keystrokes in a function, at least %d of a prompt is the start of the one before",
  (id, least) => {
    const shares = replay(formatById(id)!, 2048);
    expect(shares.length).toBeGreaterThanOrEqual(200);
    // The prefix window moves by a hop for every 256 tokens that are typed; here that is a third of one.
    expect(shares.filter((share) => share < least).length).toBeLessThanOrEqual(1);
  },
);
