import { readFileSync } from 'node:fs';

/** Unit word vectors, by row. */
interface WordVectors {
  size: number;
  words: string[];
  row(word: string): number | undefined;
  at(row: number, k: number): number;
}

/**
 * Reads GloVe vectors written by scripts/sentiment/make-word-vectors.js: counts, the words, then a byte per
 * dimension.
 * @param count number of most frequent words
 */
export function readWordVectors(count: number): WordVectors {
  const file = readFileSync(new URL('./word-vectors.bin', import.meta.url));
  const size = file.readUInt32LE(4);
  const listBytes = file.readUInt32LE(8);
  const words = file
    .subarray(12, 12 + listBytes)
    .toString('utf8')
    .split('\n')
    .slice(0, count);
  const rows = new Map(words.map((word, row) => [word, row]));
  const unit = new Float32Array(words.length * size);
  words.forEach((_, row) => {
    const bytes = Array.from({ length: size }, (_x, k) => file.readInt8(12 + listBytes + row * size + k));
    const length = Math.hypot(...bytes) || 1;
    unit.set(
      bytes.map((x) => x / length),
      row * size,
    );
  });
  return {
    size,
    words,
    row: (word) => rows.get(word),
    at: (row, k) => unit[row * size + k] ?? 0,
  };
}
