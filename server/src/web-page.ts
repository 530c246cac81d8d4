/** The page at `/`: files that `web/` builds. They hold nothing of the workspace, so they need no token. */
import { existsSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { HttpError } from "@dhi/core/http-error";
import { type NextFunction, type Request, type Response, Router } from "express";

const BUILT = fileURLToPath(new URL("../../web/dist/page", import.meta.url));

/**
 * Everything comes from this server, and no script stands in the page. Styles may: the editor places its lines with `style`
 * attributes and makes a style sheet of its theme's colours.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "connect-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Names of built files carry a hash of their content. */
const FOREVER = "public, max-age=31536000, immutable";

/** @param dir what `npm run build -w web` made; it may come later, or again */
export function webPage(dir = BUILT): Router {
  const router = Router();
  router.get("/", (request, response, next) => {
    if (!existsSync(join(dir, "index.html")))
      throw new HttpError(
        503,
        "page_not_built",
        "the page of this server is not built",
        "npm start builds it; so does npm run build -w web. The API works without it.",
      );
    response.set({ "content-security-policy": POLICY, "cache-control": "no-cache" });
    send({ dir, name: "index.html" }, request, response, next);
  });
  router.get("/assets/:name", (request, response, next) => {
    response.set("cache-control", FOREVER);
    send({ dir: join(dir, "assets"), name: request.params.name }, request, response, next);
  });
  return router;
}

/** The compressed file that the build put beside it goes to those who can read it. */
function send(
  file: { readonly dir: string; readonly name: string },
  request: Request,
  response: Response,
  next: NextFunction,
): void {
  const { dir, name } = file;
  response.set({
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    vary: "accept-encoding",
  });
  const packed =
    request.acceptsEncodings("gzip") && /^[\w.-]+$/.test(name) && existsSync(join(dir, `${name}.gz`));
  if (packed) response.type(extname(name)).set("content-encoding", "gzip");
  response.sendFile(packed ? `${name}.gz` : name, { root: dir, cacheControl: false }, (error) => {
    if (!error) return;
    // Begun already, as by somebody who reloads the page while it loads: no other answer can be given.
    if (response.headersSent) {
      response.destroy();
      return;
    }
    for (const header of ["content-encoding", "content-type", "cache-control"]) response.removeHeader(header);
    // Not there: the same answer as for every other path that is not.
    next("status" in error && error.status === 404 ? undefined : error);
  });
}
