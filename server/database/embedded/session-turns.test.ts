import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Backend, createSessionTurns, type SessionTurns } from './session-turns.ts';

/** A backend that records exchanges and understands `begin`, `commit` and `fail`. */
let executed: string[];
let open: boolean;
let expired: number[];
let turns: SessionTurns;
const backend: Backend = {
  execute(exchange) {
    const text = Buffer.from(exchange).toString();
    executed.push(text);
    if (text === 'break') throw new Error('broken');
    if (text.startsWith('begin')) open = true;
    if (text.startsWith('commit')) open = false;
    return Buffer.from(`done ${text}`);
  },
  inTransaction: () => open,
  rollback() {
    executed.push('rollback');
    open = false;
  },
};
beforeEach(() => {
  vi.useFakeTimers();
  executed = [];
  open = false;
  expired = [];
  turns = createSessionTurns(backend, {
    idleInTransactionMs: 1_000,
    onExpired: (session) => expired.push(session),
  });
});
afterEach(() => vi.useRealTimers());

const run = async (session: number, text: string) =>
  Buffer.from(await turns.run(session, Buffer.from(text))).toString();

it('answers each exchange in the order they came', async () => {
  const answers = await Promise.all([run(1, 'a'), run(2, 'b'), run(1, 'c')]);
  expect(answers).toEqual(['done a', 'done b', 'done c']);
  expect(executed).toEqual(['a', 'b', 'c']);
});

it('keeps the backend for a session with an open transaction until it ends', async () => {
  await run(1, 'begin');
  const others = [run(2, 'x'), run(3, 'y')];
  await run(1, 'insert');
  expect(executed).toEqual(['begin', 'insert']);
  await run(1, 'commit');
  await Promise.all(others);
  expect(executed).toEqual(['begin', 'insert', 'commit', 'x', 'y']);
});

it('lets another transaction begin only after the first one', async () => {
  await run(1, 'begin 1');
  const second = run(2, 'begin 2');
  const third = run(3, 'z');
  await run(1, 'commit 1');
  await second;
  await run(2, 'commit 2');
  await third;
  expect(executed).toEqual(['begin 1', 'commit 1', 'begin 2', 'commit 2', 'z']);
});

it('rolls back what a session that goes away left open, and goes on', async () => {
  await run(1, 'begin');
  const other = run(2, 'x');
  turns.close(1);
  await other;
  expect(executed).toEqual(['begin', 'rollback', 'x']);
  await expect(run(1, 'late')).rejects.toThrow('The session is closed.');
});

it('forgets what a session that goes away was waiting for', async () => {
  await run(1, 'begin');
  const waiting = run(2, 'never');
  turns.close(2);
  await expect(waiting).rejects.toThrow('The session is closed.');
  await run(1, 'commit');
  expect(executed).toEqual(['begin', 'commit']);
});

it('ends a transaction in which nothing is asked for too long', async () => {
  await run(1, 'begin');
  const other = run(2, 'x');
  await vi.advanceTimersByTimeAsync(900);
  await run(1, 'still here');
  await vi.advanceTimersByTimeAsync(900);
  expect(expired).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  await other;
  expect(expired).toEqual([1]);
  expect(executed).toEqual(['begin', 'still here', 'rollback', 'x']);
});

it('hands a failure of the backend to the one who asked', async () => {
  await expect(run(1, 'break')).rejects.toThrow('broken');
  expect(await run(2, 'x')).toBe('done x');
});
