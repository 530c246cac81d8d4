/** Vectors as `index.db` keeps them: float32, little endian, on every machine. */

// Loops over a DataView: `Array.from` and Buffer's own methods take four to eight times as long, and there are many.

export function toBlob(vector: ArrayLike<number>): Buffer {
  const blob = Buffer.allocUnsafe(vector.length * BYTES);
  const view = viewOf(blob);
  for (let i = 0; i < vector.length; i++) view.setFloat32(i * BYTES, vector[i] ?? 0, true);
  return blob;
}

export function fromBlob(blob: Uint8Array): number[] {
  const view = viewOf(blob);
  const vector: number[] = [];
  for (let at = 0; at < blob.byteLength; at += BYTES) vector.push(view.getFloat32(at, true));
  return vector;
}

const BYTES = Float32Array.BYTES_PER_ELEMENT;
const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  new DataView(buffer, byteOffset, byteLength);
