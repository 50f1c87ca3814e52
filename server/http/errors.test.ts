import { describe, expect, it } from 'vitest';
import { EngineError } from '#server/lib/engine-error';
import { notFound } from '#server/lib/errors';
import { toAppError } from './errors.ts';

const withCode = (code: string, cause?: unknown) =>
  Object.assign(new Error('secret detail', { cause }), { code });

it('leaves a refusal as it is', () => {
  const refusal = notFound('agent');
  expect(toAppError(refusal)).toBe(refusal);
});

it('takes the sentence of an engine, which is made for people', () => {
  expect(toAppError(new EngineError('The model does not answer.', { retryable: true }))).toMatchObject({
    code: 'unavailable',
    status: 503,
    message: 'The model does not answer.',
  });
});

describe('a database that is away', () => {
  it.each([
    [
      'as the query builder wraps it',
      new Error('Failed query: select …', { cause: new Error('The embedded database stopped.') }),
    ],
    ['the embedded one', new Error('The embedded database stopped.')],
    ['a lost connection', new Error('Connection terminated unexpectedly')],
    ['a pool without a free connection', new Error('timeout exceeded when trying to connect')],
    ['a server that stops', withCode('57P01')],
    ['a server that starts', new Error('Failed query', { cause: withCode('57P03') })],
    ['a server that is gone', new Error('Failed query', { cause: withCode('ECONNREFUSED') })],
    ['a server that is full', withCode('53300')],
  ])('is unavailable: %s', (_what, error) => {
    expect(toAppError(error)).toMatchObject({
      status: 503,
      code: 'unavailable',
      message: 'Sigma cannot reach its database. Please try again.',
    });
  });
});

it.each(['22021', '22P05'])('refuses text that PostgreSQL cannot store (%s)', (code) => {
  expect(toAppError(new Error('Failed query', { cause: withCode(code) }))).toMatchObject({ status: 400 });
});

it.each([
  new Error('secret detail'),
  withCode('42P01'),
  withCode('23505'),
  'a string',
  null,
  undefined,
  { a: 1 },
])('says nothing of %s', (error) => {
  const refusal = toAppError(error);
  expect(refusal).toMatchObject({ status: 500, code: 'internal' });
  expect(JSON.stringify(refusal.toBody())).not.toContain('secret');
});
