import { expect, it } from 'vitest';
import { isNewer } from './last-use.ts';

it.each([
  ['0.2.0', '0.1.0'],
  ['0.10.0', '0.9.0'],
  ['1.0.0', '0.99.99'],
  ['1.0.1', '1.0.0'],
  ['1.0.0', '1.0.0-rc.2'],
  ['1.0.0-rc.10', '1.0.0-rc.9'],
  ['1.0.0-rc.1', '0.9.0'],
])('%s is newer than %s, and not the other way round', (newer, older) => {
  expect([isNewer(newer, older), isNewer(older, newer), isNewer(newer, newer)]).toEqual([true, false, false]);
});
