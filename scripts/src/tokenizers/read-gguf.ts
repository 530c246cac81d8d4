/** The metadata of a GGUF file: what stands before its tensors. */
import { readFileSync } from "node:fs";

export type GgufValue = string | number | boolean | readonly GgufValue[];

/** @throws {Error} for a file of another kind, or one that ends early */
export function readGguf(path: string): ReadonlyMap<string, GgufValue> {
  const bytes = readFileSync(path);
  if (bytes.toString("latin1", 0, 4) !== "GGUF") throw new Error(`${path} is no GGUF file`);
  let at = 8;
  const advance = (by: number) => {
    at += by;
    return at - by;
  };
  const long = () => Number(bytes.readBigUInt64LE(advance(8)));
  const text = () => {
    const length = long();
    return bytes.toString("utf8", advance(length), at);
  };
  // By the numbers of the format's value types.
  const readers: readonly (() => GgufValue)[] = [
    () => bytes.readUInt8(advance(1)),
    () => bytes.readInt8(advance(1)),
    () => bytes.readUInt16LE(advance(2)),
    () => bytes.readInt16LE(advance(2)),
    () => bytes.readUInt32LE(advance(4)),
    () => bytes.readInt32LE(advance(4)),
    () => bytes.readFloatLE(advance(4)),
    () => bytes.readUInt8(advance(1)) !== 0,
    text,
    () => {
      const kind = bytes.readUInt32LE(advance(4));
      const length = long();
      return Array.from({ length }, () => value(kind));
    },
    long,
    () => Number(bytes.readBigInt64LE(advance(8))),
    () => bytes.readDoubleLE(advance(8)),
  ];
  function value(kind: number): GgufValue {
    const read = readers[kind];
    if (!read) throw new Error(`${path}: value type ${kind} at byte ${at}`);
    return read();
  }

  long();
  const entries = long();
  return new Map(
    Array.from({ length: entries }, () => {
      const key = text();
      return [key, value(bytes.readUInt32LE(advance(4)))];
    }),
  );
}
