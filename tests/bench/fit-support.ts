// Finds the weights of server/dialogue/models/made-up.ts: how likely a sentence of a language model states what stands nowhere, by the
// features of `readingAgainst`, and by those and the logit of `ReadingEngine.entailment`. From the attempts that are not held out, without
// the sentences that rules judge.
//   npm run fit:support
// Each logit, in evaluate/made-up-logits.json, is by a model that saw nothing of the business (scripts/entailment/train.py). Prints,
// with every business judged by the weights that the others gave, the area under the curve and what each threshold says and
// withholds; then the weights from all of them. `npm run bench made-up` asks those that were held out.
//   npm run fit:support -- --rows rows.json.gz
// writes what that script learns from.
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { chanceOf } from '#server/dialogue/chance';
import { openReading } from './evaluate/brain.ts';
import { areaUnderCurve, type Example, logisticRegression } from './logistic-regression.ts';
import { type SupportRow, supportRows } from './support-rows.ts';

const THRESHOLDS = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7];
const LOGITS = new URL('evaluate/made-up-logits.json', import.meta.url);
const logitsSchema = z.array(z.object({ id: z.string(), logit: z.number() }));

const { values } = parseArgs({ options: { rows: { type: 'string' } } });
const reading = await openReading({ cache: true });
const rows: SupportRow[] = [];
for await (const row of supportRows(reading)) rows.push(row);
await reading.close();

if (values.rows) {
  await writeFile(values.rows, gzipSync(rows.map((row) => `${JSON.stringify(row)}\n`).join('')));
  console.log(`${rows.length} rows`);
} else {
  const fitted = rows.filter(({ isAttempt, isHeldOut, isRuled }) => isAttempt && !isHeldOut && !isRuled);
  printWeights('BY_WORDS', fitted, ({ features }) => features);
  const read = logitsSchema.parse(JSON.parse(await readFile(LOGITS, 'utf8')));
  const logits = new Map(read.map(({ id, logit }) => [id, logit]));
  printWeights('BY_A_LOOK', fitted, ({ id, features }) => {
    const logit = logits.get(id);
    if (logit === undefined) throw new Error(`There is no logit of ${id}: train with these rows.`);
    return [...features, logit];
  });
}

function printWeights(
  name: string,
  fitted: readonly SupportRow[],
  featuresOf: (row: SupportRow) => number[],
): void {
  const examples = fitted.map((row) => ({
    company: row.company,
    features: featuresOf(row),
    isSo: !row.isTrue,
    weight: 1,
  }));
  const judged = leftOutInTurn(examples);
  const [bad, good] = [judged.filter(({ isSo }) => isSo), judged.filter(({ isSo }) => !isSo)];
  console.log(`${bad.length} sentences made up, ${good.length} true, beyond what rules judge.`);
  console.log(`Area under the curve, each business left out in turn: ${areaUnderCurve(judged).toFixed(3)}`);
  for (const threshold of THRESHOLDS)
    console.log(
      `${threshold}: made up and said ${bad.filter(({ chance }) => chance < threshold).length}, true and withheld ${good.filter(({ chance }) => chance >= threshold).length}`,
    );
  const weights = logisticRegression(examples).map((weight) => Number(weight.toFixed(3)));
  console.log(`const ${name}: readonly number[] = [${weights.join(', ')}];\n`);
}

/** Judges each business by weights from the others. */
function leftOutInTurn(examples: readonly (Example & { company: string })[]) {
  return [...new Set(examples.map(({ company }) => company))].flatMap((company) => {
    const weights = logisticRegression(examples.filter((each) => each.company !== company));
    return examples
      .filter((each) => each.company === company)
      .map((each) => ({ ...each, chance: chanceOf(weights, each.features) }));
  });
}
