import { ordinal } from './spoken/number-words.ts';

/** Names as written; 1 January 2023 was a Sunday. */
export const DAYS = Array.from({ length: 7 }, (_, day) =>
  new Date(2023, 0, 1 + day).toLocaleString('en', { weekday: 'long' }),
);
export const MONTHS = Array.from({ length: 12 }, (_, month) =>
  new Date(2023, month).toLocaleString('en', { month: 'long' }),
);
/** Days of a month in words, from the first. */
export const DAY_ORDINALS = Array.from({ length: 31 }, (_, day) => ordinal(day + 1));
