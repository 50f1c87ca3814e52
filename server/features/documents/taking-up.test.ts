import { setImmediate as settle } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import type { WaitingDocument } from './repository.ts';
import { TakingUp } from './taking-up.ts';

const closing = new AbortController();
afterEach(() => expect(failures.splice(0)).toEqual([]));
const failures: unknown[] = [];

/** The work left for each account, and the part that is queued until the test says it was read. */
function left(of: Record<string, WaitingDocument[]>, due: Record<string, string[]> = {}) {
  const inLine: string[] = [];
  const problems: string[] = [];
  const ends = new Map<string, () => void>();
  const soon = (work: { account: string; isPatient?: boolean }, id: string) => {
    expect(work.isPatient).toBe(true);
    inLine.push(id);
    return new Promise<void>((resolve) => ends.set(id, resolve));
  };
  const takingUp = new TakingUp({
    repository: {
      whoWaits: async () => [...new Set([...Object.keys(of), ...Object.keys(due)])],
      waiting: async ({ workspaceId: account }, after, most) => {
        const theirs = of[account] ?? [];
        const from = theirs.findIndex(({ id }) => id === after) + 1;
        return theirs.slice(from, from + most);
      },
      due: async ({ workspaceId: account }, _, most) => (due[account] ?? []).slice(0, most),
      setWaiting: async ({ workspaceId: account }, id) => {
        due[account] = (due[account] ?? []).filter((other) => other !== id);
      },
      setProblem: async (_, id) => void problems.push(id),
    },
    pages: { soon },
    indexing: { soon },
    closing: closing.signal,
    onFailure: (error) => failures.push(error),
  });
  const end = async (...ids: string[]) => {
    for (const id of ids) ends.get(id)?.();
    await settle();
  };
  return { takingUp, inLine, problems, end };
}

const aPage = (id: string, isRead = false): WaitingDocument => ({
  id,
  kind: 'page',
  agentIds: ['agent'],
  isRead,
});
const pages = (account: string, count: number) =>
  Array.from({ length: count }, (_, n) => aPage(`${account} ${n}`));

it('has a few of each account stand in line, however many were left, and the next ones when those were read', async () => {
  const { takingUp, inLine, end } = left({ one: pages('one', 5_000), other: pages('other', 1) });
  await takingUp.begin(new Date());
  await settle();
  expect(inLine).toHaveLength(21);
  expect(inLine).toContain('other 0');
  // Running work does not start twice.
  await takingUp.begin(new Date());
  await end('other 0');
  expect(inLine.filter((id) => id === 'one 0')).toHaveLength(1);
  await end(...inLine);
  expect(inLine.slice(21)).toEqual(Array.from({ length: 20 }, (_, n) => `one ${n + 20}`));
});

it('fetches what was not read, indexes what was, and says it of a file that is gone', async () => {
  const file: WaitingDocument = { id: 'file', kind: 'pdf', agentIds: ['agent'], isRead: false };
  const { takingUp, inLine, problems, end } = left({ mine: [aPage('new'), aPage('read', true), file] });
  await takingUp.begin(new Date());
  await settle();
  expect([inLine, problems]).toEqual([['new', 'agent'], ['file']]);
  await end('new', 'agent');
  await Promise.all(takingUp.running);
  expect(takingUp.running).toEqual([]);
});

it('reads the pages whose time has come after what was left, a few at a time', async () => {
  const dueOnes = Array.from({ length: 30 }, (_, n) => `due ${n}`);
  const { takingUp, inLine, end } = left({ mine: [aPage('left')] }, { mine: dueOnes });
  await takingUp.begin(new Date());
  await settle();
  expect(inLine).toEqual(['left']);
  await end('left');
  expect(inLine.slice(1)).toEqual(dueOnes.slice(0, 20));
  await end(...dueOnes.slice(0, 20));
  expect(inLine.slice(21)).toEqual(dueOnes.slice(20));
  await end(...dueOnes.slice(20));
  await Promise.all(takingUp.running);
});
