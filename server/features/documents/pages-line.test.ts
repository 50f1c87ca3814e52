import { setImmediate as settle } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { PagesLine } from './pages-line.ts';

/** Reads pages when the test says so. */
function aLine() {
  const closing = new AbortController();
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const line = new PagesLine({
    read: (_, id) => {
      begun.push(id);
      return new Promise((resolve) => ends.set(id, resolve));
    },
    sharedState: { take: async () => ({ lost: closing.signal, release() {} }) },
    closing: closing.signal,
    onFailure: (error) => {
      throw error;
    },
  });
  const end = async (id: string) => {
    ends.get(id)?.();
    await settle();
  };
  return { line, begun, end, closing };
}
const patient = (account: string) => ({ account, isPatient: true });

it('reads a page of one account at once, however many slow ones another has', async () => {
  const { line, begun, end } = aLine();
  for (let n = 0; n < 10; n++) void line.soon({ account: 'theirs' }, `slow ${n}`);
  await settle();
  expect(begun).toEqual(['slow 0', 'slow 1']);
  void line.soon({ account: 'mine' }, 'page');
  await settle();
  expect(begun.slice(2)).toEqual(['page']);
  await end('slow 0');
  expect(begun.slice(3)).toEqual(['slow 2']);
});

it('leaves room beside pages that nobody waits for, and reads one of them at once that somebody asks for', async () => {
  const { line, begun } = aLine();
  for (let n = 0; n < 3; n++) void line.soon(patient(`account ${n}`), `old ${n}`);
  await settle();
  expect(begun).toEqual(['old 0']);
  void line.soon({ account: 'account 2' }, 'old 2');
  await settle();
  expect(begun).toEqual(['old 0', 'old 2']);
});

it('reads a page once that is on two lists, and again where somebody asks while it is read', async () => {
  const { line, begun, end } = aLine();
  const [one, other] = [line.soon(patient('mine'), 'page'), line.soon(patient('mine'), 'page')];
  expect(other).toBe(one);
  await settle();
  expect(line.soon(patient('mine'), 'page')).toBe(one);
  const again = line.soon({ account: 'mine' }, 'page');
  expect(again).not.toBe(one);
  await settle();
  expect(begun).toEqual(['page', 'page']);
  expect(line.running).toHaveLength(2);
  await end('page');
});

it('reads nothing more once the server closes, and keeps nobody waiting', async () => {
  const { line, begun, end, closing } = aLine();
  for (let n = 0; n < 3; n++) void line.soon({ account: 'mine' }, `page ${n}`);
  await settle();
  closing.abort(new Error('closing'));
  await end('page 0');
  await end('page 1');
  await Promise.all(line.running);
  expect(begun).toEqual(['page 0', 'page 1']);
  expect(line.running).toEqual([]);
});
