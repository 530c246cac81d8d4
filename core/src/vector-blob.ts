/**
 * Vectors as `index.db` keeps them: float32, little endian, on every machine. One that is mostly zeros, as the hash
 * embedder's are, is its other numbers, then the place of each (two bytes), then how long it is (two bytes) and a byte that
 * makes the whole odd: a tenth of the room, and an index of half the size. Any other is its numbers, one after the other.
 */

// Loops over a DataView: `Array.from` and Buffer's own methods take four to eight times as long, and there are many.

export function toBlob(vector: ArrayLike<number>): Buffer {
  const { length } = vector;
  let count = 0;
  for (let i = 0; i < length; i++) if (vector[i] !== 0) count++;
  const isSparse = count * (NUMBER + PLACE) + TAIL < length * NUMBER && length <= MOST_PLACES;
  return isSparse ? sparseBlob(vector, count) : denseBlob(vector);
}

export function fromBlob(blob: Uint8Array): number[] {
  const view = viewOf(blob);
  const length = vectorLength(blob);
  if (!isSparseBlob(blob)) {
    const vector: number[] = [];
    for (let i = 0; i < length; i++) vector.push(view.getFloat32(i * NUMBER, true));
    return vector;
  }
  const vector = new Array<number>(length).fill(0);
  const count = (blob.byteLength - TAIL) / (NUMBER + PLACE);
  for (let i = 0; i < count; i++)
    vector[view.getUint16(count * NUMBER + i * PLACE, true)] = view.getFloat32(i * NUMBER, true);
  return vector;
}

/** How many numbers it stands for. */
export const vectorLength = (blob: Uint8Array): number =>
  isSparseBlob(blob)
    ? viewOf(blob).getUint16(blob.byteLength - TAIL, true)
    : Math.floor(blob.byteLength / NUMBER);

const NUMBER = Float32Array.BYTES_PER_ELEMENT;
const PLACE = Uint16Array.BYTES_PER_ELEMENT;
const TAIL = Uint16Array.BYTES_PER_ELEMENT + 1;
const MOST_PLACES = 0xffff;

const isSparseBlob = ({ byteLength }: Uint8Array): boolean => byteLength % 2 === 1;

function denseBlob(vector: ArrayLike<number>): Buffer {
  const blob = Buffer.allocUnsafe(vector.length * NUMBER);
  const view = viewOf(blob);
  for (let i = 0; i < vector.length; i++) view.setFloat32(i * NUMBER, vector[i] ?? 0, true);
  return blob;
}

function sparseBlob(vector: ArrayLike<number>, count: number): Buffer {
  const blob = Buffer.alloc(count * (NUMBER + PLACE) + TAIL);
  const view = viewOf(blob);
  let next = 0;
  for (let place = 0; place < vector.length; place++) {
    const number = vector[place] ?? 0;
    if (number === 0) continue;
    view.setFloat32(next * NUMBER, number, true);
    view.setUint16(count * NUMBER + next * PLACE, place, true);
    next++;
  }
  view.setUint16(blob.byteLength - TAIL, vector.length, true);
  return blob;
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  new DataView(buffer, byteOffset, byteLength);
