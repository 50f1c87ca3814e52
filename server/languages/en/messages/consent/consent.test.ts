import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { actions } from '../../wording/actions.ts';
import { consentIn } from './consent.ts';

/** Answers to read-backs, by writers who did not know these rules. */
const sets = ['dev', 'second'].flatMap((name): [string, URL][] => {
  const file = new URL(`../../../../../tests/bench/evaluate/consent/${name}.json`, import.meta.url);
  return existsSync(file) ? [[name, file]] : [];
});
const rows = z.array(
  z.object({
    readBack: z.string(),
    agent: z.string(),
    answer: z.string(),
    label: z.enum(['yes', 'no', 'other']),
  }),
);
const LEAST_TAKEN = 0.97;
const MOST_GIVEN_UP = 0.05;

describe.each(sets)('the %s set of answers', (_name, file) => {
  const answered = rows.parse(JSON.parse(readFileSync(file, 'utf8'))).map((row) => ({
    ...row,
    taken: consentIn(row.answer, { readBack: row.readBack, isYesAskedFor: true, agentName: row.agent }),
  }));
  const isYes = ({ taken }: { taken: string | null }) => taken === 'yes';

  it('leads to no deed that nobody said yes to', () => {
    const deeds = answered.filter((row) => row.label !== 'yes' && isYes(row));
    expect(deeds.map(({ answer }) => answer)).toEqual([]);
  });

  it('has its yeses taken at once', () => {
    const yeses = answered.filter(({ label }) => label === 'yes');
    const asked = yeses.filter((row) => !isYes(row)).map(({ answer }) => answer);
    expect(1 - asked.length / yeses.length, asked.join('\n')).toBeGreaterThanOrEqual(LEAST_TAKEN);
  });

  it('is asked again where something else was wanted, instead of given up', () => {
    const others = answered.filter(({ label }) => label === 'other');
    const given = others.filter(({ taken }) => taken !== null).map(({ answer }) => answer);
    expect(given.length / others.length, given.join('\n')).toBeLessThanOrEqual(MOST_GIVEN_UP);
  });
});

const today = new Date(2030, 4, 6);
const readBackOf = (name: string, inputs: Record<string, string>) =>
  actions
    .confirmAction(
      name,
      Object.entries(inputs).map(([label, value]) => ({ label, value })),
    )
    .join(' ');
const refund = readBackOf('Ask for a refund', { 'Order number': '4471' });
const booking = readBackOf('Book an appointment', {
  Day: '2030-05-07',
  Time: '10:30',
  'Name for the appointment': 'Priya Raman',
});
const cancelling = readBackOf('Subscription cancellation', {
  Contract: 'A17',
  Reason: 'it is too expensive',
});
const ordering = readBackOf('Order cancellation', { 'Order number': '4471' });
const table = "I'd reserve a table for four on Saturday at seven, by the window. Shall I book it?";
const moving =
  "I'd move your check-up from Monday the 7th to Wednesday the 9th at half past three. Does that work?";
const sofa =
  "I'd send the sofa to 7 Orchard Close, Leeds between one and four, without assembly. Is that right?";
const pizza = 'Two large margheritas and one medium pepperoni, 27.50 altogether. Shall I place the order?';
const to = (readBack: string) => (answer: string) =>
  consentIn(answer, { readBack, isYesAskedFor: true, agentName: 'Robin' }, today);

