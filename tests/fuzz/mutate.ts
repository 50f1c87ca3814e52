import { seededRandom } from '#server/lib/seeded-random';

/** The next number from 0 to below `below`. */
type Draw = (below: number) => number;

/** The same draws for the same seed. */
export function drawFrom(seed: number): Draw {
  const random = seededRandom(seed);
  return (below) => Math.floor(random() * below);
}

const MAX_BYTES = 60_000;
/** Where lengths and signs turn over. */
const EDGES = [0, 1, 0x7f, 0x80, 0xfe, 0xff];

/** What can go wrong with bytes on their way, or be done to them: one change, in a copy. */
const changes: readonly ((bytes: Buffer, draw: Draw, other: Buffer) => Buffer)[] = [
  (bytes, draw) => write(bytes, draw(bytes.length), [draw(256)]),
  (bytes, draw) => write(bytes, draw(bytes.length), [EDGES[draw(EDGES.length)] ?? 0]),
  (bytes, draw) =>
    write(
      bytes,
      draw(bytes.length),
      Array.from({ length: 1 + draw(8) }, () => (draw(2) ? 0xff : 0)),
    ),
  (bytes, draw) => bytes.subarray(0, draw(bytes.length + 1)),
  (bytes, draw) => bytes.subarray(draw(bytes.length + 1)),
  (bytes, draw) => {
    const [from, at] = [draw(bytes.length), draw(bytes.length + 1)];
    const part = bytes.subarray(from, from + 1 + draw(64));
    const parts: Buffer[] = Array.from({ length: 1 + draw(2 ** draw(10)) }, () => part);
    return Buffer.concat([bytes.subarray(0, at), ...parts, bytes.subarray(at)]);
  },
  (bytes, draw, other) =>
    Buffer.concat([bytes.subarray(0, draw(bytes.length + 1)), other.subarray(draw(other.length + 1))]),
  (bytes, draw) => {
    const at = draw(bytes.length + 1);
    const noise = Buffer.from(Array.from({ length: draw(32) }, () => draw(256)));
    return Buffer.concat([bytes.subarray(0, at), noise, bytes.subarray(at + draw(32))]);
  },
];

function write(bytes: Buffer, at: number, values: readonly number[]): Buffer {
  const copy = Buffer.from(bytes);
  values.forEach((value, n) => {
    if (at + n < copy.length) copy[at + n] = value;
  });
  return copy;
}

/** One of the samples, changed one to eight times. */
export function mutated(samples: readonly Buffer[], draw: Draw): Buffer {
  const pick = () => samples[draw(samples.length)] ?? Buffer.alloc(0);
  let bytes = pick();
  for (let left = 1 + draw(8); left > 0; left--) {
    const change = changes[draw(changes.length)];
    if (change) bytes = change(bytes, draw, pick()).subarray(0, MAX_BYTES);
  }
  return bytes;
}
