import { describe, expect, test } from 'vitest';
import { packOf } from '#server/languages/index';
import { readPassages as read } from './read.ts';

const passages = (text: string) => read(text, packOf('en'));
const told = (text: string) => passages(text).flatMap(({ statements }) => statements.map((s) => s.told));
/** The told statements under each innermost heading or question. */
const under = (text: string) =>
  passages(text).map(({ headings, kind, lead, statements }) => [
    kind === 'answer' ? lead : (headings.at(-1) ?? ''),
    ...statements.map((s) => s.told),
  ]);

describe('items that stand on lines of their own', () => {
  test('below a colon they are a list, up to the first sentence', () => {
    const text =
      'Cloakroom\n\nCoats are hung free of charge. Please do not leave:\npushchairs with a hood\nwet umbrellas\nanything from the bakery (mice!)\nWe look after the rest until ten.';
    expect(told(text)).toEqual([
      'Coats are hung free of charge.',
      'Please do not leave: pushchairs with a hood, wet umbrellas and anything from the bakery (mice!)',
      'Please do not leave: pushchairs with a hood.',
      'Please do not leave: wet umbrellas.',
      'Please do not leave: anything from the bakery (mice!)',
      'We look after the rest until ten.',
    ]);
  });

  test('below a title they are a list of it, though each begins small', () => {
    const text =
      'Every tent has\ntwo camp beds\na lantern, charged by the sun (ask us for another)\nhooks for wet things\nThe stove is shared by all the tents and is lit at six, so bring something to read.';
    expect(under(text)).toEqual([
      [
        '',
        'Every tent has two camp beds.',
        'Every tent has a lantern, charged by the sun (ask us for another).',
        'Every tent has hooks for wet things.',
        'The stove is shared by all the tents and is lit at six, so bring something to read.',
      ],
    ]);
  });

  test('a colon above a paragraph of short lines introduces them', () => {
    expect(told('You may choose from these tours:\n\nThe Old Mill\nRiver by Night\nAll the Bridges')).toEqual(
      [
        'You may choose from these tours: The Old Mill.',
        'You may choose from these tours: River by Night.',
        'You may choose from these tours: All the Bridges.',
      ],
    );
  });

  test('lines of a sentence that goes on below them are none', () => {
    expect(
      told('You find the way to the boathouse\nfrom the station\nin our leaflet\nor on the sign.'),
    ).toEqual(['You find the way to the boathouse from the station in our leaflet or on the sign.']);
  });

  test('a title may end in a small word where it heads a list or a longer line', () => {
    expect(under('What you come with\n- Boots\n- A torch')).toEqual([
      ['What you come with', 'What you come with: Boots.', 'What you come with: A torch.'],
    ]);
    expect(
      under(
        'Where we are\nSecond floor of the old granary, left of the weighbridge. The lift is at the back.\n\nI cannot sign in\nThe code in your letter is good for ninety days. Ask the desk for a new one.',
      ),
    ).toEqual([
      [
        'Where we are',
        'Second floor of the old granary, left of the weighbridge.',
        'The lift is at the back.',
      ],
      ['I cannot sign in', 'The code in your letter is good for ninety days.', 'Ask the desk for a new one.'],
    ]);
  });

  test('prose that was broken for width is whole', () => {
    const text =
      'We mend boots and shoes while you wait, as long as the\nsole is sewn. Glued ones take two days, since the glue has\nto dry.';
    expect(told(text)).toEqual([
      'We mend boots and shoes while you wait, as long as the sole is sewn.',
      'Glued ones take two days, since the glue has to dry.',
    ]);
  });

  test.each(['✔', '•', '➤'])('%s marks an item', (mark) => {
    expect(
      told(`Before you board\n${mark} Life jacket on\n${mark} Bags in the hold. Small ones too.`),
    ).toEqual(['Before you board: Life jacket on.', 'Bags in the hold.', 'Small ones too.']);
  });

  test('a mark that refuses is kept', () => {
    expect(told('On the lawn\n✘ Ball games\n✔ Picnics')).toEqual([
      'On the lawn: ✘ Ball games.',
      'On the lawn: Picnics.',
    ]);
  });
});

