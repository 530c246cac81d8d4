/** Keeps web pages out: a page must not read the user's code through DNS rebinding or a cross-site request. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

export interface GuardOptions {
  /** Host names besides the loopback ones under which this server may be asked, and whose pages may; without port, in any case. */
  readonly allowedHosts: readonly string[];
  /** The same for names whose pages may not, but for its own: others of that machine are strangers' pages. */
  readonly ownHosts?: readonly string[];
  /** Required as `Authorization: Bearer …` when set. */
  readonly token?: string | undefined;
}

export interface Refusal {
  readonly status: 401 | 403;
  readonly code: "foreign_host" | "foreign_origin" | "unauthorized";
  readonly message: string;
  readonly hint: string;
}

/** @returns why the request is refused, or `undefined` when it may pass */
export function refuseForeign(
  request: IncomingMessage,
  { allowedHosts, ownHosts = [], token }: GuardOptions,
): Refusal | undefined {
  const isNamed = ({ hostname }: URL, names = allowedHosts) =>
    names.some((name) => withoutBrackets(name.toLowerCase()) === withoutBrackets(hostname));
  const asked = urlOf(`http://${request.headers.host ?? ""}`);
  if (!asked?.hostname || !(LOOPBACK.test(asked.hostname) || isNamed(asked) || isNamed(asked, ownHosts))) {
    return {
      status: 403,
      code: "foreign_host",
      message: `Host "${request.headers.host ?? ""}" is not this server`,
      hint: "Ask it as 127.0.0.1 or localhost, or add the name to DHI_ALLOWED_HOSTS.",
    };
  }
  const { origin } = request.headers;
  // VS Code's webviews and extensions send their own schemes; only web pages send http(s) or null.
  if (origin && (origin === "null" || /^https?:/i.test(origin))) {
    const from = urlOf(origin);
    // With its port: what another server of this machine shows is a stranger's page.
    if (!from || !(from.host === asked.host || isNamed(from))) {
      return {
        status: 403,
        code: "foreign_origin",
        message: `a page of "${origin}" may not ask this server`,
        hint: "Only pages served by this server itself, or hosts in DHI_ALLOWED_HOSTS, may.",
      };
    }
  }
  // What a page fetches without being told the answer (a picture, a script, a frame) names no origin.
  if (!origin && isPartOfForeignPage(request)) {
    return {
      status: 403,
      code: "foreign_origin",
      message: "a page of another server may not ask this one",
      hint: "Only pages served by this server itself may; a link to it may be followed.",
    };
  }
  if (token && !isSame(request.headers.authorization ?? "", `Bearer ${token}`)) {
    return {
      status: 401,
      code: "unauthorized",
      message: "this server wants a token",
      hint: "Send Authorization: Bearer <DHI_TOKEN>.",
    };
  }
  return undefined;
}

/** As browsers say of each request; other programs say nothing. Another port of the same host is another page. */
function isPartOfForeignPage({ headers }: IncomingMessage): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== "cross-site" && site !== "same-site") return false;
  return headers["sec-fetch-mode"] !== "navigate" || headers["sec-fetch-dest"] !== "document";
}

/** An IPv6 address has them in a URL, and none where a server is told to listen at it. */
const withoutBrackets = (name: string): string => name.replace(/^\[(.*)\]$/, "$1");

/** Takes as long for a guess that is nearly right as for any other. */
const isSame = (a: string, b: string): boolean => timingSafeEqual(sha256(a), sha256(b));
const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest();

const urlOf = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);
