/** The wire of what the index knows of names: definitions, callers and members. As `protocol.ts`, which has the rest. */
import { z } from "zod";
import { path, text, workspace } from "./wire-fields.ts";

const answerLimit = z.coerce.number().int().min(1).max(200).default(50).describe("Most to answer with");

export const symbolsRequest = z.object({
  workspace,
  name: text.min(1).max(200).describe("All of it, such as total; upper and lower case count"),
  limit: answerLimit,
});
export type SymbolsRequest = z.infer<typeof symbolsRequest>;

const symbol = z.object({
  name: z.string(),
  kind: z.string(),
  signature: z.string(),
  container: z.string().nullable().describe("Names of what encloses it, outermost first, joined by a dot"),
  path: z.string(),
  startLine: z.int(),
  endLine: z.int(),
  exported: z.boolean(),
});
export const symbolsResponse = z.object({ symbols: z.array(symbol) });
export type SymbolsResponse = z.infer<typeof symbolsResponse>;

export const callersRequest = z.object({
  workspace,
  path,
  name: text
    .min(1)
    .max(500)
    .describe("What the file defines, such as total, or Invoice.total when it has several"),
  limit: answerLimit,
});
export type CallersRequest = z.infer<typeof callersRequest>;

const edge = {
  line: z.int().describe("Of the use"),
  kind: z.enum(["call", "type", "inherit"]),
  confidence: z
    .enum(["exact", "imported", "name"])
    .describe("In scope or imported by name; through a namespace, re-export or type; the same name only"),
};
export const callersResponse = z.object({
  definitions: z.array(symbol).describe("What the name means in the file: several for overloads"),
  callers: z
    .array(
      z.object({
        path: z.string(),
        ...edge,
        enclosing: z.string().nullable().describe("The definition around the use; null at the top level"),
      }),
    )
    .describe("Surest first"),
  callees: z
    .array(
      z.object({
        path: z.string(),
        name: z.string(),
        container: z.string().nullable(),
        startLine: z.int().describe("Of the definition"),
        ...edge,
      }),
    )
    .describe("What the first of the definitions uses, surest first"),
});
export type CallersResponse = z.infer<typeof callersResponse>;

export const membersRequest = z.object({
  workspace,
  path,
  expression: text
    .min(1)
    .max(2_000)
    .describe("What stands before the dot, such as this.items[0], or one name"),
  line: z.coerce.number().int().min(1).default(Number.MAX_SAFE_INTEGER).describe("Default: the last one"),
});
export type MembersRequest = z.infer<typeof membersRequest>;
export const membersResponse = z.object({
  type: z.string().nullable().describe("null when nothing is known of the expression"),
  signature: z.string().nullable().describe("How a name is declared, also an imported one"),
  from: z
    .enum(["typescript", "symbols", "nothing"])
    .describe("TypeScript's language service; a guess from the index's symbols"),
  members: z.array(z.object({ name: z.string(), kind: z.string(), signature: z.string() })),
});
export type MembersResponse = z.infer<typeof membersResponse>;