describe('tables', () => {
  test('names of columns may hold figures where what is below them is amounts', () => {
    expect(
      told(
        'Call-outs\n\nWork\tWeekdays 7–5\tEvenings till 9\tNights, Sundays\nDrain cleared\t£60\t£85\t£120\nTap fitted\t£40\t£55\tno\nPipe thawed\t£30\t£35\t£45',
      ),
    ).toEqual([
      'Drain cleared: Weekdays 7–5: £60; Evenings till 9: £85; Nights, Sundays: £120.',
      'Tap fitted: Weekdays 7–5: £40; Evenings till 9: £55; Nights, Sundays: no.',
      'Pipe thawed: Weekdays 7–5: £30; Evenings till 9: £35; Nights, Sundays: £45.',
    ]);
    expect(told('Evening class\tTuesdays 7 pm\t£6\nOld hands\tFridays 9 am\t£4')).toEqual([
      'Evening class: Tuesdays 7 pm, £6.',
      'Old hands: Fridays 9 am, £4.',
    ]);
  });

  test('the first column needs no name where bars part the cells', () => {
    expect(told('Hire\n\n | Half day | Full day*\nSkiff | €12 | €20\nPunt (up to 6) | €18 | –')).toEqual([
      'Skiff: Half day: €12; Full day: €20.',
      'Punt (up to 6): Half day: €18.',
    ]);
  });

  test('a name that begins with a figure needs its column only where all of them do', () => {
    const table = (first: string) => `Date\tOpens\n${first}\t9 am\n2 May\t10 am`;
    expect(told(table('Sunday'))).toEqual(['Sunday: Opens: 9 am.', '2 May: Opens: 10 am.']);
    expect(told('Box\tPrice\n2\t€4\n6\t€9')).toEqual(['Box 2: Price: €4.', 'Box 6: Price: €9.']);
  });
});

describe('questions of a page', () => {
  test('those in quotation marks are questions, whatever stands beside them', () => {
    const text =
      'Asked often\n\n"Do you rent saws?"\nYes, by the day.\n\n"Can I pay later?"\nOn Fridays.\n\n"Is it loud?"\nVery.';
    expect(under(text)).toEqual([
      ['Do you rent saws?', 'Yes, by the day.'],
      ['Can I pay later?', 'On Fridays.'],
      ['Is it loud?', 'Very.'],
    ]);
  });

  test('among marked questions the first line of each is one, however it ends', () => {
    const text =
      '+ May I bring a friend?\nYes, one.\n\n+ My card is gone!\nRing us, and we block it.\n\n+ I paid twice. What now?\nWrite to us.';
    expect(under(text)).toEqual([
      ['May I bring a friend?', 'Yes, one.'],
      ['My card is gone!', 'Ring us, and we block it.'],
      ['I paid twice. What now?', 'Write to us.'],
    ]);
  });

  test('lines that each ask and answer are questions with their answers', () => {
    const text =
      'Good to know\nTowels? In the blue box by the door.\nMay I bring my own food? Only for babies.\nDo you close at noon? No.';
    expect(under(text)).toEqual([
      ['Towels?', 'In the blue box by the door.'],
      ['May I bring my own food?', 'Only for babies.'],
      ['Do you close at noon?', 'No.'],
    ]);
  });

  test('a question does not stand under a title that has its own text', () => {
    const text =
      'My boat leaks\nRow to the bank and ring us, and somebody will come with a pump within the hour.\n\nWhich boats are there?\nCanoes and punts.\n\nPaying\n\nCan I pay by card?\nYes, from five pounds.';
    expect(passages(text).map(({ headings, lead }) => [...headings, lead])).toEqual([
      ['My boat leaks', null],
      ['Which boats are there?'],
      ['Paying', 'Can I pay by card?'],
    ]);
  });
});

