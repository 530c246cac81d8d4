/** JSON with the place of every value, which `JSON.parse` does not tell. Offsets are UTF-16 units. */

export type JsonNode = JsonObject | JsonArray | JsonString | JsonOther;

export interface JsonObject extends Place {
  readonly type: "object";
  readonly entries: ReadonlyMap<string, JsonNode>;
}
export interface JsonArray extends Place {
  readonly type: "array";
  readonly items: readonly JsonNode[];
}
/** `start` and `end` are those of its quotes. */
export interface JsonString extends Place {
  readonly type: "string";
}
export interface JsonOther extends Place {
  readonly type: "other";
}
interface Place {
  readonly start: number;
  readonly end: number;
}

/** Deeper is no document that a person made, and would overflow the stack. */
const MAX_DEPTH = 200;

/** @returns `undefined` for what is no JSON; what follows the first value is not looked at */
export function readJson(text: string): JsonNode | undefined {
  try {
    return valueAt({ text, at: 0, depth: 0 });
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export interface DecodedString {
  readonly text: string;
  /** For each unit of `text`, and for its end, the offset in the JSON. */
  readonly offsets: readonly number[];
}

/** What the string says, and where each part of it is written. */
export function decodeString(json: string, { start, end }: JsonString): DecodedString {
  const offsets: number[] = [];
  let text = "";
  let at = start + 1;
  while (at < end - 1) {
    offsets.push(at);
    const escaped = json[at] === "\\" ? (json[at + 1] ?? "") : undefined;
    if (escaped === undefined) text += json[at++];
    else if (escaped === "u") {
      // No NUL, for the same reason as in decodeText.
      text += String.fromCharCode(Number.parseInt(json.slice(at + 2, at + 6), 16) || 0xfffd);
      at += 6;
    } else {
      text += ESCAPES.get(escaped) ?? escaped;
      at += 2;
    }
  }
  offsets.push(end - 1);
  return { text, offsets };
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["b", "\b"],
  ["f", "\f"],
]);

interface Reader {
  readonly text: string;
  at: number;
  depth: number;
}

function valueAt(reader: Reader): JsonNode {
  skipBlanks(reader);
  const start = reader.at;
  switch (reader.text[start]) {
    case "{": {
      const entries = new Map<string, JsonNode>();
      readList(reader, "}", () => {
        skipBlanks(reader);
        const key = stringAt(reader);
        skipBlanks(reader);
        expect(reader, ":");
        entries.set(decodeString(reader.text, key).text, valueAt(reader));
      });
      return { type: "object", entries, start, end: reader.at };
    }
    case "[": {
      const items: JsonNode[] = [];
      readList(reader, "]", () => items.push(valueAt(reader)));
      return { type: "array", items, start, end: reader.at };
    }
    case '"':
      return stringAt(reader);
    default:
      return wordAt(reader);
  }
}

/** From the opening bracket to after the closing one. */
function readList(reader: Reader, close: string, readItem: () => void): void {
  if (++reader.depth > MAX_DEPTH) throw new SyntaxError("too deep");
  reader.at++;
  skipBlanks(reader);
  if (reader.text[reader.at] !== close) {
    for (;;) {
      readItem();
      skipBlanks(reader);
      if (reader.text[reader.at] !== ",") break;
      reader.at++;
    }
  }
  expect(reader, close);
  reader.depth--;
}

/** A loop, since one regular expression for all of it overflows its stack on an image of some megabytes. */
function stringAt(reader: Reader): JsonString {
  const start = reader.at;
  expect(reader, '"');
  const mark = /["\\]/g;
  mark.lastIndex = reader.at;
  for (let found = mark.exec(reader.text); found; found = mark.exec(reader.text)) {
    if (found[0] === '"') {
      reader.at = mark.lastIndex;
      return { type: "string", start, end: reader.at };
    }
    mark.lastIndex++;
  }
  throw new SyntaxError(`no end of the string at ${start}`);
}

function wordAt(reader: Reader): JsonOther {
  const word = /[\w.+-]+/y;
  const start = reader.at;
  word.lastIndex = start;
  if (!word.test(reader.text)) throw new SyntaxError(`no value at ${start}`);
  reader.at = word.lastIndex;
  return { type: "other", start, end: reader.at };
}

function skipBlanks(reader: Reader): void {
  while (" \t\r\n".includes(reader.text[reader.at] ?? "x")) reader.at++;
}

function expect(reader: Reader, character: string): void {
  if (reader.text[reader.at] !== character) throw new SyntaxError(`no ${character} at ${reader.at}`);
  reader.at++;
}
