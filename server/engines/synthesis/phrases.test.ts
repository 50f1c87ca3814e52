import { describe, expect, test } from 'vitest';
import { phrasesOf } from './phrases.ts';

/** A bar marks where the text is divided. */
describe('phrasesOf', () => {
  test.each([
    // Divided at a mark.
    'Portland: 210 Harbor Street,| open Monday to Saturday 10 am to 8 pm and Sunday 11 am to 6 pm.',
    'Delivery takes three to five days,| and it is free from fifty dollars within the country.',
    'You have 45 days,| counted from delivery.',
    'The lamp is made to order –| it cannot be sent back once we have begun.',
    // Divided before a clause, without a mark.
    'No interest is charged on purchases| when the full balance is paid on time.',
    'It was launched in 2016| and is used by more than 40,000 businesses.',
    'Refunds are paid to the original card| within 5 to 7 business days.',
    // Short enough to stay whole.
    'You can return it, if you like.',
    'Returns are free when the parcel is sent from here.',
    // Words that belong together stay together.
    'Our general terms and conditions apply to everything sold in this shop.',
    'Lost luggage is paid for up to ten days even if it is found later on.',
    'Reminders can be sent up to three days before the due date or a week later.',
    'Your order will arrive on November 12, 2024 between nine and noon today.',
    'Standard delivery to Canada costs $1,450.00 and takes from six to nine business days.',
    'Opened software (games, music, office programs and the like), gift cards and food cannot be returned.',
    'As long as they are complete and show no more than light signs of trying out, you can return most items.',
  ])('%s', (marked) => {
    const phrases = marked.split('|').map((phrase) => phrase.trim());
    expect(phrasesOf(phrases.join(' '), true)).toEqual(phrases);
  });

  test('divides sentence by sentence, and only the first one further', () => {
    const sentences = [
      'About returns, it says: You have 45 days, counted from delivery, to send it back.',
      'Sale items, e.g. of the summer sale, can be returned within 14 days, unless they were opened.',
    ];
    expect(phrasesOf(sentences.join(' '), false)).toEqual(sentences);
    expect(phrasesOf(sentences.join(' '), true)).toEqual([
      'About returns, it says:',
      'You have 45 days, counted from delivery, to send it back.',
      sentences[1],
    ]);
    // A text that could not be joined again exactly stays whole.
    expect(phrasesOf(sentences.join('\n'), false)).toEqual([sentences.join('\n')]);
  });

  test('knows places without a mark in English alone', () => {
    const text = 'No interest is charged on purchases when the full balance is paid on time.';
    expect(phrasesOf(text, true, 'en-GB')).toHaveLength(2);
    expect(phrasesOf(text, true, 'de')).toEqual([text]);
    expect(
      phrasesOf('Die Lieferung dauert drei bis fünf Tage, und sie ist kostenlos.', true, 'de'),
    ).toHaveLength(2);
  });
});
