import { describe, expect, test } from 'vitest';
import type { AgentProfile } from '#server/dialogue/contract';
import type { Mask } from '#shared/agents';
import { masked } from './masked.ts';

const masks: Mask[] = ['payment', 'national-id', 'email', 'phone'];
const agent = (language: string): AgentProfile => ({
  id: 'a',
  revision: '1',
  name: 'Ada',
  companyName: 'Linden House',
  language,
  personality: '',
  companyInfo: '',
  prompts: [],
  masks,
});
const maskedFor = async (language: string, text: string) =>
  (await masked(text, async () => agent(language))).text;

describe('a card number said in words is kept in no language', () => {
  test.each([
    [
      'de',
      'Meine Karte ist vier eins eins eins, eins eins eins eins, eins eins eins eins, eins eins eins eins.',
    ],
    ['de', 'vier eins eins eins eins eins eins eins eins eins eins eins eins eins eins eins'],
    ['de', 'einundvierzig elf elf elf elf elf elf elf'],
    ['nl', 'vier een een een een een een een een een een een een een een een'],
    ['fr', 'quatre un un un, un un un un, un un un un, un un un un'],
    ['fr', 'quarante et un onze onze onze onze onze onze onze'],
    ['es', 'cuatro uno uno uno, uno uno uno uno, uno uno uno uno, uno uno uno uno'],
    ['es', 'cuarenta y uno once once once once once once once'],
    ['it', 'quattro uno uno uno, uno uno uno uno, uno uno uno uno, uno uno uno uno'],
    ['pt', 'quatro um um um, um um um um, um um um um, um um um um'],
    [
      'pl',
      'cztery jeden jeden jeden jeden jeden jeden jeden jeden jeden jeden jeden jeden jeden jeden jeden',
    ],
    ['tr', 'dört bir bir bir bir bir bir bir bir bir bir bir bir bir bir bir'],
    ['en', 'four one one one, one one one one, one one one one, one one one one'],
  ])('%s: %s', async (language, text) => {
    expect(await maskedFor(language, text)).toContain('[card number]');
    // People dictate in their own language, whatever the agent's is.
    expect(await maskedFor('en', text)).toContain('[card number]');
    expect(await maskedFor('cs', text)).toContain('[card number]');
  });

  test('nor a telephone number', async () => {
    expect(await maskedFor('de', 'null eins sieben sechs doppel zwei drei vier fünf sechs sieben')).toBe(
      '[phone number]',
    );
  });

  test.each([
    'Ich hätte gern zwei oder drei davon.',
    'Un café y dos tés, por favor.',
    'Meine Nummer ist vier vier sieben zwei.',
  ])('short numbers stay: %s', async (text) => {
    expect(await maskedFor('de', text)).toBe(text);
  });
});
