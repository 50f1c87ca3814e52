// Writes what scripts/relevance/train.py learns from: of every invented business its customers' questions, each with the passages
// that the product itself would read to it, and which of them answer.
//   npm run rows:relevance -- rows.json.gz [--being-written folder]
// A line a business: {writer, business, isHeldOut, texts, questions: [{kind, question, isTwo, passages, likeness, holds, read, statements, told}]}.
// The lists of a question hold places in `texts`: what the search brings, best first; `holds`, of those, what stands in the passage that answers;
// `read`, texts that answer; `statements`, those of that passage as they are chosen among, and `told`, which of them answers.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { openLibrary } from '#server/dialogue/knowledge/library';
import { nearText } from '#server/dialogue/knowledge/near-text';
import { type Passage, passageText } from '#server/dialogue/passages/contract';
import { type CallersBusiness, readCallers, readCallersBeingWritten, wordsAsWritten } from './callers.ts';
import { openReading } from './evaluate/brain.ts';

const SEARCHED = 12;
/** Statements that a text is cut to, as in nearText. */
const NEAR = 3;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'being-written': { type: 'string' } },
});
const [path] = positionals;
if (!path) throw new Error('Say where the rows are to be written: npm run rows:relevance -- rows.json.gz');

const folder = values['being-written'];
const businesses = folder ? readCallersBeingWritten(folder) : readCallers();
const reading = await openReading({ cache: true });
const library = openLibrary(reading);
const counts = { questions: 0, unplaced: 0, notFound: 0 };
const lines: string[] = [];
for (const business of businesses) lines.push(JSON.stringify(await rowOf(business)));
await library.close();
await reading.close();
writeFileSync(path, gzipSync(lines.map((line) => `${line}\n`).join('')));
console.log(
  `${businesses.length} businesses, ${counts.questions} questions; of the answerable ${counts.unplaced} have words that stand in no passage, and of ${counts.notFound} the search does not bring the passage.`,
);

async function rowOf({ writer, name, agent, questions, isHeldOut }: CallersBusiness) {
  await library.complete(agent);
  const texts = new Map<string, number>();
  const placeOf = (text: string) => {
    const place = texts.get(text) ?? texts.size;
    texts.set(text, place);
    return place;
  };
  const rows: object[] = [];
  for (const { kind, question, fragment, isTwo } of questions) {
    const [vector = null] = await reading.embed([question], { as: 'question' });
    const query = { text: question, vector, under: null };
    const [found] = await library.search(agent, [query], 200, AbortSignal.timeout(60_000));
    const every = found?.candidates ?? [];
    const searched = every.slice(0, SEARCHED);
    const shown = searched.map((candidate) => placeOf(nearText(candidate)));
    const holding = kind === 'near' ? [] : every.filter(({ passage }) => holds(passage, fragment));
    counts.questions += 1;
    if (kind !== 'near' && holding.length === 0) counts.unplaced += 1;
    if (holding.length > 0 && !holding.some((each) => searched.includes(each))) counts.notFound += 1;
    const [first] = holding;
    const statements = first && first.passage.statements.length > 1 ? first.passage.statements : [];
    const heading = first?.passage.headings.at(-1) ?? '';
    rows.push({
      kind,
      question,
      isTwo,
      isPlaced: holding.length > 0,
      passages: shown,
      likeness: searched.map(({ likeness }) => Number(likeness.toFixed(3))),
      holds: searched.flatMap((each, at) => (holding.includes(each) ? [shown[at]] : [])),
      read: holding.map((each) =>
        placeOf(
          wordsAsWritten(nearText(each)).includes(wordsAsWritten(fragment))
            ? nearText(each)
            : around(each.passage, fragment),
        ),
      ),
      statements: statements.map(({ told }) => placeOf([heading, told].filter(Boolean).join(': '))),
      told: statements.flatMap(({ text, told }) =>
        [text, told].some((each) => wordsAsWritten(each).includes(wordsAsWritten(fragment)))
          ? [placeOf([heading, told].filter(Boolean).join(': '))]
          : [],
      ),
    });
  }
  library.forget(agent);
  return { writer, business: name, isHeldOut, texts: [...texts.keys()], questions: rows };
}

function holds(passage: Passage, fragment: string): boolean {
  const text = [passageText(passage), passage.statements.map(({ text }) => text).join(' ')];
  return text.some((each) => wordsAsWritten(each).includes(wordsAsWritten(fragment)));
}

/** The passage, cut to the answering statement and its neighbours. */
function around(passage: Passage, fragment: string): string {
  const at = passage.statements.findIndex(({ text, told }) =>
    [text, told].some((each) => wordsAsWritten(each).includes(wordsAsWritten(fragment))),
  );
  const first = Math.max(0, at - 1);
  return at < 0
    ? passageText(passage)
    : passageText({ ...passage, statements: passage.statements.slice(first, first + NEAR) });
}
