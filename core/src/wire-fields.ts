/** Fields that many requests have. */
import { z } from "zod";

/**
 * Text that may come from an editor: no NUL (SQLite and git would cut there) and no lone surrogate (has no UTF-8 form,
 * so the index, the prompt and the engine would each see something else).
 */
export const text = z
  .string()
  .refine((s) => !s.includes("\0"), "contains a NUL byte")
  .refine((s) => s.isWellFormed(), "contains a lone surrogate");

export const workspace = text.max(200).optional().describe("Its name; may be left out when there is one");
export const path = text.min(1).max(4096).describe("Relative to the workspace, with / on every platform");
