import { expect, test } from 'vitest';
import { dialledFrom, emergencyNumbersOf } from './emergency-numbers.ts';

const numberOf = (companyInfo: string, language = 'en') =>
  emergencyNumbersOf({ language, companyInfo })?.emergency ?? null;

test.each([
  ['Ring us on +44 161 496 0000.', '999'],
  ['We are at 12 Elm Street, Portland, OR 97201. Call (503) 555-0142.', '911'],
  ['Our shop is in Linz, Austria. Telephone +43 732 555 010. We ship to the United Kingdom.', '112'],
  ['Call us on +61 2 5550 1234.', '000'],
  ['Find us at 4 Mill Lane, Leeds LS1 4AB. A cut costs £18.', '999'],
  ['If you see a fire, call 911 from outside.', '911'],
])('%s → %s', (text, number) => {
  expect(numberOf(text)).toBe(number);
});

test.each(['', 'We open at nine.', 'We ship to Canada.', 'We fly to Spain, Ireland, Australia and Canada.'])(
  'it is not known of: %s',
  (text) => {
    expect(numberOf(text)).toBeNull();
  },
);

test('the region of the language goes first', () => {
  expect(numberOf('Ring us on +44 161 496 0000.', 'en-AU')).toBe('000');
  expect(emergencyNumbersOf({ language: 'en-US', companyInfo: '' })).toEqual({
    emergency: '911',
    crisis: '988',
  });
});

test.each([
  ['Ring us on +44 161 496 0000.', 'en', 'GB'],
  ['We are at 12 Elm Street, Portland, OR 97201. Call (503) 555-0142.', 'en', 'US'],
  ['Our shop is in Linz, Austria. Telephone +43 732 555 010.', 'en', 'AT'],
  ['Find us in Linz, Austria. For fire, call 112.', 'en', null],
  ['', 'en-NZ', 'NZ'],
  ['', 'en', null],
])('numbers are dialled as there: %s (%s) → %s', (companyInfo, language, country) => {
  expect(dialledFrom({ companyInfo, language })).toBe(country);
});
