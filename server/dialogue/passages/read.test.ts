import { describe, expect, test } from 'vitest';
import { packOf } from '#server/languages/index';
import { passageText } from './contract.ts';
import { readPassages as read } from './read.ts';

const readPassages = (text: string) => read(text, packOf('en'));

const told = (text: string) => readPassages(text).flatMap(({ statements }) => statements.map((s) => s.told));
const allText = (text: string) => readPassages(text).map(passageText).join('\n');

describe('markdown', () => {
  test('a paragraph stands under its headings, without markup', () => {
    expect(readPassages('# Shop\n\n## Returns\n\nYou have **45 days** to `return` *it*.')).toEqual([
      {
        id: 0,
        headings: ['Shop', 'Returns'],
        kind: 'prose',
        lead: null,
        statements: [
          {
            kind: 'sentence',
            text: 'You have 45 days to return it.',
            told: 'You have 45 days to return it.',
            leansOn: [],
          },
        ],
      },
    ]);
  });

  test('an item is told with what introduces it', () => {
    const [passage] = readPassages(
      'You can get:\n\n- Up to two free refills, **or**\n- A voucher\n\nThe voucher is up to you.',
    );
    expect(passage).toMatchObject({ lead: 'You can get:' });
    expect(passage?.statements.map((s) => s.told)).toEqual([
      'You can get up to two free refills.',
      'You can get A voucher.',
      'The voucher is up to you.',
    ]);
  });

  test('where a join is not safe an item stands behind its introduction', () => {
    expect(told('What to bring:\n\n- Towel\n- Shoes')).toEqual([
      'What to bring: Towel.',
      'What to bring: Shoes.',
    ]);
  });

  test('items that hold together only, and sub-items, lean on each other', () => {
    const [both] = readPassages('You must be:\n- 18 or over, and\n- a resident');
    expect(both?.statements.map((s) => s.leansOn)).toEqual([[1], [0]]);
    const [nested] = readPassages('- Dogs\n  - on a lead\n  - not in the pool');
    expect(nested?.statements).toMatchObject([
      { text: 'Dogs' },
      { told: 'Dogs: on a lead.', leansOn: [0] },
      { told: 'Dogs: not in the pool.', leansOn: [0] },
    ]);
  });

  test('a row is told with its column names', () => {
    const [passage] = readPassages(
      '## Sending\n\n| Country | Price | Time |\n|---|---|---|\n| Canada | $24 | 6 days |',
    );
    expect(passage).toMatchObject({ kind: 'table', headings: ['Sending'] });
    expect(passage?.statements[0]).toMatchObject({
      text: 'Canada | $24 | 6 days',
      told: 'Canada: Price: $24; Time: 6 days.',
      cells: [
        { column: 'Country', value: 'Canada' },
        { column: 'Price', value: '$24' },
        { column: 'Time', value: '6 days' },
      ],
    });
  });

  test('rows of two tables that begin alike are told apart', () => {
    const table = (price: string) => `| Cover | Premium |\n|---|---|\n| $1,000 | ${price} |\n`;
    expect(told(`## Under 30\n\n${table('$2')}\n## Over 30\n\n${table('$4')}`)).toEqual([
      'Under 30: Cover $1,000: Premium: $2.',
      'Over 30: Cover $1,000: Premium: $4.',
    ]);
  });

  test('what was struck out, comments and code of components are gone; what they show stays', () => {
    const text = `import Box from './box';

<Box headline="Two weeks free of charge" link="https://a.example" />

Open until ~~5~~ 6 <!-- check -->pm. {/* ask Jo */}

<strike>Closed on Mondays.</strike>`;
    expect(told(text)).toEqual(['Two weeks free of charge.', 'Open until 6 pm.']);
  });

  test('front matter gives its title and description, in every page of a collection', () => {
    const text = `---
layout: page
title: Billing
description: "How we bill."
---

Monthly.

---
title: Refunds
---

Within a week.`;
    expect(
      readPassages(text).map(({ headings, statements }) => [headings, statements.map((s) => s.text)]),
    ).toEqual([
      [['Billing'], ['How we bill.', 'Monthly.']],
      [['Refunds'], ['Within a week.']],
    ]);
  });

  test('an address is kept where nothing else tells it', () => {
    expect(
      told(
        '[Contact us](https://a.example/contact) or write [to us](mailto:hi@a.example). See [our long list](/list) and [ring](tel:+441).',
      ),
    ).toEqual([
      'Contact us (https://a.example/contact) or write to us (hi@a.example).',
      'See our long list and ring (+441).',
    ]);
  });

  test('signs that are no markup are text', () => {
    expect(told('Write <order number> into the subject. It takes ~5 to ~10 days, 3 < 4.')).toEqual([
      'Write <order number> into the subject.',
      'It takes ~5 to ~10 days, 3 < 4.',
    ]);
  });
});

