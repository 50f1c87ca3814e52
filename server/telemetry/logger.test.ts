import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { expect, it } from 'vitest';
import { capturedLogger } from '../../tests/support/captured-logger.ts';
import { readable } from './logger.ts';

it('drops personal fields wherever they stand', () => {
  const { logger, lines } = capturedLogger();
  logger.info({ email: 'ada@example.com', user: { name: 'Ada', id: 'u1' }, request: { token: 't' } }, 'done');
  expect(lines()).toEqual([
    { level: 'info', time: expect.any(String), user: { id: 'u1' }, request: {}, msg: 'done' },
  ]);
});

it('keeps what helps of an error, but not the parameters of a statement', () => {
  const { logger, lines } = capturedLogger();
  const cause = Object.assign(new Error('duplicate key'), {
    code: '23505',
    detail: 'Key (email)=(ada@example.com)',
  });
  const error = Object.assign(new Error('Failed query: insert … params: ada@example.com', { cause }), {
    params: ['ada@example.com'],
  });
  logger.error({ err: error }, 'failed');
  logger.error({ err: new TypeError('x is not a function') }, 'failed');
  const [database, bug] = lines();
  expect(JSON.stringify(database)).not.toContain('ada@example.com');
  expect(database).toMatchObject({ err: { type: 'Error', cause: { code: '23505' } } });
  expect(bug).toMatchObject({
    err: {
      type: 'TypeError',
      reason: 'x is not a function',
      at: expect.arrayContaining([expect.stringMatching(/^at /)]),
    },
  });
});

it('is one line for a person at a terminal', () => {
  expect(
    readable(
      '{"level":"info","time":"2026-11-20T12:30:05.123Z","requestId":"r1","status":200,"msg":"request answered"}',
    ),
  ).toBe('12:30:05  info   request answered  requestId=r1 status=200');
});

it.runIf(process.platform === 'linux')(
  'keeps little of what its full disk does not take',
  () => {
    const full = openSync('/dev/full', 'w');
    const { status, stdout } = spawnSync(
      process.execPath,
      ['--conditions=sigma-source', '--import', 'tsx', 'tests/support/endless-log.ts'],
      { stdio: ['ignore', 'pipe', full], encoding: 'utf8' },
    );
    closeSync(full);
    expect(status).toBe(0);
    expect(Number(stdout)).toBeLessThan(50_000_000);
  },
  60_000,
);
