/** Names as written; 1 January 2023 was a Sunday. */
export const DAYS = Array.from({ length: 7 }, (_, day) =>
  new Date(2023, 0, 1 + day).toLocaleString('en', { weekday: 'long' }),
);
export const MONTHS = Array.from({ length: 12 }, (_, month) =>
  new Date(2023, month).toLocaleString('en', { month: 'long' }),
);
/** Days of a month in words, from the first. */
export const DAY_ORDINALS: readonly string[] =
  `first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
  fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth
  twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first`.split(/\s+/);