describe('questions and answers', () => {
  test.each([
    'Q: Is there a trial?\nA: Yes. It lasts 14 days.',
    'Q: Is there a trial? A: Yes. It lasts 14 days.',
    '## **Q. Is there a trial?**\n\nA. Yes. It lasts 14 days.',
    '### Is there a trial?\n\nYes. It lasts 14 days.',
    '**Is there a trial?**\nYes. It lasts 14 days.',
    '**Is there a trial?**\n\nYes. It lasts 14 days.',
    'Is there a trial?\n\nYes. It lasts 14 days.',
    'Is there a trial?\nYes. It lasts 14 days.',
    '- **Is there a trial?**\n\n  Yes. It lasts 14 days.',
    '<details><summary>Is there a trial?</summary>Yes. It lasts 14 days.</details>',
    'Frage: Is there a trial?\nAntwort: Yes. It lasts 14 days.',
  ])('%j', (text) => {
    expect(readPassages(text)).toMatchObject([
      { kind: 'answer', lead: 'Is there a trial?', statements: [{ text: 'Yes. It lasts 14 days.' }] },
    ]);
  });

  test('the questions of a section keep its heading', () => {
    const text =
      'Delivery\n\nWhen will it come?\nWithin two days of your order, as a rule.\n\nWhat does it cost?\nTwo pounds.';
    expect(readPassages(text).map(({ headings, lead }) => [headings, lead])).toEqual([
      [['Delivery'], 'When will it come?'],
      [['Delivery'], 'What does it cost?'],
    ]);
  });

  test('an answer keeps its list', () => {
    const [passage, ...more] = readPassages(
      '## What should I bring?\n\nFor the pool:\n\n- towel\n- cap\n\nLockers are free.',
    );
    expect(more).toEqual([]);
    expect(passage?.statements.map((s) => [s.kind, s.told])).toEqual([
      ['sentence', 'For the pool: towel and cap.'],
      ['item', 'For the pool: towel.'],
      ['item', 'For the pool: cap.'],
      ['sentence', 'Lockers are free.'],
    ]);
  });
});

describe('a price card typed by hand', () => {
  const card = `HILLTOP CYCLES – HIRE & REPAIR
by the old mill. Ring first, 01632 960000

** SUMMER 2031 **
Shop: 9–5
Hire desk: 8–6

PRICES per day
                        Low      High (July + Aug)
Town bike               £8       £11
Mountain bike           £15      £19
  ditto, electric       £25      £31
Helmet free.

REPAIRS
Puncture ........ £6
Full service, 2 hrs .... £45

DOGS
Not in the trailers. Water for dogs by the door.

LATE RETURN £5 an hour. More than 3 hrs = a full day.`;
  const passages = readPassages(card);
  const under = (heading: string) => passages.filter(({ headings }) => headings.at(-1) === heading);

  test('lines in capitals head what is below them', () => {
    expect(passages.map(({ headings }) => headings.at(-1))).toEqual([
      'HILLTOP CYCLES – HIRE & REPAIR',
      'SUMMER 2031',
      'PRICES per day',
      'REPAIRS',
      'DOGS',
      'LATE RETURN',
    ]);
  });

  test('short lines are told with their heading', () => {
    expect(under('SUMMER 2031')[0]?.statements.map((s) => s.told)).toEqual([
      'Summer 2031, Shop: 9–5.',
      'Summer 2031, Hire desk: 8–6.',
    ]);
    expect(under('DOGS')[0]?.statements[0]?.told).toBe('Dogs: Not in the trailers.');
  });

  test('a line above aligned columns names them; an indented row goes on the one above', () => {
    expect(under('PRICES per day')[0]?.statements.map((s) => s.told)).toEqual([
      'Town bike: Low: £8; High (July + Aug): £11.',
      'Mountain bike: Low: £15; High (July + Aug): £19.',
      'Mountain bike – ditto, electric: Low: £25; High (July + Aug): £31.',
      'Prices per day: Helmet free.',
    ]);
    expect(under('PRICES per day')[0]?.statements[2]?.leansOn).toEqual([1]);
  });

  test('dots lead to a price', () => {
    expect(under('REPAIRS')[0]?.statements).toMatchObject([
      { kind: 'row', told: 'Puncture: £6.' },
      { kind: 'row', told: 'Full service, 2 hrs: £45.' },
    ]);
  });

  test('labelled lines below a title are told with it', () => {
    expect(
      told(
        'We are a bakery in the old town and bake every night.\n\nOpening hours:\nMonday: 6 to 2\nSunday: closed',
      ),
    ).toEqual([
      'We are a bakery in the old town and bake every night.',
      'Opening hours, Monday: 6 to 2.',
      'Opening hours, Sunday: closed.',
    ]);
  });
});

