/** Whose request the code that runs works for: log lines and calls of our other processes carry its id by themselves. */
import { AsyncLocalStorage } from "node:async_hooks";
import { createHash, randomUUID } from "node:crypto";
import { withoutPiecesOf } from "./without-pieces.ts";

export interface RequestContext {
  /** The header {@link REQUEST_ID} of the request and its answer. */
  readonly id: string;
  /** Code that it brought, or that was sent to an engine for it; emptied when it is over. Left out: it has none. */
  readonly code?: string[];
  /** Whether it is over, though something goes on for it. */
  readonly isOver?: boolean;
}

/** Given by a client, or made by the server; the answer has it, too. */
export const REQUEST_ID = "x-request-id";

const contexts = new AsyncLocalStorage<RequestContext>();

/** Whatever `work` starts belongs to the request, also what goes on when it has been answered. */
export const inRequest = <T>(context: RequestContext, work: () => T): T => contexts.run(context, work);

/** @returns `undefined` for what no request has caused, such as a timer of the start */
export const currentRequest = (): RequestContext | undefined => contexts.getStore();

/** Visible ASCII: what a header takes, and no line breaks in a log. */
const HEADER_SAFE = /^[\x21-\x7e]{1,200}$/;

/** @param asked by the client, the first that is an id counts @returns a new one when none is */
export const requestIdOf = (...asked: readonly unknown[]): string =>
  asked.find((id): id is string => typeof id === "string" && HEADER_SAFE.test(id)) ?? randomUUID();

/** As UUIDs are written, alone or with a number behind: long, and of no letters that words could be made of. */
const MADE_UP = /^[0-9a-f-]{16,100}$/i;

/**
 * @returns how logs and traces name a request: by its id, where that can't be anything else; a client is free to put code
 * into an id, so that any other is named by a hash of it
 */
export const loggedId = (id: string): string =>
  MADE_UP.test(id) ? id : `#${createHash("sha256").update(id).digest("hex").slice(0, 16)}`;

/** Has {@link withoutCode} know it, as long as the request goes on. */
export const keepOutOfLogs = (code: string): void => void currentRequest()?.code?.push(code);

/** @returns a server's words for the log, without any 8 characters that stand in code of the request that caused them */
export function withoutCode(words: string): string {
  const { code = [], isOver } = currentRequest() ?? {};
  if (isOver) return "what it said is not known to be without code: the request was over";
  return withoutPiecesOf(code, words);
}
