import { expect, test } from "vitest";
import { createHashEmbedder } from "./hash-embedder.ts";

const never = new AbortController().signal;
const { embedDocuments, embedQuery } = createHashEmbedder();
const dot = (a: number[], b: number[]) => a.reduce((sum, x, i) => sum + x * b[i]!, 0);

test.each([
  ["code", "export function parseInvoice(lines) { return lines.map(toLine); }"],
  ["nothing", ""],
  ["no terms at all", " \n{}();"],
  ["only common words", "return this;"],
])("gives a unit vector of 768 numbers for %s", async (_, text) => {
  const vector = await embedQuery(text, never);
  expect(vector).toHaveLength(768);
  expect(Math.hypot(...vector)).toBeCloseTo(1, 9);
});

test("gives the same vector for the same text, alone or among others, as document or as query", async () => {
  const [, second] = await embedDocuments(["first()", "second(total)"], never);
  expect(second).toEqual(await embedQuery("second(total)", never));
});

test("keeps its vectors from version to version, since indexes are made of them", async () => {
  const vector = await embedQuery("parseInvoice", never);
  const used = vector.flatMap((x, slot) => (x === 0 ? [] : [`${slot}:${x.toFixed(4)}`]));
  expect(used).toMatchInlineSnapshot(`
    [
      "33:0.6201",
      "333:0.4806",
      "525:0.6201",
    ]
  `);
});

test("puts the chunk that shares names with the query before the one that shares keywords", async () => {
  const [names, keywords] = await embedDocuments(
    [
      "def settle_invoice(ledger, invoice):\n    ledger.post(invoice.total)",
      "export async function run() { if (this.x) return await new Y(); else throw null; }",
    ],
    never,
  );
  const query = await embedQuery(
    "export async function settleInvoice(ledger) { if (x) return await new Y",
    never,
  );
  expect(dot(query, names!)).toBeGreaterThan(dot(query, keywords!));
});

test("repeats count less than linearly", async () => {
  const [once, often] = await embedDocuments(["ledger invoice", `${"ledger ".repeat(50)}invoice`], never);
  const query = await embedQuery("invoice", never);
  expect(dot(query, often!)).toBeGreaterThan(dot(query, once!) / 5);
});

test("stops for a signal that has fired", async () => {
  const gone = AbortSignal.abort();
  await expect(embedDocuments(["x"], gone)).rejects.toBe(gone.reason);
  await expect(embedQuery("x", gone)).rejects.toBe(gone.reason);
});