describe('tables without markup', () => {
  test.each([
    ['tabs', 'Room\tPrice\nSingle\t€60\nDouble\t€90'],
    ['commas', 'Room,Price,Beds\nSingle,€60,1\nDouble,€90,2'],
    ['bars', 'Room | Price\nSingle | €60\nDouble | €90'],
    ['spaces', 'Room      Price\nSingle    €60\nDouble    €90'],
  ])('%s', (_, text) => {
    const [passage] = readPassages(text);
    expect(passage?.kind).toBe('table');
    expect(passage?.statements.map((s) => s.cells?.slice(0, 2))).toEqual([
      [
        { column: 'Room', value: 'Single' },
        { column: 'Price', value: '€60' },
      ],
      [
        { column: 'Room', value: 'Double' },
        { column: 'Price', value: '€90' },
      ],
    ]);
  });
});

describe('tables as people type and paste them', () => {
  test('heads of two storeys name each column with what stands above it', () => {
    expect(
      told(
        'Boats\n\n\tMay\tJune to August\n\tTue - Thu\tFri - Sun\tTue - Thu\tFri - Sun\nCanoe\t£8\t£9\t£11\t£13\nRaft (6 seats)\t£20\t£22\t£27\t£29',
      ).at(-1),
    ).toBe(
      'Raft (6 seats): May, Tue - Thu: £20; May, Fri - Sun: £22; June to August, Tue - Thu: £27; June to August, Fri - Sun: £29.',
    );
  });

  test('one row of prices is told with the names above, which may hold a figure in brackets', () => {
    expect(told('Season ticket\n\nGrown-up\tChild (5-15)\tFamily\n$90\t$40\t$200')).toEqual([
      'Grown-up: $90; Child (5-15): $40; Family: $200.',
    ]);
  });

  test('rows that are called alike are told with the row above them', () => {
    expect(told('Fares\n\nVan\t£30\nBoth ways\t£50\nTrailer\t£9\nBoth ways\t£14')).toEqual([
      'Van: £30.',
      'Van – Both ways: £50.',
      'Trailer: £9.',
      'Trailer – Both ways: £14.',
    ]);
  });

  test('a line that goes on a row of sizes belongs to it', () => {
    expect(told('Apron\tSmall £7\nMedium £8\nExtra large £9\nOven glove\t£4')).toEqual([
      'Apron: Small £7.',
      'Apron: Medium £8.',
      'Apron: Extra large £9.',
      'Oven glove: £4.',
    ]);
  });

  test('names that end in colons begin a table of their own, and remarks side by side are no row', () => {
    const text =
      'Mug\t£5\nTea towel\t£6\nEvery order gets a sticker.\tAsk us about parcels abroad.\tWe pack by hand.\nOrder value:\tPostage:\nup to £20\t£2\nup to £40\t£4';
    expect(told(text)).toEqual([
      'Mug: £5.',
      'Tea towel: £6.',
      'Every order gets a sticker.',
      'Ask us about parcels abroad.',
      'We pack by hand.',
      'up to £20: Postage: £2.',
      'up to £40: Postage: £4.',
    ]);
  });

  test('columns of a page are read one after the other', () => {
    const text = [
      'Parking. The yard behind the mill      Visits. Groups of up to ten may',
      'has room for six cars and is           see the kiln on Fridays, which',
      'closed at night, but for those         takes forty minutes and costs',
      'who live there.',
    ].join('\n');
    expect(told(text)).toEqual([
      'Parking.',
      'The yard behind the mill has room for six cars and is closed at night, but for those who live there.',
      'Visits.',
      'Groups of up to ten may see the kiln on Fridays, which takes forty minutes and costs.',
    ]);
  });

  test('a cell of markup over several columns or rows stands in each of them', () => {
    const text =
      '<table><tr><th rowspan="2">Room</th><th colspan="2">Summer</th></tr><tr><th>Week</th><th>Weekend</th></tr><tr><td rowspan="2">Attic</td><td>£60</td><td>£70</td></tr><tr><td>£65 with cot</td><td>£75</td></tr><tr><td>Hall</td><td colspan="2">closed</td></tr><tr><td colspan="3">Prices include breakfast.</td></tr></table>';
    expect(told(text)).toEqual([
      'Attic: Summer, Week: £60; Summer, Weekend: £70.',
      'Attic: Summer, Week: £65 with cot; Summer, Weekend: £75.',
      'Hall: Summer, Week: closed; Summer, Weekend: closed.',
      'Prices include breakfast.',
    ]);
  });
});

