import { formatById } from "@dhi/server/prompt/fim-format";
import { render } from "@dhi/server/prompt/render";
import { expect, test } from "vitest";
import { countTokens, EVAL_FORMAT, packInto, snippetTokens } from "./tokens.ts";

const text = "export function formatCents(cents: number): string {\n  return `€ ` + cents / 100;\n}\n";

test("a snippet costs what the server counts for it", () => {
  const snippet = { path: "src/money.ts", text };
  const pieces = render({
    ...{ format: formatById(EVAL_FORMAT)!, commentMark: "//", path: "src/invoice.ts" },
    ...{ files: [snippet], prefix: "", suffix: "" },
  });
  const costs = pieces.filter(({ kind }) => kind === "snippet").map((piece) => countTokens(piece.text));
  expect(costs).toEqual([snippetTokens(snippet)]);
});

test("packs from the front and goes on behind one that does not fit", () => {
  const [small, large, last] = [
    { path: "a", text: "a" },
    { path: "b", text: text.repeat(20) },
    { path: "c", text: "c" },
  ];
  const room = snippetTokens(small) + snippetTokens(last);
  expect(packInto(room, [small, large, last])).toEqual([small, last]);
  expect(packInto(room - 1, [small, large, last])).toEqual([small]);
});
