import { expect, it } from 'vitest';
import { EngineError, ProviderComplaint } from '#server/lib/engine-error';
import { complaintOf } from './complaint.ts';

const failed = (cause?: unknown) =>
  new EngineError('The voice refused the request.', { retryable: false, cause });

it.each([
  ['nothing', undefined, 'The voice refused the request.'],
  [
    'its own words',
    new ProviderComplaint('Voice  “bob” is\nnot there.'),
    'The voice refused the request. It says: “Voice “bob” is not there.”',
  ],
  [
    'what the network said below them',
    new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:9') }),
    'The voice refused the request. It says: “connect ECONNREFUSED 127.0.0.1:9”',
  ],
  [
    'a code alone',
    Object.assign(new Error(''), { code: 'ENOTFOUND' }),
    'The voice refused the request. It says: “ENOTFOUND”',
  ],
  ['what a parser of ours says', new SyntaxError('Unexpected token'), 'The voice refused the request.'],
])('tells %s', (_what, cause, sentence) => {
  expect(complaintOf(failed(cause), [])).toBe(sentence);
});

it('repeats no secret, nor the beginning of one', () => {
  const words = new Error('Incorrect API key provided: sk-te*****cret. You sent "sk-test-secret".');
  const said = complaintOf(failed(words), ['sk-test-secret']);
  expect(said).toBe('The voice refused the request. It says: “Incorrect API key provided: ••• You sent •••”');
});

it('is short, and no more than a sentence for what is no error of an engine', () => {
  expect(complaintOf(failed(new Error('x'.repeat(5_000))), []).length).toBeLessThan(400);
  expect(complaintOf(new RangeError('12 is out of range.'), [])).toBe('The engine reported an error.');
});
