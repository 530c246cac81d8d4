/** Stored events as lines of text: JSON, or CSV (RFC 4180) with a header. */
import { type StoredEvent, storedEvent } from "@dhi/core/events-protocol";

const COLUMNS = storedEvent.keyof().options;

export function* linesOf(events: Iterable<StoredEvent>, format: "jsonl" | "csv"): Generator<string> {
  if (format === "csv") yield `${COLUMNS.join(",")}\r\n`;
  for (const event of events)
    yield format === "csv"
      ? `${COLUMNS.map((column) => field(event[column])).join(",")}\r\n`
      : `${JSON.stringify(event)}\n`;
}

function field(value: string | number | null): string {
  const text = String(value ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
