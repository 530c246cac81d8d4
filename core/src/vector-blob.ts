/** Vectors as `index.db` keeps them: float32, little endian, on every machine. */

export function toBlob(vector: ArrayLike<number>): Buffer {
  const blob = Buffer.allocUnsafe(vector.length * BYTES);
  for (let i = 0; i < vector.length; i++) blob.writeFloatLE(vector[i] ?? 0, i * BYTES);
  return blob;
}

export const fromBlob = (blob: Buffer): number[] =>
  Array.from({ length: blob.length / BYTES }, (_, i) => blob.readFloatLE(i * BYTES));

const BYTES = Float32Array.BYTES_PER_ELEMENT;