describe('what is no knowledge by itself', () => {
  const answer = 'You pay when you take the boat, by card or in coins, at the desk under the bridge.';

  test('questions without answers on top of a page; the titles among them head nothing', () => {
    const text = `Help\n\nPaying\n\nHow do I pay?\nWhen do I pay?\n\nBoats\n\nWhich boats are there?\nCan I row?\n\nPaying\n\nHow do I pay?\n${answer}`;
    expect(readPassages(text)).toMatchObject([
      { headings: ['Paying'], lead: 'How do I pay?', statements: [{ text: answer }] },
    ]);
  });

  test('a list of such, and a question at the end that nobody answers', () => {
    expect(
      told(`- How do I pay?\n- Which boats are there?\n\n## How do I pay?\n\n${answer}\n\n## Can I row?`),
    ).toEqual([answer]);
  });

  test('but a list of questions that something introduces is', () => {
    expect(told('We will ask you:\n\n- Can you swim?\n- Are you over 16?')).toEqual([
      'We will ask you: Can you swim?',
      'We will ask you: Are you over 16?',
    ]);
  });

  test('headings over nothing, but for those that say something', () => {
    expect(readPassages('# River\n\n## Boats\n\n## Paying\n\n### By card')).toEqual([]);
    expect(told('# Closed on 24 and 25 December\n\n# River')).toEqual([
      'Closed on 24 and 25 December.',
      'River.',
    ]);
    expect(told(`# River\n\n## Boats\n\n${answer}\n\n## Paying`)).toEqual([answer, 'Paying.']);
  });

  test('contents: ways to other places of the same page', () => {
    const contents = '- [Paying](#paying)\n  - [By card](#card)\n- [Boats](#boats)';
    expect(told(`# River\n\n${contents}\n\n## Paying\n\n${answer}`)).toEqual([answer]);
    const pages = 'Paying ........ 2\nBoats ........ 4\nMooring ........ 7';
    expect(told(`${pages}\n\n## Paying\n\n${answer}\n\n## Boats\n\n${answer}`)).toEqual([answer, answer]);
    expect(told(pages)).toHaveLength(3);
    expect(told('- [Boats](https://example.com/boats)\n- [Bikes](https://example.com/bikes)')).toHaveLength(
      2,
    );
  });
});

describe('titles without markup', () => {
  const long =
    'The first boat leaves at nine and the last one at six, every day from March until the end of October.';

  test('a number, a price or an address stands under what it is called', () => {
    expect(
      told(
        `${long}\n\nTelephone\n\n01632 960999\n\nE-mail\n\nhello@example.com\n\nSpring break\n\nMonday 3rd to Friday 7th March\n\nDesk\n0800 44`,
      ),
    ).toEqual([
      long,
      'Telephone: 01632 960999.',
      'E-mail: hello@example.com.',
      'Spring break: Monday 3rd to Friday 7th March.',
      'Desk: 0800 44.',
    ]);
  });

  test('a price further down is told with the title, too', () => {
    expect(
      told(`Moorings\n\n${long}\n\n£5 per night\n\n£90 per month, with power\n\nWater is free.`),
    ).toEqual([long, 'Moorings: £5 per night.', 'Moorings: £90 per month, with power.', 'Water is free.']);
  });

  test('a title above a title heads what is below both', () => {
    expect(readPassages(`Boats and fares\n\nBoats\n\n${long}`)).toMatchObject([
      { headings: ['Boats and fares', 'Boats'], statements: [{ text: long }] },
    ]);
  });

  test('labelled lines and short ones are told with the title right above them', () => {
    expect(told('Every week\n\nOwn bags\nSmall bin\nLarge bin')).toEqual([
      'Every week: Own bags.',
      'Every week: Small bin.',
      'Every week: Large bin.',
    ]);
    expect(told('Milltown, Kent\n\nPhone: 0800 1\nFax: 0800 2')).toEqual([
      'Milltown, Kent, Phone: 0800 1.',
      'Milltown, Kent, Fax: 0800 2.',
    ]);
  });
});

