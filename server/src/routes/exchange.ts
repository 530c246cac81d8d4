/** What every route does with a request and its answer. */
import type { Response } from "express";
import type { z } from "zod";

/** @throws {z.ZodError} that names every bad field; `app.ts` makes it a 400 */
export const parse = <T extends z.ZodType>(schema: T, body: unknown): z.infer<T> => schema.parse(body);

/** Fires when the client hangs up before it has its answer. */
export function signalOf(response: Response): AbortSignal {
  const controller = new AbortController();
  response.on("close", () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
