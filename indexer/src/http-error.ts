/** Everything that can go wrong with a request → status, code and words. */
import { badRequest, HttpError } from "@dhi/core/http-error";
import { ZodError } from "zod";
import { storageProblem } from "./storage-problem.ts";

export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof ZodError) return badRequest(error);
  // body-parser's errors carry `type` and `status` (its README, "Errors").
  if (error instanceof Error && "type" in error && "status" in error && typeof error.status === "number")
    return new HttpError(error.status, String(error.type).replaceAll(".", "_"), error.message);
  const problem = storageProblem(error, "the index");
  if (problem) return new HttpError(503, `index_${problem.kind.replace("-", "_")}`, problem.words);
  return new HttpError(500, "internal", error instanceof Error ? error.message : String(error));
}
