import type { ReadingEngine, VectorFiles } from './contract.ts';

const DIMENSIONS = 128;

/**
 * Compares words only: vectors of hashed words and letter triples (texts that share words are near), a
 * relevance from −9 to 9 by the share of the question's words in a text, and an entailment computed alike.
 */
export function createFakeReading(): ReadingEngine {
  return {
    name: 'Fake reader',
    revision: 'fake 1',
    dimensions: DIMENSIONS,
    status: () => ({ state: 'ready', message: 'The reader is ready.' }),
    async embed(texts, { signal } = {}) {
      signal?.throwIfAborted();
      return texts.map(vectorOf);
    },
    async relevance(question, texts, { signal } = {}) {
      signal?.throwIfAborted();
      return texts.map((text) => relevanceOf(question, text));
    },
    async entailment(sentence, text, { signal } = {}) {
      signal?.throwIfAborted();
      return relevanceOf(sentence, text);
    },
    prepareEntailment() {},
    async close() {},
  };
}

/** Stores vectors in memory. */
export function createFakeVectorFiles(): VectorFiles {
  const kept = new Map<string, { revision: string; vectors: Map<string, Float32Array> }>();
  return {
    async load(agentId, revision) {
      const known = kept.get(agentId);
      return new Map(known?.revision === revision ? known.vectors : []);
    },
    async save(agentId, revision, entries) {
      kept.set(agentId, { revision, vectors: new Map(entries) });
    },
    async forget(agentId) {
      kept.delete(agentId);
    },
  };
}

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  for (const word of wordsOf(text)) {
    for (const piece of [word, ...triples(word)]) {
      const at = hash(piece) % DIMENSIONS;
      vector[at] = (vector[at] ?? 0) + (piece === word ? 1 : 0.3);
    }
  }
  // A text without words also gets length one.
  if (vector.every((x) => x === 0)) vector[0] = 1;
  const length = Math.hypot(...vector);
  return vector.map((x) => x / length);
}

/** Ignores words as short as "for", unless there are no others. */
function relevanceOf(question: string, text: string): number {
  const all = [...new Set(wordsOf(question))];
  const long = all.filter((word) => word.length > 3);
  const asked = long.length > 0 ? long : all;
  const there = new Set(wordsOf(text));
  const found = asked.filter((word) => there.has(word)).length;
  return asked.length > 0 ? -9 + (18 * found) / asked.length : -9;
}

const triples = (word: string) =>
  Array.from({ length: Math.max(0, word.length - 2) }, (_, i) => word.slice(i, i + 3));

/** FNV-1a, 32 bit. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (const char of text) h = Math.imul(h ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return h;
}
