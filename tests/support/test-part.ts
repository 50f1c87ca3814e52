import process from 'node:process';

/**
 * The part of the tests in this run: `everyday` for `npm test`, `rest` for the additions of `npm run
 * test:all` (the same journeys on other servers and connections). Both if not set.
 */
const part = process.env.SIGMA_TEST_PART;
export const runsEveryday = part !== 'rest';
export const runsRest = part !== 'everyday';
