import type { EmbeddingEngine } from './contract.ts';

const DIMENSIONS = 128;

/** Vectors from hashed words and letter triples: the same text gives the same vector, texts that share words are near. */
export function createFakeEmbedding(): EmbeddingEngine {
  return {
    name: 'Fake embedding',
    dimensions: DIMENSIONS,
    status: () => ({ state: 'ready', message: 'The search by meaning is ready.' }),
    async embed(texts, signal) {
      signal?.throwIfAborted();
      return texts.map(vectorOf);
    },
    async close() {},
  };
}

function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    for (const piece of [word, ...triples(word)]) {
      const at = hash(piece) % DIMENSIONS;
      vector[at] = (vector[at] ?? 0) + (piece === word ? 1 : 0.3);
    }
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((x) => x / length);
}

const triples = (word: string) =>
  Array.from({ length: Math.max(0, word.length - 2) }, (_, i) => word.slice(i, i + 3));

/** FNV-1a, 32 bit. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (const char of text) h = Math.imul(h ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return h;
}
