// Trains server/engines/sentiment/model.bin from scripts/sentiment/data/*.txt (ours) and GoEmotions (CC BY 4.0):
//   npm run train:sentiment -- path/to/goemotions-train.tsv.gz
// Deterministic: the same files give the same model. Prints figures by five-fold cross-validation over our own messages.
// How and why: docs/sentiment.md.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { gunzipSync } from 'node:zlib';
import { BUCKETS, featuresOf, hashOf, TRAIT_COUNT } from '#server/engines/sentiment/features';
import {
  type ModelData,
  SentimentModel,
  type WeightTable,
  writeModel,
} from '#server/engines/sentiment/model';
import { type Sentiment, sentiments } from '#shared/conversations';

const CLASSES = sentiments.length;
const FOLDS = 5;
const ROUNDS = 8;
const RATE = 0.1;
const DECAY = 1e-5;
/** Reddit comments teach words, not what customers mean: few of them, and each worth little. */
const COMMENTS = 6_000;
const COMMENT_WEIGHT = 0.1;
/** Word vectors of the most frequent words are folded into the model. */
const KNOWN_WORDS = 20_000;
const VECTOR_WEIGHT = 2;
/**
 * Added to a label's sum. Complaints are named more often than our balanced examples say; overlooking an urgent message
 * costs more than looking at one that was not.
 */
const LEAN: Record<Sentiment, number> = { positive: 0, neutral: 0, negative: 0.5, urgent: 0.6 };

interface Example {
  text: string;
  label: number;
  weight: number;
  source: string;
  at: Uint32Array;
  values: Float32Array;
}

const goemotions = process.argv[2];
if (!goemotions) {
  console.error('Say where GoEmotions is: npm run train:sentiment -- goemotions-train.tsv.gz');
  process.exit(1);
}

const vectors = readVectors();
const [PIECES, TRAITS, VECTOR] = [BUCKETS, 2 * BUCKETS, 2 * BUCKETS + TRAIT_COUNT];
const FEATURES = VECTOR + vectors.size;

const own = ownMessages();
const comments = redditComments(goemotions);
crossValidate();
const model = toModel(train([...comments, ...own]));
const bytes = writeModel(model);
writeFileSync(new URL('../server/engines/sentiment/model.bin', import.meta.url), bytes);
console.log(
  `model.bin: ${Math.round(bytes.length / 1024)} kB from ${own.length} messages and ${comments.length} comments`,
);

/** One message a line; the file's name begins with the label. */
function ownMessages(): Example[] {
  const folder = new URL('./sentiment/data/', import.meta.url);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .sort()
    .flatMap((name) => {
      const label = sentiments.findIndex((sentiment) => name.startsWith(sentiment));
      const lines = readFileSync(new URL(name, folder), 'utf8').split('\n').filter(Boolean);
      return lines.map((text) => example(text, label, 1, name.replace('.txt', '')));
    });
}

/** Lines of text, label ids (0 ambiguous, 1 negative, 2 neutral, 3 positive) and id; those with one clear label. */
function redditComments(path: string): Example[] {
  const labels = new Map<string, Sentiment>([
    ['1', 'negative'],
    ['2', 'neutral'],
    ['3', 'positive'],
  ]);
  const lines = gunzipSync(readFileSync(path)).toString('utf8').split('\n');
  const clear = shuffled(
    lines.flatMap((line) => {
      const [text = '', id = ''] = line.split('\t');
      const label = labels.get(id);
      return label && text ? [{ text, label: sentiments.indexOf(label) }] : [];
    }),
    7,
  );
  return clear.slice(0, COMMENTS).map(({ text, label }) => example(text, label, COMMENT_WEIGHT, 'comment'));
}

function example(text: string, label: number, weight: number, source: string): Example {
  const features = featuresOf(text);
  const at: number[] = [];
  const values: number[] = [];
  const put = (place: number, value: number) => {
    if (value === 0) return;
    at.push(place);
    values.push(value);
  };
  for (const bucket of features.words) put(bucket, features.wordValue);
  for (const bucket of features.pieces) put(PIECES + bucket, features.pieceValue);
  for (const [place, value] of features.traits) put(TRAITS + place, value);
  const rows = features.vocabulary.flatMap((word) => vectors.row(word) ?? []);
  for (let k = 0; k < vectors.size; k++) {
    const sum = rows.reduce((total, row) => total + vectors.at(row, k), 0);
    put(VECTOR + k, (VECTOR_WEIGHT * sum) / Math.sqrt(rows.length || 1));
  }
  return { text, label, weight, source, at: Uint32Array.from(at), values: Float32Array.from(values) };
}

/**
 * Softmax regression by AdaGrad (Duchi et al. 2011); rare labels weigh more, by the root of their rarity. The answer is the
 * average over the later half of the rounds, which depends less on the order of the examples than the last round alone.
 */
