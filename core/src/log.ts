/** One logger per process: JSON lines when a machine reads them, `time level message key=value` when a person does. */
import { Writable } from "node:stream";
import pino, { type Logger, type LoggerOptions } from "pino";
import { currentRequest, loggedId } from "./request-context.ts";

export type { Logger };

/** Lines that a request causes carry its `requestId`. */
export function createLogger(
  name: string,
  level: string,
  out: NodeJS.WritableStream & { readonly isTTY?: boolean } = process.stdout,
): Logger {
  const options: LoggerOptions = { name, level, mixin: ofRequest };
  return out.isTTY ? pino(options, readable(out)) : pino(options, out);
}

function ofRequest(): object {
  const request = currentRequest();
  return request ? { requestId: loggedId(request.id) } : {};
}

const hidden = new Set(["level", "time", "pid", "hostname", "name", "msg"]);

function readable(out: NodeJS.WritableStream): Writable {
  return new Writable({
    write(line: Buffer, _encoding, done) {
      const entry = JSON.parse(line.toString()) as Record<string, unknown> & { level: number; time: number };
      const fields = Object.entries(entry)
        .filter(([key]) => !hidden.has(key))
        .map(([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`);
      const time = new Date(entry.time).toISOString().slice(11, 19);
      out.write(`${[time, pino.levels.labels[entry.level], entry.name, entry.msg, ...fields].join(" ")}\n`);
      done();
    },
  });
}
