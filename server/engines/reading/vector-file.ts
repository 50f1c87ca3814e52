import { createHash } from 'node:crypto';
import { setImmediate as breathe } from 'node:timers/promises';

/**
 * Layout of a vector file. Numbers are little-endian.
 *
 *     "SIGMAVEC" · version, dimensions, length of the revision: 16 bits each · the revision
 *     per vector: hash, 16 bytes · scale, a 32-bit float · every number as 16 signed bits, to be multiplied by the scale
 *     sha256 of all that
 */
const MAGIC = 'SIGMAVEC';
const VERSION = 1;
const HEADER = MAGIC.length + 6;
const HASH = 16;
const SCALE = 4;
const NUMBER = 2;
const LARGEST = 32_767;
const SUM = 32;
/** Vectors written or read in one go: a millisecond or two, then other work runs. */
const VECTORS_IN_A_ROW = 200;

/**
 * The bytes of a file, in pieces.
 * @throws RangeError when vectors differ in length or a key is not a `contentHash`
 */
export async function* writeVectors(
  revision: string,
  entries: Iterable<readonly [hash: string, vector: Float32Array]>,
): AsyncGenerator<Buffer> {
  const sum = createHash('sha256');
  const summed = (piece: Buffer) => {
    sum.update(piece);
    return piece;
  };
  let dimensions: number | null = null;
  let row: Buffer[] = [];
  for (const [hash, vector] of entries) {
    if (dimensions === null) {
      dimensions = vector.length;
      yield summed(headerOf(revision, dimensions));
    }
    if (vector.length !== dimensions) throw new RangeError('Vectors of one file have one length.');
    row.push(recordOf(hash, vector));
    if (row.length < VECTORS_IN_A_ROW) continue;
    yield summed(Buffer.concat(row));
    row = [];
    await breathe();
  }
  if (dimensions === null) yield summed(headerOf(revision, 0));
  yield summed(Buffer.concat(row));
  yield sum.digest();
}

/**
 * @returns the vectors by hash; null if the bytes are not such a file, are broken, or have another revision
 */
export async function readVectors(file: Buffer, revision: string): Promise<Map<string, Float32Array> | null> {
  const dimensions = file.length >= HEADER + SUM ? file.readUInt16LE(MAGIC.length + 2) : 0;
  const header = headerOf(revision, dimensions);
  const end = file.length - SUM;
  const size = HASH + SCALE + dimensions * NUMBER;
  if (!file.subarray(0, header.length).equals(header) || (end - header.length) % size !== 0) return null;

  const vectors = new Map<string, Float32Array>();
  const sum = createHash('sha256').update(header);
  for (let at = header.length; at < end; ) {
    const stop = Math.min(end, at + size * VECTORS_IN_A_ROW);
    sum.update(file.subarray(at, stop));
    for (; at < stop; at += size) {
      const scale = file.readFloatLE(at + HASH);
      const vector = new Float32Array(dimensions);
      for (let n = 0; n < dimensions; n++)
        vector[n] = file.readInt16LE(at + HASH + SCALE + n * NUMBER) * scale;
      vectors.set(file.toString('base64url', at, at + HASH), vector);
    }
    await breathe();
  }
  return sum.digest().equals(file.subarray(end)) ? vectors : null;
}

function headerOf(revision: string, dimensions: number): Buffer {
  const name = Buffer.from(revision);
  const header = Buffer.alloc(HEADER);
  header.write(MAGIC, 'latin1');
  header.writeUInt16LE(VERSION, MAGIC.length);
  header.writeUInt16LE(dimensions, MAGIC.length + 2);
  header.writeUInt16LE(name.length, MAGIC.length + 4);
  return Buffer.concat([header, name]);
}

function recordOf(hash: string, vector: Float32Array): Buffer {
  const key = Buffer.from(hash, 'base64url');
  if (key.length !== HASH) throw new RangeError('A vector is kept under the contentHash of its text.');
  const record = Buffer.alloc(HASH + SCALE + vector.length * NUMBER);
  key.copy(record);
  let largest = 0;
  let squares = 0;
  for (const x of vector) {
    largest = Math.max(largest, Math.abs(x));
    squares += x * x;
  }
  let roundedSquares = 0;
  for (let n = 0; n < vector.length; n++) {
    const rounded = largest > 0 ? Math.round(((vector[n] ?? 0) / largest) * LARGEST) : 0;
    roundedSquares += rounded * rounded;
    record.writeInt16LE(rounded, HASH + SCALE + n * NUMBER);
  }
  // Keep the length of the vector rather than its largest number, so that dot products are preserved.
  record.writeFloatLE(roundedSquares > 0 ? Math.sqrt(squares / roundedSquares) : 0, HASH);
  return record;
}