describe('capitals', () => {
  const rest = Array.from(
    { length: 25 },
    (_, n) => `Rule ${n} of the yard holds for everybody who comes here.`,
  );

  test('that shout head nothing that comes later', () => {
    const passages = readPassages(
      `Skips\n\nPAID IN ADVANCE ONLY!\nPRICES MAY CHANGE WITHOUT ANY WARNING OR NOTE\n\nNOT TAKEN: tyres, paint and anything that leaks\n\n${rest.join('\n\n')}\n\nGlass yard\n\nThe glass yard takes bottles and jars on every weekday, but no windows.`,
    );
    expect(new Set(passages.map(({ headings }) => headings.join(' › ')))).toEqual(
      new Set(['Skips', 'Glass yard']),
    );
    expect(passages[0]?.statements.map((s) => s.told).slice(0, 3)).toEqual([
      'PAID IN ADVANCE ONLY!',
      'Skips: PRICES MAY CHANGE WITHOUT ANY WARNING OR NOTE.',
      'NOT TAKEN: tyres, paint and anything that leaks.',
    ]);
  });
});

describe('marks that only look like one', () => {
  test.each(['P.O. Box 17, Milltown', 'F-150 trucks are not serviced.'])('%s', (text) => {
    expect(
      readPassages(`Address\n\nOur office is by the bridge, next to the mill and the school.\n\n${text}`).at(
        -1,
      ),
    ).toMatchObject({ lead: null });
    expect(told(text)[0]).toContain(text);
  });
});

describe('html', () => {
  test('a page is read without its navigation', () => {
    const page = `<!doctype html><html><head><title>x</title><style>p{}</style></head><body>
      <nav><ul><li><a href="/">Home</a></li></ul></nav>
      <h1>Garden hire</h1>
      <div class="a"><p>We rent
      tools.</p><p>Ring <b>us</b>.</p></div>
      <h2>Prices</h2>
      <table><thead><tr><th>Tool</th><th>Day</th></tr></thead><tbody><tr><td>Mower</td><td>£20</td></tr></tbody></table>
      <dl><dt>Deposit</dt><dd>£50 in cash</dd></dl>
      <script>alert(1)</script></body></html>`;
    expect(
      readPassages(page).map(({ headings, statements }) => [headings, statements.map((s) => s.told)]),
    ).toEqual([
      [['Garden hire'], ['We rent tools.', 'Ring us.']],
      [
        ['Garden hire', 'Prices'],
        ['Mower: Day: £20.', 'Deposit: £50 in cash.'],
      ],
    ]);
  });

  test('html inside markdown is markup, and markdown inside it too', () => {
    const text = '## Steps\n\n<ol>\n<li>**First** ring.</li>\n<li>\n\nThen [come](/x).\n\n</li>\n</ol>';
    expect(told(text)).toEqual(['First ring.', 'Then come.']);
  });

  test('a button that opens a panel heads it', () => {
    const text =
      '<ul><li><button aria-controls="a">Adults</button><div id="a"><p>Ten pounds.</p></div></li><li><button aria-controls="b">Children</button><div id="b"><p>Two pounds.</p></div></li></ul>';
    expect(readPassages(text).map(({ headings }) => headings)).toEqual([['Adults'], ['Children']]);
  });
});

