import process from 'node:process';

/**
 * Which part of the tests this run is: `everyday` is what `npm test` runs, `rest` what only `npm run test:all` adds (the
 * same journeys on other servers and connections). Where nothing is said, both.
 */
const part = process.env.SIGMA_TEST_PART;
export const runsEveryday = part !== 'rest';
export const runsRest = part !== 'everyday';