function train(examples: readonly Example[]): Float32Array {
  const weights = new Float32Array(FEATURES * CLASSES);
  const squares = new Float32Array(FEATURES * CLASSES).fill(1e-2);
  const perClass = sentiments.map((_, c) =>
    examples.reduce((sum, e) => sum + (e.label === c ? e.weight : 0), 0),
  );
  const total = perClass.reduce((sum, n) => sum + n, 0);
  const rarity = perClass.map((n) => Math.sqrt(total / CLASSES / n));
  const average = new Float32Array(weights.length);
  for (let round = 0; round < ROUNDS; round++) {
    for (const { at, values, label, weight } of shuffled([...examples], round + 1)) {
      const chances = softmax(sums(weights, at, values));
      for (let c = 0; c < CLASSES; c++) {
        const error = ((chances[c] ?? 0) - (c === label ? 1 : 0)) * weight * (rarity[label] ?? 1);
        for (let k = 0; k < at.length; k++) {
          const place = (at[k] ?? 0) * CLASSES + c;
          const old = weights[place] ?? 0;
          const gradient = error * (values[k] ?? 0) + DECAY * old;
          const square = (squares[place] ?? 0) + gradient * gradient;
          squares[place] = square;
          weights[place] = old - (RATE * gradient) / Math.sqrt(square);
        }
      }
    }
    if (round >= ROUNDS / 2)
      for (const [place, weight] of weights.entries())
        average[place] = (average[place] ?? 0) + weight / (ROUNDS / 2);
  }
  sentiments.forEach((label, c) => {
    const place = TRAITS * CLASSES + c;
    average[place] = (average[place] ?? 0) + LEAN[label];
  });
  return average;
}

function sums(weights: Float32Array, at: Uint32Array, values: Float32Array): number[] {
  const totals = new Array<number>(CLASSES).fill(0);
  for (let k = 0; k < at.length; k++)
    for (let c = 0; c < CLASSES; c++)
      totals[c] = (totals[c] ?? 0) + (weights[(at[k] ?? 0) * CLASSES + c] ?? 0) * (values[k] ?? 0);
  return totals;
}

function softmax(totals: readonly number[]): number[] {
  const most = Math.max(...totals);
  const parts = totals.map((x) => Math.exp(x - most));
  const sum = parts.reduce((a, b) => a + b, 0);
  return parts.map((x) => x / sum);
}

/** Rounds to bytes, and folds the weights of the vectors' dimensions into one set of weights per known word. */
function toModel(weights: Float32Array): ModelData {
  const part = (from: number, count: number) =>
    rounded(weights.subarray(from * CLASSES, (from + count) * CLASSES));
  const known = new Float32Array(vectors.words.length * CLASSES);
  vectors.words.forEach((_, row) => {
    for (let c = 0; c < CLASSES; c++)
      for (let k = 0; k < vectors.size; k++)
        known[row * CLASSES + c] =
          (known[row * CLASSES + c] ?? 0) +
          VECTOR_WEIGHT * vectors.at(row, k) * (weights[(VECTOR + k) * CLASSES + c] ?? 0);
  });
  return {
    words: part(0, BUCKETS),
    pieces: part(PIECES, BUCKETS),
    traits: part(TRAITS, TRAIT_COUNT),
    known: rounded(known),
    knownHashes: Uint32Array.from(vectors.words, hashOf),
  };
}

function rounded(weights: Float32Array): WeightTable {
  const scale = weights.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  return { scale, weights: Int8Array.from(weights, (x) => Math.round((x / scale) * 127)) };
}

/** Trains on four fifths of our messages, asks about the last one, five times over. */
function crossValidate(): void {
  const answers: { label: Sentiment; given: Sentiment; source: string; text: string }[] = [];
  for (let fold = 0; fold < FOLDS; fold++) {
    const isHeldOut = ({ text }: Example) => hashOf(text) % FOLDS === fold;
    const held = new SentimentModel(toModel(train([...comments, ...own.filter((e) => !isHeldOut(e))])));
    for (const { text, label, source } of own.filter(isHeldOut))
      answers.push({ label: sentiments[label] ?? 'neutral', given: held.classify(text).label, source, text });
  }
  console.log('Cross-validation over our own messages:');
  for (const label of sentiments) {
    const right = answers.filter((a) => a.label === label && a.given === label).length;
    const given = answers.filter((a) => a.given === label).length;
    const meant = answers.filter((a) => a.label === label).length;
    console.log(
      `  ${label.padEnd(9)} precision ${(right / given).toFixed(3)}  recall ${(right / meant).toFixed(3)}  of ${meant}`,
    );
  }
  for (const near of [true, false]) {
    const others = answers.filter((a) => a.label !== 'urgent' && a.source.includes('near-urgent') === near);
    const alarms = others.filter((a) => a.given === 'urgent').length;
    console.log(
      `  false alarms, ${near ? 'near to urgent' : 'ordinary'}: ${alarms} of ${others.length} (${((100 * alarms) / others.length).toFixed(1)} %)`,
    );
  }
  if (process.argv.includes('--mistakes'))
    for (const { label, given, text } of answers)
      if (label !== given && (label === 'urgent' || given === 'urgent'))
        console.log(`  ${label} → ${given}: ${text}`);
}

/** GloVe vectors as scripts/make-word-vectors.js stores them: counts, the words, then a byte per dimension. */
function readVectors() {
  const file = readFileSync(new URL('../server/dialogue/words/word-vectors.bin', import.meta.url));
  const size = file.readUInt32LE(4);
  const listBytes = file.readUInt32LE(8);
  const words = file
    .subarray(12, 12 + listBytes)
    .toString('utf8')
    .split('\n')
    .slice(0, KNOWN_WORDS);
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
    row: (word: string) => rows.get(word),
    at: (row: number, k: number) => unit[row * size + k] ?? 0,
  };
}

/** Fisher–Yates with a linear congruential generator, so that every machine shuffles alike. */
function shuffled<T>(items: T[], seed: number): T[] {
  let state = seed;
  for (let i = items.length - 1; i > 0; i--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const j = Math.floor((state / 2 ** 32) * (i + 1));
    const [a, b] = [items[i], items[j]];
    if (a === undefined || b === undefined) continue;
    items[i] = b;
    items[j] = a;
  }
  return items;
}
