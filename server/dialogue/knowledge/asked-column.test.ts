import { expect, test } from 'vitest';
import { answerQuestion } from './ask.ts';
import { buildIndex } from './search-index.ts';

const gym = `# Iron Oak
## Membership
Members may bring a guest once a month for $9.

| Plan | Price | Minimum term |
|---|---|---|
| Basic | $29 a month | 12 months |
| Plus | $39 a month | 6 months |
| Family | $59 a month | 6 months |

### Pausing a membership
A membership can be paused for a fee of $5.
`;
const courier = `# Swift Couriers
## Delivery

| Service | Price | Time |
|---|---|---|
| City bike | $8 | 2 hours |
| Overnight van | $15 | next business day |
| Islands | $30 | 3 to 5 days |
| Freight | $80 | 6 days |
| Overseas | $120 | 2 weeks |

### Lost deliveries
Please report a lost delivery within 36 hours, and the search for your delivery takes 4 days.
`;
const bakery = `# Corner Bakery
## Cake orders

- Birthday cakes: 2 days
- Wedding cakes: 3 weeks
- Cupcakes: 1 day

### Changing cake orders
Please change cake orders within 12 hours.
`;

async function ask(information: string, text: string): Promise<string> {
  const index = await buildIndex(information, []);
  const { sentences } = answerQuestion(index, () => 'customer', {
    text,
    background: '',
    earlier: [],
    lastReply: '',
    vector: null,
    joinedVector: null,
  });
  return sentences.join(' ');
}

test.each([
  [gym, 'How much is a membership?', 'Basic: $29 a month. Plus: $39 a month. Family: $59 a month.'],
  [
    courier,
    'How long does delivery take?',
    'City bike: 2 hours. Overnight van: next business day. Islands: 3 to 5 days. Freight: 6 days.',
  ],
  [courier, 'How much is delivery?', 'City bike: $8. Overnight van: $15. Islands: $30. Freight: $80.'],
  [
    bakery,
    'How long do cake orders take?',
    'Birthday cakes: 2 days. Wedding cakes: 3 weeks. Cupcakes: 1 day.',
  ],
])('a table named like the topic is told by the column that was asked for: %#', async (info, asked, said) => {
  expect(await ask(info, asked)).toBe(said);
});

test.each([
  [courier, 'How long does freight delivery take?', 'Freight: $80, 6 days.'],
  [gym, 'How much is the family membership?', 'Family: price $59 a month, minimum term 6 months.'],
])('a question that names a row is answered with that row: %#', async (info, asked, said) => {
  expect(await ask(info, asked)).toBe(said);
});

test('a question about another matter under the same heading is not answered from the table', async () => {
  expect(await ask(gym, 'How much does pausing a membership cost?')).toMatch(/fee of \$5/);
  expect(await ask(courier, 'How long do I have to report a lost delivery?')).toMatch(/36 hours/);
  expect(await ask(gym, 'Can I pause my membership?')).toMatch(/paused/);
});
