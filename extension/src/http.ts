/**
 * HTTP as an extension host can have it for little. VS Code puts a `fetch` of its own in place of Node's, which opens a
 * connection per call and takes several times what all else does at a key (docs/bench/extension.md).
 */
import { Agent, ClientRequest, type IncomingMessage, type RequestOptions, request } from "node:http";
import { Agent as TlsAgent, request as tlsRequest } from "node:https";

export interface HttpCall {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** The part of the standard `Response` that is used. Redirects are not followed. */
export interface HttpAnswer {
  readonly status: number;
  readonly statusText: string;
  /** Empty when the server does not say. */
  readonly contentType: string;
  /** As it arrives. Whoever stops early leaves the connection open until the server ends the answer, or the signal fires. */
  readonly body: AsyncIterable<Uint8Array>;
  /** @throws as reading `body` does, when the connection breaks off */
  text(): Promise<string>;
  /** It is not read: the connection is closed. */
  discard(): void;
}

/** Kept open from one key to the next. */
const agent = new Agent({ keepAlive: true });
const tlsAgent = new TlsAgent({ keepAlive: true });

/**
 * @param signal closes the connection whenever it fires, after the answer too
 * @throws Node's own error when nothing answers, or the URL is none
 */
export async function send(url: string, call: HttpCall, signal: AbortSignal): Promise<HttpAnswer> {
  const to = new URL(url);
  for (;;) {
    try {
      return await sent(to, call, signal);
    } catch (error) {
      // The server closed it in the moment it was used again, and has read nothing. Each such one is gone then, and at the
      // latest a new connection says how it is.
      if (!(error instanceof StaleConnection) || signal.aborted) throw error;
    }
  }
}

class StaleConnection extends Error {}

function sent(url: URL, { method, headers, body }: HttpCall, signal: AbortSignal): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const stop = () => asked.destroy();
    const asked = newRequest(url, { method, headers: { ...headers, connection: "keep-alive" } });
    asked.once("response", (answer) => resolve(answerOf(answer)));
    // It may fail once more when the answer is there already, and nobody listening would end the extension host.
    asked.on("error", (error: NodeJS.ErrnoException) => {
      const isStale = asked.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
      reject(isStale ? new StaleConnection(error.message, { cause: error }) : error);
    });
    asked.once("close", () => signal.removeEventListener("abort", stop));
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    asked.end(body);
  });
}

/**
 * VS Code's `request` looks for a proxy at each call. Nobody has one for the machine itself, so there the class is used that
 * Node's `request` makes one of.
 */
function newRequest(url: URL, options: RequestOptions): ClientRequest {
  if (url.protocol === "https:") return tlsRequest(url, { ...options, agent: tlsAgent });
  if (!isLoopback(url.hostname)) return request(url, { ...options, agent });
  const { port, pathname, search } = url;
  // An IPv6 address stands in brackets in a URL only.
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return new ClientRequest({ ...options, host, port: port || 80, path: pathname + search, agent });
}

export const isLoopback = (hostname: string): boolean =>
  /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);

function answerOf(message: IncomingMessage): HttpAnswer {
  const { statusCode = 0, statusMessage = "", headers } = message;
  return {
    status: statusCode,
    statusText: statusMessage,
    contentType: headers["content-type"] ?? "",
    body: { [Symbol.asyncIterator]: () => piecesOf(message) },
    async text() {
      const pieces: Uint8Array[] = [];
      for await (const piece of piecesOf(message)) pieces.push(piece);
      return Buffer.concat(pieces).toString("utf8");
    },
    discard: () => message.destroy(),
  };
}

async function* piecesOf(message: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* message.iterator({ destroyOnReturn: false });
  } finally {
    // Nobody listens any more; what is left has to be read all the same before the connection can be used again.
    message.on("error", () => {}).resume();
  }
}
