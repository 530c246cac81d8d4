/** A stream of JSON events. Headers wait for the first one, so that what fails before it still gets a status of its own. */
import type { Response } from "express";

export interface EventWriter {
  send(event: object): void;
  end(): void;
}

export function serverSentEvents(response: Response): EventWriter {
  return {
    send(event) {
      if (response.destroyed) return;
      if (!response.headersSent) {
        response.writeHead(200, {
          "content-type": "text/event-stream; charset=utf-8",
          "cache-control": "no-store",
          "x-accel-buffering": "no",
        });
      }
      response.write(`data: ${JSON.stringify(event)}\n\n`);
    },
    end() {
      response.end();
    },
  };
}
