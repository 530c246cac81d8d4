/** Vectors as `index.db` keeps them: float32, little endian, on every machine. */

export function toBlob(vector: readonly number[]): Buffer {
  const blob = Buffer.alloc(vector.length * 4);
  vector.forEach((x, i) => {
    blob.writeFloatLE(x, i * 4);
  });
  return blob;
}

export const fromBlob = (blob: Buffer): number[] =>
  Array.from({ length: blob.length / 4 }, (_, i) => blob.readFloatLE(i * 4));
