import { describe, expect, it } from 'vitest';
import { CredentialsNeeded, FetchFailure, passesSoon, reasonOf } from './fetch-failure.ts';

const systemError = (code: string) => Object.assign(new Error(`${code}: open '/secret/path'`), { code });

describe('reasonOf', () => {
  it.each([
    ['ENOTFOUND', 'the npm registry cannot be reached'],
    ['ECONNRESET', 'the connection to the npm registry broke'],
    ['ENOSPC', 'the disk of MODELS_DIR is full (300 MB are needed)'],
    ['EROFS', 'the folder MODELS_DIR cannot be written'],
    [
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      "the certificate of the npm registry is not trusted (see npm's setting cafile)",
    ],
    ['E503', 'the npm registry answered with the error 503'],
    ['ESOMETHING', 'of an unexpected error (ESOMETHING)'],
  ])('puts %s into words that name no path', (code, words) => {
    expect(reasonOf(systemError(code))).toBe(words);
  });

  it('has words for what is no error at all', () => {
    expect(reasonOf('odd')).toBe('of an unexpected error');
  });
});

describe('passesSoon', () => {
  it('tells what mends itself from what somebody must mend', () => {
    expect(passesSoon(systemError('ENOTFOUND'))).toBe(true);
    expect(passesSoon(systemError('EACCES'))).toBe(false);
    expect(passesSoon(new CredentialsNeeded())).toBe(false);
    expect(passesSoon(new FetchFailure('it broke', { soon: true }))).toBe(true);
  });
});
