/** What the model said, kept between runs: reading a prompt takes seconds, and most prompts are the same next time. */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";

export interface NatsStore {
  get(key: string): readonly number[] | undefined;
  /** On the disk when it returns. */
  put(key: string, nats: readonly number[]): void;
}

/**
 * @param file one JSON array of key and nats a line; made when there is something to keep. Lines that a killed run left
 *   incomplete are as if they were not there.
 */
export function openNatsStore(file: string): NatsStore {
  const known = new Map<string, readonly number[]>();
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  for (const line of text.split("\n")) {
    const row = readRow(line);
    if (row) known.set(...row);
  }
  // Else the first new line would be appended to the incomplete one.
  let start = text === "" || text.endsWith("\n") ? "" : "\n";
  return {
    get: (key) => known.get(key),
    put(key, nats) {
      known.set(key, nats);
      mkdirSync(dirname(file), { recursive: true });
      appendFileSync(file, `${start}${JSON.stringify([key, nats.map(rounded)])}\n`);
      start = "";
    },
  };
}

/** The same prompt read in other batches differs in the fourth digit. */
const rounded = (nats: number): number => Number(nats.toFixed(5));

function readRow(line: string): [string, number[]] | undefined {
  if (!line) return undefined;
  try {
    const row: unknown = JSON.parse(line);
    return isRow(row) ? row : undefined;
  } catch {
    return undefined;
  }
}

const isRow = (row: unknown): row is [string, number[]] =>
  Array.isArray(row) &&
  row.length === 2 &&
  typeof row[0] === "string" &&
  Array.isArray(row[1]) &&
  row[1].every((n) => typeof n === "number");