describe('a yes', () => {
  it.each([
    'yes',
    'Yes, please.',
    'sure, go ahead',
    'do it',
    'okay',
    'please do',
    'Robin, yes, go ahead.',
    'Robin? Yes.',
    'yes go ahead robyn',
    'uh-huh',
    'that would be lovely, thank you',
    'yes please if you would',
    'I confirm',
    'yeah no worries, go for it',
    'no no that is perfect, go ahead',
    'yes 👍',
    "I'd like you to do that",
    'um, yes',
    'why not',
    'if you would please',
    "if you could, that'd be great",
    'oh would you thank you so much',
    "can't see why not",
    "I don't see why not, go ahead",
    'yes nothing wrong with that',
    'yes as quick as you can',
    'yes pleas',
    'yes go a head',
    "eye that's fine",
    'y- yes, go ahead',
    "sorry I was on mute, yes, I'm happy to go ahead",
    "that's a great help, yes",
    'I understand, go ahead',
  ])('stands alone or with words that add nothing: %s', (answer) => expect(to(refund)(answer)).toBe('yes'));

  it.each([
    [refund, 'yes order 4471'],
    [refund, 'yes, forty-four seventy-one'],
    [refund, 'yes refund it please'],
    [refund, 'yes I want my money back'],
    [booking, 'yes book it for Priya'],
    [booking, 'yes tomorrow'],
    [booking, 'yes on the seventh of May'],
    [booking, "that's my name, go ahead"],
    [booking, 'yes Tuesday at half past ten'],
    [cancelling, 'yes it is too expensive'],
    [ordering, 'yes cancel order 4471'],
    [cancelling, 'cancel it yes'],
    [cancelling, 'cancel it please'],
    [cancelling, 'I want it cancelled'],
    [cancelling, 'yes contract a seventeen'],
    [table, 'yes at seven on Saturday'],
    [table, 'yes for four people'],
    [moving, 'yes from Monday to Wednesday'],
    [moving, 'half three on the ninth is fine'],
    [sofa, "that's right, without assembly"],
    [sofa, 'yes between one and four'],
    [sofa, 'yes seven orchard close leeds'],
    [sofa, 'right'],
    [pizza, 'yes two margheritas and one pepperoni'],
    [pizza, 'yes twenty-seven pounds fifty is okay'],
    [pizza, 'yes that is the pepperoni I wanted'],
    [pizza, 'yes both margheritas'],
    [table, 'all four of us, yes'],
    [cancelling, 'yes take it off please'],
    [cancelling, "yes I don't use it any more"],
    [cancelling, "yes please, it's a waste of money"],
  ])('may repeat what was read back: %s %s', (readBack, answer) => expect(to(readBack)(answer)).toBe('yes'));
});

