/** Everything that can go wrong with a request → status, code and words. */
import { badRequest, HttpError } from "@dhi/core/http-error";
import { ZodError } from "zod";
import { storageProblem } from "./storage-problem.ts";
import { WorkspaceError } from "./workspace-root.ts";

export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof ZodError) return badRequest(error);
  // Express' errors carry `status`, and body-parser's mostly `type` too (its README, "Errors").
  if (error instanceof Error && "status" in error && typeof error.status === "number") {
    const type = "type" in error ? String(error.type) : "bad_request";
    return new HttpError(error.status, type.replaceAll(".", "_"), error.message);
  }
  if (error instanceof WorkspaceError) return new HttpError(503, "workspace_failed", error.message);
  const problem = storageProblem(error, "the index");
  if (problem) return new HttpError(503, `index_${problem.kind.replace("-", "_")}`, problem.words);
  return new HttpError(500, "internal", error instanceof Error ? error.message : String(error));
}
