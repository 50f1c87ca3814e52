import { describe, expect, test } from 'vitest';
import { packOf } from '#server/languages/index';
import { readPassages as read } from './read.ts';

const passages = (text: string) => read(text, packOf('en'));
const told = (text: string) => passages(text).flatMap(({ statements }) => statements.map((s) => s.told));
/** What is told under each heading or question, the innermost. */
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
