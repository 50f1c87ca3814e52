// Trains server/languages/en/messages/acts.bin from scripts/acts/data/ and callers' questions:
//     npm run train:acts [-- --apart --mistakes --test=lines.txt]
// Deterministic: equal files give an equal model. `--apart` prints how each writer's lines are classified by
// a model that saw none of them, `--test` how it classifies the lines of a file that it does not learn from.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { learnedActs } from '#server/languages/en/messages/learned-acts';
import { TextClassifier, writeClassifier } from '#server/languages/text-classifier';
import { readCallers } from '../tests/bench/callers.ts';
import { openReading } from '../tests/bench/evaluate/brain.ts';
import { type Labelled, learnClassifier } from './lib/learn-classifier.ts';

/** Uses one of this many questions of each writer. */
const EVERY = 4;
/** Weight of texts written for another purpose. */
const OTHER_WEIGHT = 0.5;
/** Statements in calls that are none of the acts. */
const TOLD = ['neutral', 'neutral-near-urgent', 'negative', 'negative-near-urgent', 'positive-near-urgent'];
const LEARNING = { classes: 1 + learnedActs.length, hidden: 96, rounds: 15 };

interface Line {
  text: string;
  writer: string;
  label: number;
  weight: number;
}
type Example = Line & Labelled;

const folder = new URL('./acts/data/', import.meta.url);
const test = process.argv.find((argument) => argument.startsWith('--test='))?.slice('--test='.length);
const callers = readCallers();
// Cache vectors between runs.
const reading = await openReading({ cache: true });
const files = readdirSync(folder)
  .sort()
  .map((file) => ({ file: new URL(file, folder), name: file.replace(/\.txt$/, '') }));
const known = await examplesOf([
  ...files.flatMap(({ file, name }) => linesIn(file, name)),
  ...questionsOf(['A', 'B', 'C']),
  ...TOLD.flatMap((file) => toldIn(`./sentiment/data/${file}.txt`)),
  ...['danger', 'others'].flatMap((file) => toldIn(`./danger/data/${file}.txt`)),
]);
const unseen = await examplesOf(questionsOf(['D']));
const asked = test ? await examplesOf(linesIn(test, 'test')) : [];
await reading.close();

if (process.argv.includes('--apart'))
  for (const { name } of files) {
    const model = modelOf(known.filter(({ writer }) => writer !== name));
    const own = known.filter(({ writer }) => writer === name);
    report(name, own, model);
  }
const bytes = writeClassifier(learnClassifier(known, LEARNING), reading.revision);
const whole = new TextClassifier(bytes, LEARNING.classes);
report('questions to businesses, of an unseen writer', unseen, whole);
if (asked.length > 0) report('test', asked, whole);
writeFileSync(new URL('../server/languages/en/messages/acts.bin', import.meta.url), bytes);
console.log(`acts.bin: ${bytes.length} bytes from ${known.length} texts`);

function report(title: string, examples: readonly Example[], model: TextClassifier): void {
  const judged = examples.map((each) => {
    const chances = model.chancesOf(each.vector);
    const chance = Math.max(...chances);
    return { ...each, said: chances.indexOf(chance), chance };
  });
  const acts = judged.filter(({ label }) => label > 0);
  const others = judged.filter(({ label }) => label === 0);
  console.log(`\n${title}: ${acts.length} acts, ${others.length} others`);
  for (const least of [0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95]) {
    const taken = (of: typeof judged) => of.filter(({ said, chance }) => said > 0 && chance >= least);
    const right = taken(acts).filter(({ said, label }) => said === label).length;
    console.log(
      `  from ${least}: right ${right}, another act ${taken(acts).length - right}, taken for one ${taken(others).length}`,
    );
  }
  if (!process.argv.includes('--mistakes')) return;
  for (const { text, said, label, chance } of judged)
    if (said !== label) console.log(`    ${nameOf(label)} → ${nameOf(said)} ${chance.toFixed(2)} ${text}`);
}

function modelOf(seen: readonly Labelled[]): TextClassifier {
  return new TextClassifier(
    writeClassifier(learnClassifier(seen, LEARNING), reading.revision),
    LEARNING.classes,
  );
}

function nameOf(label: number): string {
  return learnedActs[label - 1] ?? 'none';
}

async function examplesOf(lines: readonly Line[]): Promise<Example[]> {
  const vectors = await reading.embed(
    lines.map(({ text }) => text),
    { as: 'question', urgency: 'index' },
  );
  return lines.map((line, n) => ({ ...line, vector: vectors[n] ?? new Float32Array() }));
}

/** `act|text` a line. */
function linesIn(file: string | URL, writer: string): Line[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const at = line.indexOf('|');
      const label = 1 + learnedActs.map(String).indexOf(line.slice(0, at));
      return { text: line.slice(at + 1), writer, label, weight: 1 };
    });
}

/** Callers' questions to ordinary businesses: each is a question to answer, whatever it sounds like. */
function questionsOf(writers: readonly string[]): Line[] {
  return callers
    .filter(({ writer }) => writers.includes(writer))
    .flatMap(({ writer, questions }) => questions.map(({ question }) => ({ writer, text: question })))
    .filter((_, n) => n % EVERY === 0)
    .map((each) => ({ ...each, label: 0, weight: OTHER_WEIGHT }));
}

/** Training lines of other classifiers; the part before the last bar is their label. */
function toldIn(file: string): Line[] {
  return readFileSync(new URL(file, import.meta.url), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => ({
      text: line.slice(line.lastIndexOf('|') + 1),
      writer: '',
      label: 0,
      weight: OTHER_WEIGHT,
    }));
}
