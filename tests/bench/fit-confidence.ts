// Finds the weights of server/dialogue/knowledge/confidence.ts: how likely what would be said answers the question, by the features of
// `Found`. From the questions of development sets alone, each asked by itself; vague ones are left out.
//   npm run fit:confidence -- [--strangers strangers-dev.json …] [--own-weight 1] [--strangers-weight 3] [--callers-weight 1]
//   --glance   the weights for when there is no time for the cross-encoder
// Prints, with every document judged by the weights that the others gave: the area under the curve, and at each threshold how many of
// a kind are above it and how many of these are right; then the weights from all documents.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chanceOf } from '#server/dialogue/chance';
import { find, type Knowing } from '#server/dialogue/knowledge/find';
import { openLibrary } from '#server/dialogue/knowledge/library';
import { glancing } from '../support/glancing.ts';
import { openReading } from './evaluate/brain.ts';
import { callersRounds } from './evaluate/callers-set.ts';
import type { Round } from './evaluate/case.ts';
import { groupBy } from './evaluate/group-by.ts';
import { ownRounds } from './evaluate/own-sets.ts';
import { strangersRounds } from './evaluate/strangers-set.ts';
import { areaUnderCurve, type Example, logisticRegression } from './logistic-regression.ts';

const THRESHOLDS = [0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8];

const { values: options } = parseArgs({
  options: {
    glance: { type: 'boolean', default: false },
    strangers: { type: 'string', multiple: true, default: [] },
    'own-weight': { type: 'string', default: '1' },
    'strangers-weight': { type: 'string', default: '3' },
    'callers-weight': { type: 'string', default: '1' },
  },
});

interface Judged extends Example {
  document: string;
  kind: string;
}

const own = ownRounds(join(dirname(fileURLToPath(import.meta.url)), 'answers')).filter(
  ({ together }) => !together,
);
const reading = await openReading({ cache: true });
const library = openLibrary(reading);
const knowing = {
  library,
  reading: options.glance ? glancing(reading) : reading,
  readingEnds: null,
  looksClosely: true,
};
const examples = [
  ...(await examplesOf(knowing, forTuning(own), Number(options['own-weight']), 'own, ')),
  ...(await examplesOf(
    knowing,
    forTuning(options.strangers.flatMap(strangersRounds)),
    Number(options['strangers-weight']),
    '',
  )),
  ...(await examplesOf(knowing, callersRounds(), Number(options['callers-weight']), 'callers, ')),
];
await library.close();
await reading.close();

const documents = groupBy(examples, ({ document }) => document);
const judged = documents.flatMap(([document, group]) => {
  const weights = logisticRegression(examples.filter((each) => each.document !== document));
  return group.map((each) => ({ ...each, chance: chanceOf(weights, each.features) }));
});
console.log(
  `${examples.length} questions on ${documents.length} documents, ${examples.filter(({ isSo }) => isSo).length} said rightly.`,
);
console.log(`Area under the curve, each document left out in turn: ${areaUnderCurve(judged).toFixed(3)}`);
console.log(
  '\nAsked and said rightly; then, from each threshold up, how many are said and how many of these are right.',
);
console.table(
  Object.fromEntries(
    groupBy(judged, ({ kind }) => kind).map(([kind, group]) => [
      kind,
      Object.fromEntries([0, ...THRESHOLDS].map((threshold) => [`≥ ${threshold}`, counts(group, threshold)])),
    ]),
  ),
);
const weights = logisticRegression(examples).map((weight) => Number(weight.toFixed(3)));
console.log(`\nconst WEIGHTS: readonly number[] = [${weights.join(', ')}];`);

function counts(group: readonly (Judged & { chance: number })[], threshold: number): string {
  const above = group.filter(({ chance }) => chance >= threshold);
  return `${above.length} (${above.filter(({ isSo }) => isSo).length})`;
}

/** Keeps held-out questions out. */
function forTuning(rounds: readonly Round[]): Round[] {
  return rounds.filter(({ half }) => half === 'dev');
}

async function examplesOf(
  knowing: Knowing,
  rounds: readonly Round[],
  weight: number,
  before: string,
): Promise<Judged[]> {
  const examples: Judged[] = [];
  for (const { agent, name, cases } of rounds) {
    await knowing.library.complete(agent);
    for (const { kind, nature, question, judge } of cases) {
      if (nature === 'vague') continue;
      const asked = { text: question, context: null };
      const { features, saying } = await find(knowing, agent, asked, new AbortController().signal);
      if (!saying) continue;
      const { sentences, citations } = saying;
      const { right } = judge({ text: sentences.join(' '), citations, outcome: 'answered' });
      const isSo = nature === 'answerable' && right;
      examples.push({ document: name, kind: before + kind, features, isSo, weight });
    }
    knowing.library.forget(agent);
  }
  return examples;
}
