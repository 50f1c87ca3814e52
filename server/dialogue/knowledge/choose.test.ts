import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReading } from '#server/engines/reading/index';
import { packOf } from '#server/languages/index';
import { engineReady } from '../../../tests/support/engine-ready.ts';
import type { Passage } from '../passages/contract.ts';
import { readPassages } from '../passages/read.ts';
import { choose, chooseByWords } from './choose.ts';

const language = packOf('en');
const reading = createReading();
beforeAll(() => engineReady(reading));
afterAll(() => reading.close());

const { signal } = new AbortController();

function onlyPassage(text: string): Passage {
  const [passage, ...others] = readPassages(text, language);
  if (!passage || others.length > 0) throw new Error(`Not one passage: ${text}`);
  return passage;
}

/** The words said to a question with the reader and, if wanted, by words only. */
async function said(question: string, passage: Passage, told: readonly string[] = []): Promise<string> {
  const [vector = null] = await reading.embed([question], { as: 'question' });
  const saying = await choose(
    { question, words: question, vector, language },
    { passage, statements: null },
    reading,
    signal,
    told,
  );
  return saying.sentences.join(' ');
}
const saidByWords = (question: string, passage: Passage) =>
  chooseByWords(question, { passage, statements: null }, language).sentences.join(' ');

describe('a rule and what limits it are never parted', () => {
  const passage = onlyPassage(`## Cancelling

You can reach the desk every day by telephone or by letter. The desk keeps a list of all bookings of the season. Bookings can be cancelled free of charge until 48 hours before the visit. Except for groups of more than ten people, who pay half of the price. The garden has three gates and the north one is locked at dusk. A map of the garden hangs beside each gate and another one in the hall.`);

  test('the exception comes with the rule', async () => {
    const question = 'Can I cancel my booking free of charge?';
    for (const text of [await said(question, passage), saidByWords(question, passage)]) {
      expect(text).toContain('until 48 hours before the visit. Except for groups of more than ten people');
      expect(text).not.toContain('gate');
    }
  });

  test('and the rule with the exception', async () => {
    const question = 'What do groups of more than ten people pay?';
    for (const text of [await said(question, passage), saidByWords(question, passage)])
      expect(text).toMatch(/until 48 hours before the visit\. Except for groups/);
  });

  test('what "they" means is said before it', async () => {
    const pets = onlyPassage(`## Animals

Horses are kept in the stable behind the orchard all year round. They are fed by the children on Sunday afternoons at three. The stable was built a hundred years ago of oak from the wood nearby. Its roof was made new last spring after the storm. Tickets are sold in the hall beside the shop and on the website as well.`);
    expect(await said('When are the horses fed?', pets)).toMatch(/^Horses are kept[\s\S]*They are fed/);
  });
});

describe('what is short is said as it is', () => {
  test('a paragraph', () => {
    const passage = onlyPassage('## Parking\n\nThe car park costs £4 a day. Bicycles are free.');
    expect(saidByWords('Is it free for bicycles?', passage)).toBe(
      'The car park costs £4 a day. Bicycles are free.',
    );
  });

  test('with a citation for each statement, under all its headings', () => {
    const passage = onlyPassage('# House\n\n## Parking\n\nThe car park costs £4 a day. Bicycles are free.');
    expect(chooseByWords('bicycles', { passage, statements: null }, language).citations).toEqual([
      { text: 'The car park costs £4 a day.', source: 'House › Parking' },
      { text: 'Bicycles are free.', source: 'House › Parking' },
    ]);
  });
});

describe('a list', () => {
  const list = onlyPassage('## Paying\n\nYou can pay by:\n\n- card\n- PayPal\n- bank transfer');

  test('asked for as a whole is said in one breath', async () => {
    for (const text of [
      await said('How can I pay?', list),
      saidByWords('What ways of paying do you have?', list),
    ])
      expect(text).toBe('You can pay by: card, PayPal and bank transfer.');
  });

  test('behind a paragraph its items are said once', () => {
    const passage = onlyPassage(`## Returns

Items can be returned within 45 days. The refund goes to the original payment method.

The following cannot be returned:
- gift cards
- opened software`);
    const text = saidByWords("What can't be returned?", passage);
    expect(text.match(/gift cards/gi)).toHaveLength(1);
    expect(text.match(/opened software/gi)).toHaveLength(1);
  });

  const long = onlyPassage(`## Opening a shop account

To open an account you need to:

- fill in the long yellow form that lies on the table beside the entrance of the main hall
- bring your passport or another paper with a photograph that is not older than ten years
- pay the deposit of twenty pounds in cash or by card at the desk on the ground floor
- wait for the letter with your number, which takes three working days in most weeks
- sign the letter and bring it back to the desk before the end of the same month`);

  test('too long to be said: what was asked for, with its introduction', async () => {
    const text = await said('What is the deposit for an account?', long);
    expect(text).toMatch(/^To open an account you need to:? pay the deposit of twenty pounds/);
    expect(text).not.toContain('yellow form');
  });

  test('an introduction is said once', async () => {
    const text = await said('Which papers do I need to bring to open an account?', long);
    expect(text).toContain('passport');
    expect(text.match(/To open an account/g)).toHaveLength(1);
  });
});

describe('of a table', () => {
  const table = onlyPassage(`## Prices

| Age | Price | Lessons |
|---|---|---|
| 4 to 15 | £6 | two a week in the small hall |
| 16 to 25 | £9 | three a week in the big hall |
| 26 to 59 | £12 | three a week in the big hall |
| 60 and over | £8 | one a week in the garden room |
| Families | £30 | four a week in either hall |`);

  test.each([
    ["I'm 42, what does it cost?", '£12'],
    ['How much for my son, he is 7?', '£6'],
    ['My grandmother is 81, how much is it?', '£8'],
    ['How much is it for families?', '£30'],
  ])('the row whose range it falls into: %s', async (question, price) => {
    const text = await said(question, table);
    expect(text).toContain(price);
    expect(text.match(/£/g)).toHaveLength(1);
  });
});

describe('what was told a moment ago', () => {
  const passage = onlyPassage(`## Riding

The stable was built a hundred years ago of oak from the wood behind the house. Riding lessons for children are given on Mondays. Riding lessons for adults are given on Thursdays. The pond beside the stable is deep, and swimming in it is at your own risk in every season.`);
  const question = 'When are riding lessons given?';
  const [, children = '', adults = ''] = passage.statements.map(({ text }) => text);

  test('is not told again while there is as good', async () => {
    expect(await said(question, passage)).toBe(`${children} ${adults}`);
    expect(await said(question, passage, [children])).toBe(adults);
    expect(await said(question, passage, [adults])).toBe(children);
  });

  test('is told again rather than something else', async () => {
    expect(await said(question, passage, [children, adults])).toBe(`${children} ${adults}`);
  });
});

test('a reader that fails is done without', async () => {
  const broken = {
    ...reading,
    embed: () => Promise.reject(new Error('gone')),
    relevance: () => Promise.reject(new Error('gone')),
  };
  const passage = onlyPassage(`## Garden

The garden was laid out by two sisters more than a hundred years ago around the old well. Roses bloom along the south wall from the end of May until the first frost of the autumn. Benches stand under the lime trees, and picnics are welcome on the lawn beside the pond.`);
  const question = 'When do the roses bloom?';
  const saying = await choose(
    { question, words: question, vector: null, language },
    { passage, statements: null },
    broken,
    signal,
  );
  expect(saying.sentences.join(' ')).toContain('end of May');
  expect(saying.relevance).toBeNull();
});
