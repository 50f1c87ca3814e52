// Trains server/languages/danger.bin from scripts/danger/data/ and what the sentiment classifier learns from:
//   npm run train:danger
// Deterministic: the same files give the same model. Prints how it judges voices that it has not seen, three at a time.
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { createReading } from '#server/engines/reading/index';
import {
  BY_MEANING,
  DangerModel,
  dangers,
  decideDanger,
  readByThemselves,
  SIZE,
  writeDangerModel,
} from '#server/languages/danger';
import { packOf } from '#server/languages/index';
import { readCallers } from '../tests/bench/callers.ts';
import { regression, type Sample, type Training } from './sentiment/regression.ts';

/** Ways of wording. Each third is judged by a model that saw none of it. */
const VOICES = [
  ['quiet', 'spoken', 'foreign'],
  ['told', 'asking', 'child'],
  ['plain', 'panic', 'written'],
];
/** What was written for the sentiment classifier counts less than what was written for this. */
const OTHER_WEIGHT = 0.5;
const OTHERS = ['neutral', 'neutral-near-urgent', 'negative', 'negative-near-urgent', 'positive-near-urgent'];
const TRAINING: Training = {
  features: SIZE,
  constant: SIZE - 1,
  lean: [0, ...dangers.map(() => 0)],
  rounds: 60,
  rate: 0.5,
  decay: 3e-5,
};

interface Example extends Sample {
  text: string;
  voice: string;
}

const reading = createReading();
const callers = readCallers();
const asked = ordinary(['A', 'B', 'C'], 3);
const written = [
  ...own('danger'),
  ...own('others'),
  ...OTHERS.flatMap(others),
  ...asked,
  ...sentencesOf(asked),
];
/** Of a writer that nothing is learnt from. */
const unseen = ordinary(['D'], 3);
const unseenRead = unseen.map(({ text }) => [text, ...readByThemselves(text, packOf('en').splitSentences)]);
const vectors = await reading.embed(
  written.map(({ text }) => text),
  { as: 'question', urgency: 'index' },
);
const unseenVectors = await reading.embed(unseenRead.flat(), { as: 'question', urgency: 'index' });
await reading.close();
const examples = written.map((each, n): Example => {
  const values = Float32Array.from([...(vectors[n] ?? []), 1]);
  return { ...each, at: Uint32Array.from(values.keys()), values };
});

const judged = VOICES.flatMap((held, part) => {
  const isHeld = ({ voice, text }: Example) =>
    held.includes(voice) || (voice === '' && text.length % 3 === part);
  const model = modelOf(examples.filter((each) => !isHeld(each)));
  return examples.filter(isHeld).map((each) => {
    const seen = model.see(each.values.subarray(0, SIZE - 1));
    const rule = packOf('en').messages.read(each.text).danger;
    return { ...each, seen, rule, isFound: decideDanger(rule, [seen]) !== null };
  });
});
const share = (of: typeof judged) => of.filter(({ isFound }) => isFound).length / of.length;
for (const voice of VOICES.flat()) {
  const of = judged.filter((each) => each.voice === voice);
  const found = share(of.filter(({ label }) => label > 0));
  const alarms = share(of.filter(({ label }) => label === 0));
  console.log(
    `${voice.padEnd(8)} found ${found.toFixed(3)}  false alarms ${alarms.toFixed(3)}  of ${of.length}`,
  );
}
const ours = judged.filter(({ voice }) => voice !== '');
console.log(`all      found ${share(ours.filter(({ label }) => label > 0)).toFixed(3)}`);
console.log(`false alarms: look-alikes ${share(ours.filter(({ label }) => label === 0)).toFixed(3)}`);
console.log(`false alarms: other messages ${share(judged.filter(({ voice }) => voice === '')).toFixed(4)}`);
for (const t of [0.3, 0.4, 0.5, 0.6, 0.7, 0.8]) {
  const at = (of: typeof judged) => (of.filter(({ seen }) => seen.chance >= t).length / of.length).toFixed(3);
  console.log(
    `  by meaning alone from ${t}: found ${at(ours.filter(({ label }) => label > 0))}, look-alikes ${at(ours.filter(({ label }) => label === 0))}, others ${at(judged.filter(({ voice }) => voice === ''))}`,
  );
}
if (process.argv.includes('--mistakes'))
  for (const { text, isFound, label, seen } of ours)
    if (isFound !== label > 0)
      console.log(`  ${isFound ? 'alarm' : 'missed'} ${seen.chance.toFixed(2)} ${text}`);

const bytes = writeDangerModel(regression(examples, TRAINING), reading.revision);
const whole = new DangerModel(bytes);
const unseenSeen = unseenRead.map((texts) => unseenVectors.splice(0, texts.length).map((v) => whole.see(v)));
for (const t of [0.1, 0.3, 0.5, BY_MEANING, 0.8, 0.9, 0.95])
  console.log(
    `  callers unseen, from ${t}: whole ${unseenSeen.filter(([seen]) => (seen?.chance ?? 0) >= t).length}, a sentence by itself ${unseenSeen.filter(([, ...seen]) => seen.some(({ chance }) => chance >= t)).length} of ${unseen.length}`,
  );
const alarms = unseen.filter(({ text }, n) =>
  decideDanger(packOf('en').messages.read(text).danger, unseenSeen[n] ?? []),
);
console.log(`  callers unseen, taken for danger: ${alarms.length} of ${unseen.length}`);
if (process.argv.includes('--mistakes')) for (const { text } of alarms) console.log(`    ${text}`);
writeFileSync(new URL('../server/languages/danger.bin', import.meta.url), bytes);
console.log(`danger.bin: ${bytes.length} bytes from ${examples.length} texts`);

function modelOf(seen: readonly Sample[]): DangerModel {
  return new DangerModel(writeDangerModel(regression(seen, TRAINING), reading.revision));
}

/** `voice|kind|text` a line. */
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

/** What callers ask ordinary businesses: stories of families, deadlines and broken things among them. */
function ordinary(writers: readonly string[], every: number) {
  return callers
    .filter(({ writer }) => writers.includes(writer))
    .flatMap(({ questions }) => questions)
    .filter((_, n) => n % every === 0)
    .map(({ question: text }) => ({ text, voice: '', label: 0, weight: OTHER_WEIGHT }));
}

/** What a call reads of a message beside the whole. */
function sentencesOf<Text extends { text: string }>(texts: readonly Text[]) {
  return texts.flatMap((each) =>
    readByThemselves(each.text, packOf('en').splitSentences).map((text) => ({ ...each, text })),
  );
}

function lines(path: string): string[] {
  return readFileSync(new URL(path, import.meta.url), 'utf8')
    .split('\n')
    .filter(Boolean);
}
