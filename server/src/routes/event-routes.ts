/** What became of suggestions. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { eventsExportRequest, eventsRequest, statsRequest } from "@dhi/core/events-protocol";
import { isAbortError } from "@dhi/core/upstream-error";
import { type Router, Router as router } from "express";
import type { Events } from "../events/events.ts";
import { linesOf } from "../events/export-lines.ts";
import { parse, signalOf } from "./exchange.ts";

export function eventRoutes(events: Events): Router {
  const routes = router();
  routes.post("/v1/events", (request, response) => {
    const { events: sent } = parse(eventsRequest, request.body);
    response.json({ stored: events.store(sent) });
  });
  routes.get("/v1/events", async (request, response) => {
    const { days, format } = parse(eventsExportRequest, request.query);
    response.type(format === "csv" ? "text/csv" : "application/x-ndjson");
    const lines = Readable.from(linesOf(events.rows(days), format));
    await pipeline(lines, response, { signal: signalOf(response) }).catch((error: unknown) => {
      // Who hangs up has read enough.
      if (!isAbortError(error) && !response.destroyed) throw error;
    });
  });
  routes.get("/v1/stats", (request, response) => {
    response.json(events.stats(parse(statsRequest, request.query).days));
  });
  return routes;
}
