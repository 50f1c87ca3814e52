// Trains server/languages/danger.bin from scripts/danger/data/ and other classifiers' data:
//     npm run train:danger [-- --apart --mistakes]
// Deterministic: equal files give an equal model. `--apart` prints how it classifies ways of wording that it
// has not seen.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import {
  BY_MEANING,
  CLASSES,
  dangers,
  decideDanger,
  readByThemselves,
  seenBy,
} from '#server/languages/danger';
import { packOf } from '#server/languages/index';
import { TextClassifier, writeClassifier } from '#server/languages/text-classifier';
import { readCallers } from '../tests/bench/callers.ts';
import { openReading } from '../tests/bench/evaluate/brain.ts';
import { type Labelled, learnClassifier } from './lib/learn-classifier.ts';

/** Ways of wording, and writers. Each group is classified by a model that saw none of it. */
const APART = [
  ['quiet', 'spoken', 'foreign', 'told', 'asking'],
  ['child', 'plain', 'panic', 'written'],
  ['british'],
  ['american'],
  ['southern'],
];
/** Weight of texts written for another purpose. */
const OTHER_WEIGHT = 0.5;
const OTHERS = ['neutral', 'neutral-near-urgent', 'negative', 'negative-near-urgent', 'positive-near-urgent'];
const LEARNING = { classes: CLASSES, hidden: 64, rounds: 20 };
const THRESHOLDS = [0.5, 0.7, BY_MEANING, 0.9, 0.95];

interface Text {
  text: string;
  voice: string;
  label: number;
  weight: number;
}
type Example = Text & Labelled;

// Cache vectors between runs.
const reading = await openReading({ cache: true });
const callers = readCallers();
const asked = ordinary(['A', 'B', 'C'], 3);
const examples = await examplesOf([
  ...own('danger'),
  ...own('others'),
  ...OTHERS.flatMap(others),
  ...acts(),
  ...asked,
  ...sentencesOf(asked),
]);
/** By a writer that the model does not learn from. */
const unseen = ordinary(['D'], 3);
const unseenRead = unseen.map(({ text }) => [text, ...readByThemselves(text, packOf('en').splitSentences)]);
const unseenVectors = await reading.embed(unseenRead.flat(), { as: 'question', urgency: 'index' });
await reading.close();

if (process.argv.includes('--apart')) for (const voices of APART) reportApart(voices);
const bytes = writeClassifier(learnClassifier(examples, LEARNING), reading.revision);
const whole = new TextClassifier(bytes, CLASSES);
const unseenSeen = unseenRead.map((texts) =>
  unseenVectors.splice(0, texts.length).map((vector) => seenBy(whole, vector)),
);
for (const t of THRESHOLDS)
  console.log(
    `callers unseen, from ${t}: whole ${unseenSeen.filter(([seen]) => (seen?.chance ?? 0) >= t).length}, a sentence by itself ${unseenSeen.filter(([, ...seen]) => seen.some(({ chance }) => chance >= t)).length} of ${unseen.length}`,
  );
const alarms = unseen.filter(({ text }, n) =>
  decideDanger(packOf('en').messages.read(text).danger, unseenSeen[n] ?? []),
);
console.log(`callers unseen, taken for danger: ${alarms.length} of ${unseen.length}`);
if (process.argv.includes('--mistakes')) for (const { text } of alarms) console.log(`    ${text}`);
writeFileSync(new URL('../server/languages/danger.bin', import.meta.url), bytes);
console.log(`danger.bin: ${bytes.length} bytes from ${examples.length} texts`);

function reportApart(voices: readonly string[]): void {
  const learnt = examples.filter(({ voice }) => !voices.includes(voice));
  const model = new TextClassifier(
    writeClassifier(learnClassifier(learnt, LEARNING), reading.revision),
    CLASSES,
  );
  const judged = examples
    .filter(({ voice }) => voices.includes(voice))
    .map((each) => ({ ...each, ...seenBy(model, each.vector) }));
  const isDanger = ({ label }: Text) => label > 0;
  const dangerous = judged.filter(isDanger);
  const alike = judged.filter((each) => !isDanger(each));
  console.log(`${voices.join(', ')}: ${dangerous.length} dangers, ${alike.length} that look alike`);
  for (const t of THRESHOLDS) {
    const from = (of: typeof judged) =>
      (of.filter(({ chance }) => chance >= t).length / of.length).toFixed(3);
    console.log(`  by meaning alone from ${t}: found ${from(dangerous)}, false alarms ${from(alike)}`);
  }
  if (process.argv.includes('--mistakes'))
    for (const each of judged)
      if (each.chance >= BY_MEANING !== isDanger(each))
        console.log(`  ${isDanger(each) ? 'missed' : 'alarm'} ${each.chance.toFixed(2)} ${each.text}`);
}

async function examplesOf(texts: readonly Text[]): Promise<Example[]> {
  const vectors = await reading.embed(
    texts.map(({ text }) => text),
    { as: 'question', urgency: 'index' },
  );
  return texts.map((each, n) => ({ ...each, vector: vectors[n] ?? new Float32Array() }));
}

function own(file: 'danger' | 'others') {
  return lines(`./danger/data/${file}.txt`).map((line) => {
    const [voice = '', kind = '', text = ''] = line.split('|');
    const label = 1 + dangers.map(String).indexOf(kind);
    return { text, voice, label, weight: 1 };
  });
}

function others(file: string) {
  return lines(`./sentiment/data/${file}.txt`).map((text) => ({
    text,
    voice: '',
    label: 0,
    weight: OTHER_WEIGHT,
  }));
}

/** Acts besides asking: `act|text` per line. */
function acts(): Text[] {
  return readdirSync(new URL('./acts/data/', import.meta.url))
    .sort()
    .flatMap((file) => lines(`./acts/data/${file}`))
    .map((line) => ({
      text: line.slice(line.indexOf('|') + 1),
      voice: '',
      label: 0,
      weight: OTHER_WEIGHT,
    }));
}

/**
 * Callers' questions to ordinary businesses, which include stories of families, deadlines and broken things.
 */
function ordinary(writers: readonly string[], every: number) {
  return callers
    .filter(({ writer }) => writers.includes(writer))
    .flatMap(({ questions }) => questions)
    .filter((_, n) => n % every === 0)
    .map(({ question: text }) => ({ text, voice: '', label: 0, weight: OTHER_WEIGHT }));
}

/** The sentences of a message that a call classifies besides the whole. */
function sentencesOf(texts: readonly Text[]): Text[] {
  return texts.flatMap((each) =>
    readByThemselves(each.text, packOf('en').splitSentences).map((text) => ({ ...each, text })),
  );
}

function lines(path: string): string[] {
  return readFileSync(new URL(path, import.meta.url), 'utf8')
    .split('\n')
    .filter(Boolean);
}
