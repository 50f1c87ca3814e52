import { describe, expect, test } from 'vitest';
import { itemAsSentence, rowAsSentence, rowsTogether } from './rows.ts';

const cells = (row: Record<string, string>) =>
  Object.entries(row).map(([column, value]) => ({ column: column.trim(), value }));
const canada = cells({ Destination: 'Canada', Price: '$24.00', Time: '6 to 9 business days' });

describe('a row is a sentence', () => {
  test.each([
    [
      'Delivery',
      cells({ Delivery: 'Canada', Price: '$24.00', Time: '6 to 9 days' }),
      'For Canada, delivery costs $24.00 and takes 6 to 9 days.',
    ],
    ['Sending', canada, "For Canada, it's $24.00 and it takes 6 to 9 business days."],
    ['Tickets', cells({ Tickets: 'Under 16', Price: 'Free' }), 'For under 16, tickets are free.'],
    [
      'Sizes',
      cells({ Tent: 'Large tent', Weight: '6 kg', 'Packed Size': '70 cm' }),
      'For large tent, the weight is 6 kg and the packed size is 70 cm.',
    ],
    [
      'Prices',
      cells({ Age: '6 to 11', Fee: '£4.50 Per session' }),
      "For age 6 to 11, it's £4.50 per session.",
    ],
    ['Prices', cells({ '': 'Kayak', ' ': '£9' }), "For Kayak, it's £9."],
    [
      'Hours',
      cells({ Day: 'Saturday', Opens: '05:00', Closes: '18:30' }),
      'For Saturday, it opens at 05:00 and closes at 18:30.',
    ],
    [
      'Coaches',
      cells({ 'Leaves Barrow': '07:40', 'Arrives in Ulm': '09:05', Coach: 'Red Line', Runs: 'Daily' }),
      'It leaves Barrow at 07:40, arrives in Ulm at 09:05, the coach is Red Line and it runs daily.',
    ],
    [
      'Counters',
      cells({ '': 'Sunday', Quayside: '10.00–14.00', Upton: 'closed' }),
      "For Sunday, it's 10.00–14.00 for Quayside and closed for Upton.",
    ],
    [
      'Passes',
      cells({ Pass: 'Owl', 'When you may swim': 'after 6 pm' }),
      'For Owl, when you may swim: after 6 pm.',
    ],
  ])('under %s', (heading, row, sentence) => {
    expect(rowAsSentence(row, 'Tell me about it', heading)).toBe(sentence);
  });

  test('only what was asked for is told of it', () => {
    expect(rowAsSentence(canada, 'How long does it take?', 'Sending')).toBe(
      'For Canada, it takes 6 to 9 business days.',
    );
    expect(rowAsSentence(canada, 'How much is it?', 'Sending')).toBe("For Canada, it's $24.00.");
  });

  test('amounts of several columns keep their names', () => {
    const fees = cells({ Fee: 'New key', Junior: '€5', Senior: 'free' });
    expect(rowAsSentence(fees, 'Tell me', 'Fees')).toBe(
      "For new key, it's €5 for Junior and free for Senior.",
    );
    expect(rowAsSentence(fees, 'How much is it for a senior?', 'Fees')).toBe(
      "For new key, it's free for Senior.",
    );
  });

  test('ticks and dashes are said as yes and no', () => {
    const row = cells({
      '': 'Late checkout',
      Basic: '–',
      Silver: '✓',
      Gold: '✓, until noon',
      Club: 'Sundays only',
    });
    expect(rowAsSentence(row, 'Tell me', 'Rooms')).toBe(
      'Late checkout: yes for Silver and Gold, no for Basic, Sundays only for Club.',
    );
    expect(rowAsSentence(row, 'Can I check out late on Basic?', 'Rooms')).toBe(
      'Late checkout: no for Basic.',
    );
  });

  test('what is no short fact stays as it is written', () => {
    expect(
      rowAsSentence(cells({ '': 'Monday', ' ': 'Story hour, then crafts' }), 'When?', 'Week'),
    ).toBeNull();
  });
});

test('several amounts are told in one breath', () => {
  expect(rowsTogether(["For Adult, it's £12.", "For Child, it's £6."])).toEqual([
    "It's £12 for Adult and £6 for Child.",
  ]);
  expect(rowsTogether(['For maps, the data use is 5 MB.', 'For films, the data use is 2 GB.'])).toEqual([
    'The data use is 5 MB for maps and 2 GB for films.',
  ]);
  const others = ["For Adult, it's £12.", 'For Child, the seat is booster.'];
  expect(rowsTogether(others)).toEqual(others);
});

test('a price in a list is a sentence, other items stay', () => {
  expect(itemAsSentence('Old sofa: £40.')).toBe("For old sofa, it's £40.");
  expect(itemAsSentence('Over the Moor - hard: Starts April 9, 2031.')).toBe(
    'Over the Moor - hard starts April 9, 2031.',
  );
  expect(itemAsSentence('Harbour desk: 4 Quay Street.')).toBe('Harbour desk: 4 Quay Street.');
});
