// Trains server/engines/sentiment/model.bin from scripts/sentiment/data/*.txt (ours) and GoEmotions (CC BY
// 4.0):
//     npm run train:sentiment -- path/to/goemotions-train.tsv.gz
// Deterministic: equal files give an equal model. Prints figures of a five-fold cross-validation over our own
// messages. Details: docs/sentiment.md.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { gunzipSync } from 'node:zlib';
import { createReading } from '#server/engines/reading/index';
import { BUCKETS, featuresOf, hashOf, TRAIT_COUNT } from '#server/engines/sentiment/features';
import {
  MEANING_SIZE,
  type ModelData,
  meaningFeatures,
  SentimentModel,
  writeModel,
} from '#server/engines/sentiment/model';
import { type Sentiment, sentiments } from '#shared/conversations';
import { regression, rounded, type Sample, shuffled, type Training } from './sentiment/regression.ts';
import { readWordVectors } from './sentiment/word-vectors.ts';

const CLASSES = sentiments.length;
const FOLDS = 5;
/** Reddit comments teach words, not customers' meanings: few of them, with a low weight. */
const COMMENTS = 6_000;
const COMMENT_WEIGHT = 0.1;
/** Number of frequent words whose vectors are folded into the model. */
const KNOWN_WORDS = 20_000;
const VECTOR_WEIGHT = 2;

const vectors = readWordVectors(KNOWN_WORDS);
const [PIECES, TRAITS, VECTOR] = [BUCKETS, 2 * BUCKETS, 2 * BUCKETS + TRAIT_COUNT];
/**
 * Leans: complaints are more frequent than in our balanced examples; missing an urgent message costs more
 * than checking one that is not.
 */
const WORDS: Training = {
  features: VECTOR + vectors.size,
  constant: TRAITS,
  lean: leaning({ positive: 0, neutral: 0, negative: 0.5, urgent: 0.6 }),
  rounds: 8,
  rate: 0.1,
  decay: 1e-5,
};
/** A strong decay, because there are few messages for so many weights. */
const MEANING: Training = {
  features: MEANING_SIZE,
  constant: MEANING_SIZE - 1,
  lean: leaning({ positive: 0, neutral: 0, negative: 0.5, urgent: 0.4 }),
  rounds: 12,
  rate: 0.03,
  decay: 3e-4,
};

interface Example extends Sample {
  text: string;
  source: string;
  /** Index of the model that has not seen it. */
  fold: number;
  vector: Float32Array;
}

const goemotions = process.argv[2];
if (!goemotions) {
  console.error('Say where GoEmotions is: npm run train:sentiment -- goemotions-train.tsv.gz');
  process.exit(1);
}

const reading = createReading();
const own = await withVectors(ownMessages());
const comments = await withVectors(redditComments(goemotions));
await reading.close();
const all = [...comments, ...own];

const byFold = Array.from({ length: FOLDS }, (_, fold) =>
  modelOf(
    regression(
      all.filter((e) => e.fold !== fold),
      WORDS,
    ),
  ),
);
const wordsByFold = byFold.map((data) => new SentimentModel(data));
// The second regression learns from sums of texts that the first had not seen, as in use.
const meaningSamples = all.flatMap(meaningSample);
const meaningByFold = byFold.map(
  (data, fold) =>
    new SentimentModel({ ...data, meaning: meaningOf(meaningSamples.filter((e) => e.fold !== fold)) }),
);
report(
  'Cross-validation over our own messages, by words alone:',
  ({ fold, text }) => meaningByFold[fold]?.first(text).answer.label,
);
report('By words and meaning:', ({ fold, text, vector }) => {
  const model = meaningByFold[fold];
  const first = model?.first(text);
  if (!model || !first?.sums || !model.needsMeaning(first, reading.revision)) return first?.answer.label;
  return model.withMeaning(first.sums, vector).label;
});

const bytes = writeModel({ ...modelOf(regression(all, WORDS)), meaning: meaningOf(meaningSamples) });
writeFileSync(new URL('../server/engines/sentiment/model.bin', import.meta.url), bytes);
console.log(
  `model.bin: ${Math.round(bytes.length / 1024)} kB from ${own.length} messages and ${comments.length} comments`,
);

function leaning(lean: Readonly<Record<Sentiment, number>>): number[] {
  return sentiments.map((label) => lean[label]);
}

/** One message per line; the file's name begins with the label. */
function ownMessages(): Omit<Example, 'vector'>[] {
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

/**
 * Lines of text, label ids (0 ambiguous, 1 negative, 2 neutral, 3 positive) and id; keeps those with one
 * clear label.
 */
function redditComments(path: string): Omit<Example, 'vector'>[] {
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

function example(text: string, label: number, weight: number, source: string): Omit<Example, 'vector'> {
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
  const sample = { at: Uint32Array.from(at), values: Float32Array.from(values), label, weight };
  return { ...sample, text, source, fold: hashOf(text) % FOLDS };
}

async function withVectors(examples: readonly Omit<Example, 'vector'>[]): Promise<Example[]> {
  const found = await reading.embed(
    examples.map(({ text }) => text),
    { urgency: 'index' },
  );
  return examples.map((e, i) => ({ ...e, vector: found[i] ?? new Float32Array() }));
}

function meaningSample(e: Example): (Sample & { fold: number })[] {
  const sums = wordsByFold[e.fold]?.first(e.text).sums;
  if (!sums) return [];
  const values = meaningFeatures(sums, e.vector);
  return [{ at: Uint32Array.from(values.keys()), values, label: e.label, weight: e.weight, fold: e.fold }];
}

function meaningOf(samples: readonly Sample[]) {
  return rounded(regression(samples, MEANING));
}

/** Rounds to bytes, and folds the weights of vector dimensions into one set of weights per known word. */
function modelOf(weights: Float32Array): ModelData {
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
    meaning: { scale: 1, weights: new Int8Array(MEANING_SIZE * CLASSES) },
    revisionHash: hashOf(reading.revision),
  };
}

/** Results of models trained on four fifths of our messages for the last fifth, five times. */
function report(heading: string, judge: (e: Example) => Sentiment | undefined): void {
  const answers = own.map((e) => ({ ...e, meant: sentiments[e.label], given: judge(e) }));
  console.log(heading);
  for (const label of sentiments) {
    const right = answers.filter((a) => a.meant === label && a.given === label).length;
    const given = answers.filter((a) => a.given === label).length;
    const meant = answers.filter((a) => a.meant === label).length;
    console.log(
      `  ${label.padEnd(9)} precision ${(right / given).toFixed(3)}  recall ${(right / meant).toFixed(3)}  of ${meant}`,
    );
  }
  for (const near of [true, false]) {
    const others = answers.filter((a) => a.meant !== 'urgent' && a.source.includes('near-urgent') === near);
    const alarms = others.filter((a) => a.given === 'urgent').length;
    console.log(
      `  false alarms, ${near ? 'near to urgent' : 'ordinary'}: ${alarms} of ${others.length} (${((100 * alarms) / others.length).toFixed(1)} %)`,
    );
  }
  if (process.argv.includes('--mistakes'))
    for (const { meant, given, text } of answers)
      if (meant !== given && (meant === 'urgent' || given === 'urgent'))
        console.log(`  ${meant} → ${given}: ${text}`);
}
