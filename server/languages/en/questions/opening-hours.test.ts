import { expect, test } from 'vitest';
import { openAt } from './opening-hours.ts';

const at = (weekday: number, hour: number, minute = 0) => ({ weekday, minutes: hour * 60 + minute });
const week = 'Monday to Friday 7 am to 8 pm, Saturday 8 am to 5 pm';

test.each([
  [week, at(4, 19, 59), { isOpen: true, closes: '8 pm' }],
  [week, at(4, 20), { isOpen: false, closes: '8 pm' }],
  [week, at(6, 9), { isOpen: true, closes: '5 pm' }],
  [week, at(0, 9), null],
  ['daily from 9.30 to 17.00', at(0, 9, 15), { isOpen: false, closes: '17.00' }],
  ['Mondays closed. Tuesday to Sunday 10 to 6', at(1, 12), { isOpen: false, closes: null }],
  ['Mondays closed. Tuesday to Sunday 10 to 6', at(0, 12), { isOpen: true, closes: '6' }],
  ['Fri - Mon: 8:00 - 5:00 pm', at(1, 8), { isOpen: true, closes: '5:00 pm' }],
  ['Desk: Monday 9 am to 1 pm. Café: Monday 9 am to 5 pm', at(1, 10), null],
  ['Come in any time.', at(1, 10), null],
])('%s', (hours, moment, expected) => {
  expect(openAt(hours, moment)).toEqual(expected);
});
