import { describe, expect, test } from 'vitest';
import { contactIn, correctedName } from './contact.ts';

describe('telephone numbers', () => {
  test.each([
    ['My number is 07700 900123', '07700 900123'],
    ['+44 7700 900 123', '+44 7700 900 123'],
    ['call (212) 555-0187 please', '(212) 555-0187'],
    ['212.555.0187', '212.555.0187'],
    ['zero seven seven zero zero, nine zero zero one two three', '07700900123'],
    ['double oh seven seven two three four five six', '007723456'],
    ['oh double-seven double-oh, nine hundred, one four six', '07700900146'],
    ['plus four four seven seven double zero nine double zero one two three', '+447700900123'],
    ['Please ring 07700900417 after Monday', '07700900417'],
  ])('%s', (message, phone) => {
    expect(contactIn(message, null)).toEqual({ phone });
  });

  test.each([
    'It was on 12/03/2026',
    '2026-03-12',
    'on the 12.03.2026, or so',
    'between 10-12-2026 and 12-12-2026',
    'from 2019-2024 inclusive',
    'it cost 1,299.00',
    'the code is 12345',
    'My card is 4111 1111 1111 1111',
    'one two three',
    '1'.repeat(8_000),
  ])('no number: %s', (message) => {
    expect(contactIn(message, 'phone').phone).toBeUndefined();
  });
});

test.each([
  ['write to jo.smith@lantern.test.', 'jo.smith@lantern.test'],
  ['jo dot smith at lantern works dot test', 'jo.smith@lanternworks.test'],
  ['jo underscore b dash k at mail dot example dot org', 'jo_b-k@mail.example.org'],
])('an e-mail address, written or said: %s', (message, email) => {
  expect(contactIn(message, null)).toEqual({ email });
});

test.each(['meet me at noon dot', 'I was at home. Dot', 'at 8 @ the desk', `${'a'.repeat(4_000)}@`])(
  'no e-mail address: %s',
  (message) => {
    expect(contactIn(message, null).email).toBeUndefined();
  },
);

describe('names', () => {
  test.each([
    ['Priya Raman, 07700 900417', 'Priya Raman'],
    ['07700 900417, Priya', 'Priya'],
    ["07700 900417. Ask for O'Neill", "O'Neill"],
    ['This is Jean-Luc Moreau, 07700 900417', 'Jean-Luc Moreau'],
    ['My email is JO@LANTERN.TEST and my phone 0161 496 0000', undefined],
    ['Call me on 07700 900417 please', undefined],
    ['Please ring 07700900417 after Monday', undefined],
  ])('beside a number: %s', (message, name) => {
    expect(contactIn(message, null).name).toBe(name);
  });

  test.each([
    ['Anna', 'Anna'],
    ["It's Anna Kowalski.", 'Anna Kowalski'],
    ['Yes, Anna', 'Anna'],
    ['Müller', 'Müller'],
    ['José García', 'José García'],
    ['Yes', undefined],
    ['No', undefined],
    ['Thursday', undefined],
    ['When do you close?', undefined],
  ])('when asked for: %s', (message, name) => {
    expect(contactIn(message, 'name').name).toBe(name);
  });

  test('unasked, a bare name is none, an introduced one is', () => {
    expect(contactIn('Anna', null)).toEqual({});
    expect(contactIn('Hi, my name is Anna', null)).toEqual({ name: 'Anna' });
  });

  test.each([
    ['Philip', 'no, with two L', 'Phillip'],
    ['Ana', 'with two n', 'Anna'],
    ['Mat', 'with a double t please', 'Matt'],
    ['Anna', 'with two n', null],
    ['Bob', 'with two z', null],
    ['Ana', 'no, that is fine', null],
  ])('%s, corrected "%s"', (name, message, corrected) => {
    expect(correctedName(name, message)).toBe(corrected);
  });
});

test.each([
  ['order number 48213377', '48213377'],
  ['order BW-27', 'BW-27'],
  ['My booking reference is QX72KL', 'QX72KL'],
  ['Invoice #2026-118 is wrong', '2026-118'],
])('a reference is no telephone number: %s', (message, reference) => {
  expect(contactIn(message, 'phone')).toEqual({ reference });
});

test('reference, number and address of one message are told apart', () => {
  expect(contactIn('About claim 99-12345: jo@lantern.test or 07700 900417', null)).toEqual({
    reference: '99-12345',
    email: 'jo@lantern.test',
    phone: '07700 900417',
  });
});
