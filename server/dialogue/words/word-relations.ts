import { readFileSync } from 'node:fs';
import { stem } from './stem.ts';
import type { Related } from './synonyms.ts';

let loaded: Map<string, Related[]> | null = null;

/**
 * Words that may stand for another in everyday English, from WordNet: less sure than the vocabulary of customer care in synonyms.ts.
 * Reads its file once per thread, about 0.1 s.
 */
export function standInsFor(word: string): readonly Related[] {
  loaded ??= read(readFileSync(new URL('./word-relations.txt', import.meta.url), 'utf8'));
  return loaded.get(word) ?? [];
}

function read(file: string): Map<string, Related[]> {
  const relations = new Map<string, Map<string, number>>();
  const stems = new Map<string, string>();
  const stemOf = (word: string) => {
    const known = stems.get(word) ?? stem(word);
    stems.set(word, known);
    return known;
  };
  for (const line of file.split('\n')) {
    if (!line || line.startsWith('#')) continue;
    const [word = '', ...others] = line.split(' ');
    const from = stemOf(word);
    const list = relations.get(from) ?? new Map<string, number>();
    for (const other of others) {
      const to = stemOf(other.slice(0, -1));
      if (to !== from) list.set(to, Math.max(list.get(to) ?? 0, Number(other.slice(-1)) / 10));
    }
    relations.set(from, list);
  }
  return new Map(
    [...relations].map(([from, list]) => [from, [...list].map(([to, weight]) => ({ stem: to, weight }))]),
  );
}
