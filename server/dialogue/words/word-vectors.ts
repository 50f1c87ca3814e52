import { readFileSync } from 'node:fs';

/**
 * What is known about the 36,000 most frequent English words: how frequent, and which are alike.
 * The file is made by scripts/make-word-vectors.js from GloVe (public domain).
 */
export interface WordVectors {
  /** 0 for the most frequent word; null for a word not among them. */
  rank(word: string): number | null;
  /** Cosine similarity, -1 to 1; null when either word is not known. */
  similarity(a: string, b: string): number | null;
  readonly words: readonly string[];
}

let loaded: WordVectors | null = null;

/** Loads the file once per thread, about 3 MB. */
export function wordVectors(): WordVectors {
  loaded ??= read(readFileSync(new URL('./word-vectors.bin', import.meta.url)));
  return loaded;
}

function read(file: Buffer): WordVectors {
  const count = file.readUInt32LE(0);
  const size = file.readUInt32LE(4);
  const listBytes = file.readUInt32LE(8);
  const words = file
    .subarray(12, 12 + listBytes)
    .toString('utf8')
    .split('\n');
  const matrix = new Int8Array(file.buffer, file.byteOffset + 12 + listBytes, count * size);
  const ranks = new Map(words.map((word, i) => [word, i]));
  const lengths = new Float32Array(count);
  for (let row = 0; row < count; row++) {
    let sum = 0;
    for (let i = 0; i < size; i++) sum += (matrix[row * size + i] ?? 0) ** 2;
    lengths[row] = Math.sqrt(sum) || 1;
  }
  return {
    words,
    rank: (word) => ranks.get(word) ?? null,
    similarity(a, b) {
      const x = ranks.get(a);
      const y = ranks.get(b);
      if (x === undefined || y === undefined) return null;
      let dot = 0;
      for (let i = 0; i < size; i++) dot += (matrix[x * size + i] ?? 0) * (matrix[y * size + i] ?? 0);
      return dot / ((lengths[x] ?? 1) * (lengths[y] ?? 1));
    },
  };
}
