import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Indexing } from './indexing.ts';

/** Indexes agents when the test says so. */
function anIndexing() {
  const closing = new AbortController();
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const indexing = new Indexing({
    index: (_, agentId) => {
      begun.push(agentId);
      return new Promise((resolve) => ends.set(agentId, resolve));
    },
    gatherMs: 1,
    closing: closing.signal,
    onFailure: (error) => {
      throw error;
    },
  });
  const end = (agentId: string) => ends.get(agentId)?.();
  /** Waits until changes close together were gathered. */
  const gathered = () => delay(20);
  return { indexing, begun, end, gathered, closing };
}

it('indexes one agent of an account at a time, and one of another account beside it', async () => {
  const { indexing, begun, end, gathered } = anIndexing();
  for (const agent of ['one', 'two', 'three']) void indexing.soon({ account: 'theirs' }, agent);
  void indexing.soon({ account: 'mine' }, 'my own');
  await expect.poll(() => begun).toEqual(['one', 'my own']);
  await gathered();
  expect(begun).toHaveLength(2);
  end('one');
  await expect.poll(() => begun).toEqual(['one', 'my own', 'two']);
});

it('indexes again what changed while it was indexed, and at once what somebody waits for by now', async () => {
  const { indexing, begun, end, gathered } = anIndexing();
  const patient = (account: string) => ({ account, isPatient: true });
  const first = indexing.soon(patient('a'), 'old');
  void indexing.soon(patient('b'), 'waiting');
  await expect.poll(() => begun).toEqual(['old']);
  await gathered();
  void indexing.soon({ account: 'b' }, 'waiting');
  expect(indexing.soon(patient('a'), 'old')).toBe(first);
  await expect.poll(() => begun).toEqual(['old', 'waiting']);
  end('old');
  await expect.poll(() => begun).toEqual(['old', 'waiting', 'old']);
  end('old');
  await first;
});

it('leaves what waits once the server closes', async () => {
  const { indexing, begun, end, closing } = anIndexing();
  for (const agent of ['one', 'two']) void indexing.soon({ account: 'mine' }, agent);
  await expect.poll(() => begun).toEqual(['one']);
  closing.abort(new Error('closing'));
  end('one');
  await Promise.all(indexing.running);
  expect(begun).toEqual(['one']);
});
