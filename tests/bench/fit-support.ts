// Finds the weights of server/dialogue/models/made-up.ts: how likely a sentence of a language model states what stands nowhere, by the
// features of `readingAgainst`. From the attempts that are not held out, without the sentences that rules judge.
//   npm run fit:support
// Prints, with every business judged by the weights that the others gave, the area under the curve and what each threshold says and
// withholds; then the weights from all of them. `npm run bench made-up` asks those that were held out.
import { chanceOf } from '#server/dialogue/chance';
import { openLibrary } from '#server/dialogue/knowledge/library';
import { readingAgainst } from '#server/dialogue/models/made-up';
import { passagesFor } from '#server/dialogue/models/passages-for';
import { packOf } from '#server/languages/index';
import { type Attempt, agentOf, readAttempts } from './attempts.ts';
import { openReading } from './evaluate/brain.ts';
import { areaUnderCurve, type Example, logisticRegression } from './logistic-regression.ts';

const THRESHOLDS = [0.3, 0.4, 0.5, 0.6, 0.7];

interface Judged extends Example {
  company: string;
}

const reading = await openReading({ cache: true });
const library = openLibrary(reading);
const examples: Judged[] = [];
for (const attempt of await readAttempts('dev')) examples.push(...(await examplesOf(attempt)));
await library.close();
await reading.close();

const judged = [...new Set(examples.map(({ company }) => company))].flatMap((company) => {
  const weights = logisticRegression(examples.filter((each) => each.company !== company));
  return examples
    .filter((each) => each.company === company)
    .map((each) => ({ ...each, chance: chanceOf(weights, each.features) }));
});
const [bad, good] = [judged.filter(({ isSo }) => isSo), judged.filter(({ isSo }) => !isSo)];
console.log(`${bad.length} sentences made up, ${good.length} true, beyond what rules judge.`);
console.log(`Area under the curve, each business left out in turn: ${areaUnderCurve(judged).toFixed(3)}`);
for (const threshold of THRESHOLDS)
  console.log(
    `${threshold}: made up and said ${bad.filter(({ chance }) => chance < threshold).length}, true and withheld ${good.filter(({ chance }) => chance >= threshold).length}`,
  );
const weights = logisticRegression(examples).map((weight) => Number(weight.toFixed(3)));
console.log(`\nconst WEIGHTS: readonly number[] = [${weights.join(', ')}];`);

async function examplesOf(attempt: Attempt): Promise<Judged[]> {
  const agent = agentOf(attempt);
  const pack = packOf(agent.language);
  const message = pack.messages.read(attempt.message);
  // It never reaches a model.
  if (message.acts.includes('injection')) return [];
  await library.complete(agent);
  const question = [message.background, ...message.needs].filter(Boolean).join(' ') || attempt.message;
  const { statements } = await passagesFor(
    { library, reading, readingEnds: null },
    agent,
    { text: question, context: null },
    AbortSignal.timeout(60_000),
  );
  const against = readingAgainst(pack, {
    told: statements,
    customer: [...attempt.said, attempt.message],
    names: [agent.name, agent.companyName],
    question,
    isKnown: true,
    isOwnLanguage: true,
  });
  const isJudged = (sentence: string) =>
    pack.claims.isStatement(sentence) &&
    !pack.claims.actsItself(sentence) &&
    !against.saysLittle(sentence) &&
    !against.figureNowhere(sentence);
  const examplesIn = (sentences: readonly string[], isSo: boolean) =>
    sentences.filter(isJudged).map((sentence) => ({
      company: attempt.company,
      features: against.features(sentence),
      isSo,
      weight: 1,
    }));
  library.forget(agent);
  return [...examplesIn(attempt.bad, true), ...examplesIn(attempt.good, false)];
}
