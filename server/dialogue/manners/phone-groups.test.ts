import { expect, test } from 'vitest';
import { inGroups } from './phone-groups.ts';

test.each([
  ['07700900123', 'GB', '07700 900123'],
  ['02079460018', 'GB', '020 7946 0018'],
  ['01632960123', 'GB', '01632 960123'],
  ['5035550142', 'US', '(503) 555-0142'],
  ['0123456789', 'FR', '01 23 45 67 89'],
  ['+447700900123', null, '+44 7700 900123'],
  ['+15035550142', 'GB', '+1 503 555 0142'],
])('%s of %s → %s', (number, country, grouped) => {
  expect(inGroups(number, country)).toBe(grouped);
});

test.each([
  ['in their own groups', '077 00 900 123', 'GB'],
  ['without the nought', '7700900123', 'GB'],
  ['that begin with no nought', '612345678', 'ES'],
  ['too short for one', '07700', 'GB'],
  ['of no known country', '07700900123', null],
  ['of a country that there is not', '07700900123', 'XX'],
  ['with an extension', '02079460018 ext. 12', 'GB'],
  ['longer than any', `+${'4'.repeat(300)}`, 'GB'],
])('figures %s stay as they are', (_, number, country) => {
  expect(inGroups(number, country)).toBe(number);
});