describe('what belongs together', () => {
  test('a rule and its exception lean on each other, "this" on what it means', () => {
    const [passage] = readPassages(
      'You can return it within 30 days. Except for gift cards, which are final. This holds in every store. Parking is free.',
    );
    expect(passage?.statements.map((s) => s.leansOn)).toEqual([[1], [0], [1], []]);
  });

  test('that holds in other languages too', () => {
    const [passage] = readPassages(
      'Umtausch ist 30 Tage möglich. Außer bei Gutscheinen. Diese bleiben gültig.',
    );
    expect(passage?.statements.map((s) => s.leansOn)).toEqual([[1], [0], [1]]);
  });

  test('a long text is divided at sentences, a long list at items, each with heading and introduction', () => {
    const sentences = Array.from(
      { length: 60 },
      (_, n) => `Rule number ${n} says that nobody may ever do this thing alone.`,
    );
    const prose = readPassages(`# Rules\n\n${sentences.join(' ')}`);
    expect(prose.length).toBeGreaterThan(3);
    expect(prose.flatMap(({ statements }) => statements.map((s) => s.text))).toEqual(sentences);
    const list = readPassages(`# Rules\n\nWe forbid:\n\n${sentences.map((s) => `- ${s}`).join('\n')}`);
    expect(list.every(({ lead, headings }) => lead === 'We forbid:' && headings[0] === 'Rules')).toBe(true);
    for (const { statements } of [...prose, ...list])
      expect(
        statements
          .map((s) => s.text)
          .join(' ')
          .split(' ').length,
      ).toBeLessThanOrEqual(180);
  });

  test('one huge paragraph without a full stop is divided all the same', () => {
    const passages = readPassages('word, '.repeat(3_000));
    expect(passages.length).toBeGreaterThan(10);
    for (const passage of passages) expect(passageText(passage).length).toBeLessThanOrEqual(1_300);
  });

  test('lines that were broken for width are one text', () => {
    expect(
      told(
        '# Refunds\n\nTickets are not subject to the\nEU rules on distance selling. Write to\nRefunds Desk, or\nring us.',
      ),
    ).toEqual([
      'Tickets are not subject to the EU rules on distance selling.',
      'Write to Refunds Desk, or ring us.',
    ]);
  });

  test('numbered policies are sections', () => {
    const text = '1. Who can join\n\nAnyone over 18 can join us here.\n\n2. Fees\n\nThe fee is £5.';
    expect(readPassages(text).map(({ headings }) => headings)).toEqual([['Who can join'], ['Fees']]);
  });
});

describe('bad input', () => {
  test('an empty text has no passages', () => {
    for (const text of ['', ' \n\n ', '---', '#', '- ', '|', '<div></div>', '***', '\u0000'])
      expect(readPassages(text), JSON.stringify(text)).toEqual([]);
  });

  test('one word, a heading alone and another script are read', () => {
    expect(told('Hello')).toEqual(['Hello.']);
    expect(told('# Open around the clock')).toEqual(['Open around the clock.']);
    expect(told('## 退货\n\n您可以在30天内退货。礼品卡除外。')).toEqual([
      '您可以在30天内退货。',
      '礼品卡除外。',
    ]);
  });

  test('the same rule with two numbers stays twice', () => {
    expect(told('# A\n\nReturns take 14 days.\n\n# B\n\nReturns take 30 days.')).toHaveLength(2);
  });

  test.each([
    ['['],
    ['*'],
    ['<'],
    ['>'],
    ['|'],
    ['`'],
    ['<div>'],
    ['<ul><li>'],
    ['> '],
    ['- '],
    ['[a](b '],
    ['!['],
    ['A'],
    ['<A/>'],
    ['<!-- '],
    ['{/* '],
    ['a  b\n'],
    ['<script>'],
    ['<style>x'],
    ['<textarea>'],
    ['<title>'],
    ['<nav>'],
    ['<s>'],
    ['<?'],
    ['<![CDATA['],
    ['a,b,c\n'],
    ['---\ntitle: a\n'],
  ])('20,000 characters of %j do not swallow what stands around them', (piece) => {
    const noise = piece.repeat(20_000 / piece.length);
    const text = allText(`Parking costs nothing.\n\n${noise}\n\nShowers cost twenty pence.`);
    expect(text).toContain('Parking costs nothing.');
    expect(text).toContain('Showers cost twenty pence.');
  });

  test('lists and quotes nested beyond reason keep their text', () => {
    const deep = Array.from({ length: 400 }, (_, n) => `${'  '.repeat(n)}- item${n}`).join('\n');
    const text = allText(deep);
    for (let n = 0; n < 400; n++) expect(text).toMatch(new RegExp(`item${n}\\b`));
    expect(allText(`${'> '.repeat(500)}still here`)).toContain('still here');
  });
});
