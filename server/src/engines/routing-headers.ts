/**
 * Headers for the routers that teams put in front of several servers, so that an editor session stays where its prompts
 * are cached.
 *
 * - production-stack (`--session-key`) and SGLang's gateway (`x-smg-routing-key`) hash a header whose name the operator
 *   chooses.
 * - llm-d's session affinity answers with `x-session-token` and wants it back with the session's next request.
 * - `x-request-id` is passed on by most, into the server's own log.
 */
import type { FimRequest } from "@dhi/core/protocol";

export interface Routing {
  headersFor(request: Who): Record<string, string>;
  /** @param headers of the answer */
  remember(request: Who, headers: Headers): void;
}

type Who = Pick<FimRequest, "sessionId" | "requestId">;

const TOKEN = "x-session-token";
/** An editor window that is gone leaves its token behind. */
const MOST_TOKENS = 1_000;

export function createRouting(sessionHeader: string): Routing {
  /** By session, heard from longest ago first. */
  const tokens = new Map<string, string>();
  return {
    headersFor({ sessionId, requestId }) {
      const token = sessionId === undefined ? undefined : tokens.get(sessionId);
      return {
        ...(token !== undefined && { [TOKEN]: token }),
        ...(sessionId !== undefined && { [sessionHeader]: headerValue(sessionId) }),
        ...(requestId !== undefined && { "x-request-id": headerValue(requestId) }),
      };
    },
    remember({ sessionId }, headers) {
      const token = headers.get(TOKEN);
      if (sessionId === undefined || token === null) return;
      tokens.delete(sessionId);
      tokens.set(sessionId, token);
      const [oldest] = tokens.keys();
      if (tokens.size > MOST_TOKENS && oldest !== undefined) tokens.delete(oldest);
    },
  };
}

/** A client may call its session as it likes, a line break or an ö included; a header may not. */
const headerValue = (id: string): string => encodeURIComponent(id);