describe('no yes', () => {
  it.each([
    ['a condition', refund, 'Yes if it is free'],
    ['a condition', refund, 'sure as long as it comes today'],
    ['a condition', refund, 'okay provided I get it all'],
    ['a question', refund, 'yes?'],
    ['a question without its mark', refund, 'Okay how long does that take'],
    ['a question without its mark', refund, 'Sure what happens then'],
    ['a doubt', refund, 'I suppose so'],
    ['a doubt', refund, 'yes I think'],
    ['a doubt', refund, 'maybe'],
    ['half a sentence', refund, 'yes but'],
    ['half a sentence', refund, 'okay and'],
    ['half a sentence', refund, 'yes to the'],
    ['another wish', refund, 'yes and send a new one'],
    ['another wish', refund, 'Great, I will ask my husband'],
    ['another wish', refund, 'Okay only the blue one'],
    ['a goodbye', refund, 'Okay bye'],
    ['thanks', refund, 'thanks'],
    ['a word that only listens', refund, 'right'],
    ['scorn', refund, 'yeah right'],
    ['another number', refund, 'yes 4472'],
    ['another number', refund, 'yes four four seven one two'],
    ['another day', booking, 'yes on the eighth'],
    ['another day', booking, 'yes on Thursday'],
    ['another name', booking, 'yes for Anna'],
    ['another deed', booking, 'yes cancel the appointment'],
    ['a deed or its opposite', cancelling, 'cancel that'],
    ['a deed or its opposite', cancelling, 'okay stop'],
    ['the thing instead of its end', cancelling, 'yes I want my subscription'],
    ['what it is done to', ordering, 'yes order it'],
    ['another time', booking, 'yes at half past nine'],
    ['another time', table, 'yes at four'],
    ['more of them', table, 'yes for seven'],
    ['what is moved', moving, 'yes Monday'],
    ['what is moved', moving, 'yes the seventh'],
    ['another half hour', moving, 'yes half past two'],
    ['what is left out', sofa, 'yes with assembly'],
    ['one end of a span', sofa, 'yes at four'],
    ['more of the other', pizza, 'yes two pepperoni'],
    ['more of the other', pizza, 'yes both pepperoni'],
    ['more of them', table, 'all seven of us, yes'],
    ['praise of what is to be ended', cancelling, 'the subscription is great'],
    ['praise of what is to be ended', cancelling, 'I like my subscription'],
    ['what is done already', cancelling, 'yes it is cancelled'],
    ['the thing instead of its end', cancelling, "okay I don't need it"],
    ['what is not broken', refund, 'yes it works'],
    ['no reason for it', refund, 'I see no reason to'],
    ['no reason for it', refund, "I can't think of any reason"],
    ['a word that only listens', refund, 'yes I understand'],
    ['another condition', refund, "if that's okay with Anna, yes"],
    ['another condition', refund, 'yes if you can do it in cash'],
    ['another time', table, 'yes as soon as possible'],
    ['a doubt', refund, "okay let's see"],
    ['a correction', refund, 'yes everything else is right'],
    ['more of the other', pizza, 'yes one large pepperoni'],
  ])('%s: %s %s', (_why, readBack, answer) => expect(to(readBack)(answer)).not.toBe('yes'));

  const turning =
    'not never but if unless only instead except before until maybe perhaps why how did was later different other less also again wait'.split(
      ' ',
    );
  test.each(['yes please', 'sure, go ahead', 'yes order 4471', 'that is right yes'])(
    '%s with a word in it that turns it round',
    (yes) => {
      const words = yes.split(' ');
      const taken = turning.flatMap((turn) =>
        [...words, ''].flatMap((_, at) => {
          const answer = [...words.slice(0, at), turn, ...words.slice(at)].join(' ');
          return to(refund)(answer) === 'yes' ? [answer] : [];
        }),
      );
      expect(taken).toEqual([]);
    },
  );

  it('is read from a text of any length without delay', () => {
    for (const text of ['yes ', 'one two ', 'a.', '1 ', 'no go on ', 'i want ', 'x'])
      for (const times of [28, 200, 50_000]) {
        expect(to(refund)(`${text.repeat(times)}xyz`)).not.toBe('yes');
        expect(to(text.repeat(times))('yes one two xyz')).not.toBe('yes');
      }
  });
});

describe('a refusal', () => {
  it.each([
    'no',
    'nope',
    'No, Robin.',
    'no thanks',
    "don't do that",
    'not now',
    'okay no',
    'yeah no leave it with the shop, no thanks',
    'Right, I have changed my mind',
    'Exactly the opposite',
    'of course not',
    "yes, no, don't send it",
    "lovely but I'll keep it",
    "no, I'll do it on the website",
    'thanks, I am good',
  ])('%s', (answer) => expect(to(refund)(answer)).toMatch(/^(?:no|gives-up)$/));

  it.each([
    'never mind',
    'Actually, cancel that',
    'forget it',
    'no, leave it',
    'Alright, never mind',
    'Yeah, forget it',
    'Fine, leave it',
    'Robin, stop',
  ])('of all: %s', (answer) => expect(to(refund)(answer)).toBe('gives-up'));

  it.each([
    'no, 4472',
    'no the other order',
    'not the kettle, the lamp',
    "don't send it before Friday",
    'no but can I get a voucher',
    'wait',
    'no problem',
    'yes but not now',
  ])('is none where something else is wanted: %s', (answer) => expect(to(refund)(answer)).toBeNull());

  it('is none where the words may be the deed', () => {
    expect(to(cancelling)('cancel that')).toBeNull();
    expect(to(booking)('cancel that')).toBe('gives-up');
  });

  it('of something that was asked for takes plain words, and a yes is nothing there', () => {
    const answer = (text: string) =>
      consentIn(text, { readBack: refund, isYesAskedFor: false, agentName: 'Robin' }, today);
    expect(
      ['never mind', 'no', "I don't have it", 'yes', 'it was too expensive', 'forget it'].map(answer),
    ).toEqual(['gives-up', 'no', null, null, null, 'gives-up']);
  });
});
