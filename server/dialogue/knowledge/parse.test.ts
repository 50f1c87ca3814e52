import { expect, test } from 'vitest';
import { parseKnowledge } from './parse.ts';

const unitsOf = (text: string, prompts: string[] = []) => parseKnowledge(text, prompts).units;

test('a sentence stands under its headings', () => {
  const [unit] = unitsOf('# Shop\n\n## Returns\n\nYou have **45 days**.');
  expect(unit).toMatchObject({ text: 'You have 45 days.', headings: ['Shop', 'Returns'], kind: 'sentence' });
});

test('list items know what introduces them', () => {
  const { units, blocks } = parseKnowledge('We accept:\n\n- Visa\n- cash\n  in stores only\n', []);
  expect(units.map((u) => [u.text, u.leadIn])).toEqual([
    ['We accept:', ''],
    ['Visa', 'We accept:'],
    ['cash in stores only', 'We accept:'],
  ]);
  expect(blocks[1]).toMatchObject({ kind: 'list', leadInUnit: 0 });
});

test('a table row is told with its columns', () => {
  const [row] = unitsOf('| Country | Price | Time |\n|---|---|---|\n| Canada | $24 | 6 days |');
  expect(row).toMatchObject({ kind: 'row', text: 'Canada: price $24, time 6 days.' });
});

test('questions and answers are read in the usual ways of writing them', () => {
  for (const text of [
    'Q: Is there a trial?\nA: Yes. It lasts 14 days.',
    'Q: Is there a trial? A: Yes. It lasts 14 days.',
    '### Is there a trial?\n\nYes. It lasts 14 days.',
    '**Is there a trial?**\nYes. It lasts 14 days.',
    'Is there a trial?\n\nYes. It lasts 14 days.',
  ])
    expect(unitsOf(text), text).toMatchObject([
      { question: 'Is there a trial?', text: 'Yes. It lasts 14 days.' },
    ]);
});

test('lines of plain text that stand for themselves are items, wrapped lines are one sentence', () => {
  expect(unitsOf('Opening hours:\nMonday: 8 to 6\nTuesday: 8 to 1').map((u) => u.text)).toContain(
    'Monday: 8 to 6',
  );
  const wrapped =
    'The minimum term of the contract is twelve months and it goes on\nmonth by month after that.';
  expect(unitsOf(wrapped)).toHaveLength(1);
});

test('a line in capitals and a short line above prose are headings', () => {
  expect(unitsOf('BILLING\n\nBills come on the 5th of each month.')[0]?.headings).toEqual(['BILLING']);
  expect(unitsOf('Our team\nDr. Lind treats children and nervous patients.')[0]?.headings).toEqual([
    'Our team',
  ]);
});

test('mark-up, links and odd input never break it', () => {
  expect(unitsOf('See [our page](https://a.example/x) <b>now</b>.')[0]?.text).toBe(
    'See our page (a.example/x) now .'.replace(' .', ' .'),
  );
  for (const text of ['', '\n\n', '|', '| a', '# ', '- ', '***', '\u0000', '|a|\n|-|', '1.'.repeat(500)])
    expect(() => unitsOf(text)).not.toThrow();
});
