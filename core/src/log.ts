/** One logger per process: JSON lines when a machine reads them, `time level message key=value` when a person does. */
import { Writable } from "node:stream";
import pino, { type Logger } from "pino";

export type { Logger };

export function createLogger(name: string, level: string, out: NodeJS.WriteStream = process.stdout): Logger {
  return out.isTTY ? pino({ name, level }, readable(out)) : pino({ name, level }, out);
}

const hidden = new Set(["level", "time", "pid", "hostname", "name", "msg"]);

function readable(out: NodeJS.WriteStream): Writable {
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
