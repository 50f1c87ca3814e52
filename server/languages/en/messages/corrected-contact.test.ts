import { describe, expect, test } from 'vitest';
import { isPartOfContact } from './contact.ts';
import { contactLeft, correctedContact } from './corrected-contact.ts';
import { spokenEmail } from './spoken-email.ts';

const left = { name: 'Ana Sorensen', phone: '01632 960447', email: 'ana_sorensen@mail.example' };

describe('what was left is corrected in the part that was said anew', () => {
  test.each([
    ['No, with two R', { name: 'Ana Sorrensen' }],
    ['No, it is S O R E N S O N', { name: 'Ana Sorenson' }],
    ['no, four double seven at the end', { phone: '01632960477' }],
    ['No, I said nine six oh, four double seven', { phone: '01632960477' }],
    ['no, one ninety-three at the end', { phone: '01632960193' }],
    ['It starts with oh one six three three', { phone: '01633960447' }],
    ['No, it is 07700 900417', { phone: '07700900417' }],
    ['No, not mail. Nail, nail dot example', { email: 'ana_sorensen@nail.example' }],
    ['No, without the E, ana underscore sorensn', { email: 'ana_sorensn@mail.example' }],
    ['No, the address is ana at lantern dot test', { email: 'ana@lantern.test' }],
  ])('%s', (message, changed) => {
    expect(correctedContact(left, message)).toEqual({ ...left, ...changed });
  });

  test('a digit that was forgotten is put in front of those said again', () => {
    const short = { phone: '0163296447' };
    expect(correctedContact(short, 'no, oh four four seven at the end')).toEqual({ phone: '01632960447' });
  });

  test.each(['No, thank you', 'No, the other question', 'That is right', 'yes', ''])(
    'not by "%s"',
    (message) => {
      expect(correctedContact(left, message)).toBeNull();
    },
  );
});

describe('what is left, as people say it', () => {
  test.each([
    [
      'oh two oh seven, nine four six oh, double one nine. Sorry, double one eight.',
      { phone: '02079460118' },
    ],
    ['call 212 555 0187, extension twelve', { phone: '212 555 0187 ext. 12' }],
    [
      'Ring Edna Marsh on oh one two one, four nine six, oh five, sorry, five oh, one nine',
      { name: 'Edna Marsh', phone: '01214965019' },
    ],
    [
      "It's k dot berg at stonepost dot example, no wait, stonemail dot example",
      { email: 'k.berg@stonemail.example' },
    ],
    ['order number 48213377', { reference: '48213377' }],
    ["My name is sean o'brien and I live here", { name: "Sean O'Brien" }],
    ['This is Dr. María José de la Cruz', { name: 'Dr. María José de la Cruz' }],
    ['My name is Jean-Luc van den Berg', { name: 'Jean-Luc van den Berg' }],
    ['My name is on the order', {}],
  ])('%s', (message, contact) => {
    expect(contactLeft(message, null)).toEqual(contact);
  });

  test('a number with more than figures in it is one where it is whole, or was asked for', () => {
    const said = 'oh seven seven oh oh. Nine hundred. Four one seven';
    expect(contactLeft(said, 'phone')).toEqual({ phone: '07700900417' });
    expect(contactLeft(said, null)).toEqual({ phone: '07700900417' });
    const short = 'oh seven seven oh. Nine hundred. Four';
    expect(contactLeft(short, 'phone')).toEqual({ phone: '07709004' });
    expect(contactLeft(short, null).phone).toBeUndefined();
    expect(contactLeft('020 7946 0118. I live at 12 Mill Road.', 'phone').phone).toBe('020 7946 0118');
    expect(contactLeft('It is 020 7946 0119. Sorry, oh one one eight.', 'phone').phone).toBe('02079460118');
  });
});

test.each([
  ["it's k dot okafor at example dot com", 'k.okafor@example.com'],
  ['m underscore berg at mail hyphen box dot example dot org', 'm_berg@mail-box.example.org'],
  ['jo plus shop at lantern dot test', 'jo+shop@lantern.test'],
  ['double s lee minus two at lantern dot test', 'sslee-2@lantern.test'],
  ['mirko dot hass, H A S S, at the blue barn, all one word, dot example', 'mirko.hass@thebluebarn.example'],
  ['lena dot. hoff at stonepost dot example', 'lena.hoff@stonepost.example'],
  ['T, dot, A B E L. at stonepost dot example.', 't.abel@stonepost.example'],
  ['that is j o at lantern dot test', 'jo@lantern.test'],
  ['I was at home. Dot', undefined],
  ['meet me at noon', undefined],
])('an address: %s', (said, address) => {
  expect(spokenEmail(said)).toBe(address);
});

test('half a number or an address is known as one', () => {
  for (const part of ['oh seven seven oh', 'nine hundred', '020 79', 'jo dot smith', 'at lantern dot test'])
    expect(isPartOfContact(part), part).toBe(true);
  for (const other of ['I have two questions about my order', 'Anna', 'what for?', ''])
    expect(isPartOfContact(other), other).toBe(false);
});
