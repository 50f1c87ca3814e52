import { describe, expect, test } from 'vitest';
import { packOf } from '#server/languages/index';
import type { Mask } from '#shared/agents';
import { mask } from './mask.ts';

const all: Mask[] = ['payment', 'national-id', 'email', 'phone'];
const masked = (text: string, masks: readonly Mask[] = all) => mask(text, masks, packOf('en').messages).text;

describe('mask', () => {
  test.each([
    ['My card is 4111 1111 1111 1111, please.', 'My card is [card number], please.'],
    ['It is 4111111111111111', 'It is [card number]'],
    ['5500-0000-0000-0004 and 3782 822463 10005', '[card number] and [card number]'],
    ['Pay from DE89 3704 0044 0532 0130 00.', 'Pay from [account number].'],
    ['IBAN gb29nwbk60161331926819', 'IBAN [account number]'],
    ['My social is 078-05-1120.', 'My social is [ID number].'],
    ['National insurance QQ 12 34 56 C or AB 12 34 56 C', 'National insurance QQ 12 34 56 C or [ID number]'],
    ['DNI 12345678Z, NIE X1234567L', 'DNI [ID number], NIE [ID number]'],
    ['Numéro 2 55 08 14 168 025 38', 'Numéro [ID number]'],
    ['Codice RSSMRA85T10A562S', 'Codice [ID number]'],
    ['Write to ada.lovelace+shop@example.co.uk today', 'Write to [e-mail address] today'],
    [
      'a@b.co_d@e.fr, x@y.z@example.com; 用户@例子.公司',
      '[e-mail address][e-mail address], [e-mail address]@example.com; [e-mail address]',
    ],
    ['Call +44 7700 900417 or (020) 7946 0958', 'Call [phone number] or [phone number]'],
    ['My number is 07700900417.', 'My number is [phone number].'],
    ['four one one one, one one one one, one one one one, one one one one', '[card number]'],
    ['oh seven seven double oh nine double oh four one seven', '[phone number]'],
  ])('%s', (text, wanted) => {
    expect(masked(text)).toBe(wanted);
  });

  test.each([
    // Numbers that the agent needs to help a customer.
    'My order number is 4482917.',
    'Order 100-4482, invoice INV-2024-000123.',
    // The check digit is wrong: no card.
    'Tracking 4111 1111 1111 1112',
    'It cost $1,450.00 on 12/03/2024, and 2019-2024 was the same.',
    'Between 10:00 and 18:00, 7 days a week, up to 25,000 km.',
    'Call me at noon, or at four.',
    '0000 0000 0000 0000',
    'I have two of them, one for each of the three rooms.',
  ])('leaves as it is: %s', (text) => {
    expect(masked(text)).toBe(text);
  });

  test('leaves out only what the business wants left out', () => {
    const text = 'Ada, ada@example.com, 07700 900417, card 4111 1111 1111 1111';
    expect(masked(text, ['payment'])).toBe('Ada, ada@example.com, 07700 900417, card [card number]');
    expect(masked(text, [])).toBe(text);
    expect(mask(text, ['payment'], packOf('en').messages).isMasked).toBe(true);
    expect(mask('four one one two', all, packOf('en').messages)).toEqual({
      text: 'four one one two',
      isMasked: false,
    });
  });

  test('takes no long time for any text', () => {
    const begun = process.cpuUsage().user;
    for (const text of ['1 '.repeat(4_000), 'a'.repeat(8_000), '1-'.repeat(4_000), `${'A1 '.repeat(2_600)}!`])
      masked(text);
    expect(process.cpuUsage().user - begun).toBeLessThan(2_000_000);
  });
});
