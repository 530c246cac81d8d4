/** A server that did not do what it was asked, in its own words where it has some. */
import type { ErrorResponse } from "@dhi/core/protocol";

/** `message` and `hint` are for a person. */
export class ServerError extends Error {
  readonly status: number;
  /** What to do about it, as far as the server knows. */
  readonly hint: string | undefined;

  constructor(status: number, message: string, hint?: string) {
    super(message);
    this.status = status;
    this.hint = hint;
  }
}

/** @returns what an answer that is no success says; its status, where somebody else answers, such as a proxy in between */
export async function errorWords(
  answer: Pick<Response, "status" | "statusText" | "text">,
): Promise<Pick<ServerError, "message" | "hint">> {
  const { error } = parsed(await answer.text().catch(() => ""));
  if (error?.message) return { message: error.message, hint: error.hint };
  return { message: `${answer.status} ${answer.statusText}`.trim(), hint: undefined };
}

function parsed(text: string): Partial<ErrorResponse> {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}
