/** The end of a log as a person reads it: our services write JSON, and Chroma colours. */
import { readFileSync } from "node:fs";

const TAIL_LINES = 12;
// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence starts with one
const ESCAPE_SEQUENCE = /\u001b\[[0-9;?]*[A-Za-z]/g;

/**
 * @param from where in the file to begin, in bytes: what earlier processes wrote explains nothing of this one
 * @returns lines to print below a message, or one that says that there is none
 */
export function logTail(file: string, from: number): string {
  const text = readFileSync(file).subarray(from).toString().replace(ESCAPE_SEQUENCE, "");
  const lines = text.split("\n").filter((line) => line.trim());
  if (!lines.length) return "  | (nothing)";
  return lines
    .slice(-TAIL_LINES)
    .map((line) => `  | ${messageOf(line)}`)
    .join("\n");
}

/** A line of our own log is its message and its error; any other is itself. */
function messageOf(line: string): string {
  try {
    const { msg, err } = JSON.parse(line);
    if (typeof msg !== "string") return line;
    return typeof err?.message === "string" && err.message !== msg ? `${msg}: ${err.message}` : msg;
  } catch {
    return line;
  }
}