describe('cards in capitals', () => {
  const card = (body: string) => `HILL FARM STAY\nup the lane\n\nSHEDS\n${body}\n\nDOGS\nOn a lead.`;

  test('of a line of several sentences the first alone is told with its heading', () => {
    expect(told(card('Dry and swept. It costs less than a room. Bring a mat.'))).toContain(
      'Sheds: Dry and swept.',
    );
    expect(told(card('Dry and swept. It costs less than a room. Bring a mat.'))).toContain(
      'It costs less than a room.',
    );
  });

  test('a label with a clause is told by itself, one with a fact with its heading', () => {
    expect(told(card('Wood stoves: we light them and you feed them\nKeys: two'))).toEqual(
      expect.arrayContaining(['Wood stoves: we light them and you feed them.', 'Sheds, Keys: two.']),
    );
  });
});

describe('blocks that repeat their shape', () => {
  test('what follows a name is told with it', () => {
    const text =
      'Walks of the year\n\nThe Long Dyke - easy\nStarts March 3, 2031\nOver the Moor - hard\nStarts April 9, 2031\nNo walk for sandals. You wade twice.\nHarbour Lights - easy\nStarts May 4, 2031';
    const [passage] = passages(text);
    expect(passage?.statements.map((s) => s.told)).toEqual([
      'The Long Dyke - easy: Starts March 3, 2031.',
      'Over the Moor - hard: Starts April 9, 2031.',
      'No walk for sandals.',
      'You wade twice.',
      'Harbour Lights - easy: Starts May 4, 2031.',
    ]);
    expect(passage?.statements[3]?.leansOn).toEqual([1]);
  });

  test('an address in lines is one statement, with its name', () => {
    expect(
      told(
        'Where to write\n\nWorkshop\n12 Weir Lane\nDunmoor, VT 05101\nOffice\nP.O. Box 7\nDunmoor, VT 05101\n(555) 555-0117',
      ),
    ).toEqual([
      'Where to write, Workshop: 12 Weir Lane, Dunmoor, VT 05101.',
      'Office: P.O. Box 7, Dunmoor, VT 05101.',
      'Where to write: (555) 555-0117.',
    ]);
    expect(
      told(
        'By post\n\nFern Bakery\n\nMarktgasse 5\n\n1010 Wien\n\nWe answer every letter within a week of its arrival here.',
      ),
    ).toContain('By post, Fern Bakery: Marktgasse 5, 1010 Wien.');
  });

  test('a title with a figure heads a sentence where others beside it do', () => {
    const text =
      'Left luggage\n\nWithout a locker\n\nOne bag per person, kept behind the desk until we close.\n\nWith a 40 litre locker\n\nOne bag only.\n\nWith an 80 litre locker\n\nTwo bags, or one bag and a pram that folds.';
    expect(passages(text).map(({ headings, statements }) => [headings.at(-1), statements[0]?.told])).toEqual([
      ['Without a locker', 'One bag per person, kept behind the desk until we close.'],
      ['With a 40 litre locker', 'With a 40 litre locker: One bag only.'],
      ['With an 80 litre locker', 'With an 80 litre locker: Two bags, or one bag and a pram that folds.'],
    ]);
  });

  test('a sentence that stands under several titles is told with each', () => {
    const text =
      'Market days\n\nEaster Monday\n\nStalls open an hour later than usual.\n\nHarvest Sunday\n\nStalls open an hour later than usual.';
    expect(told(text)).toEqual([
      'Easter Monday: Stalls open an hour later than usual.',
      'Harvest Sunday: Stalls open an hour later than usual.',
    ]);
  });

  test('a year at its end makes a line no less a title', () => {
    expect(
      passages('Autumn Course 2031\n\nFirst half\n\nMonday 2nd September to Friday 11th October').map(
        ({ headings }) => headings,
      ),
    ).toEqual([['Autumn Course 2031', 'First half']]);
  });

  test('a title at the end of a paragraph names the dates below it', () => {
    expect(
      told(
        'Closed weeks\n\nSpring break\n\nSaturday 4th May to Sunday 12th May\nHarvest\n\nFriday 6th September to Monday 9th September',
      ),
    ).toEqual([
      'Spring break: Saturday 4th May to Sunday 12th May.',
      'Harvest: Friday 6th September to Monday 9th September.',
    ]);
  });
});
