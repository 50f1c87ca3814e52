import { setImmediate as settle } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { FairTurns, type QueuedWork } from './fair-turns.ts';

/** Jobs that end when the test says so. */
function someWorks({ places = 2, placesPerAccount = 1, patientPlaces = 1 } = {}) {
  const turns = new FairTurns({ places, placesPerAccount, patientPlaces });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const add = (name: string, work: QueuedWork, signal?: AbortSignal) =>
    turns.run(
      work,
      () => {
        begun.push(name);
        return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
      },
      signal,
    );
  const end = async (name: string) => {
    ends.get(name)?.();
    await settle();
  };
  return { turns, begun, add, end };
}

const patient = (account: string) => ({ account, isPatient: true });

describe('FairTurns', () => {
  it('begins one work of each account before any begins its next, each account in its own order', async () => {
    const { begun, add, end } = someWorks({ places: 1 });
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) void add(name, { account: name.charAt(0) });
    await settle();
    for (const name of ['a1', 'b1', 'c1', 'a2', 'b2']) await end(name);
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('lets nobody go first twice who comes back with one after the other', async () => {
    const { begun, add, end } = someWorks({ places: 1 });
    for (const name of ['a1', 'b1', 'c1', 'b2']) void add(name, { account: name.charAt(0) });
    await settle();
    await end('a1');
    void add('a2', { account: 'a' });
    for (const name of ['b1', 'c1', 'a2', 'b2']) await end(name);
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2']);
  });

  it('keeps a place free that no single account can take, however much it asks for', async () => {
    const { begun, add, end } = someWorks();
    for (const name of ['a1', 'a2', 'a3']) void add(name, { account: 'a' });
    await settle();
    expect(begun).toEqual(['a1']);
    void add('b1', { account: 'b' });
    await settle();
    expect(begun).toEqual(['a1', 'b1']);
    await end('a1');
    expect(begun).toEqual(['a1', 'b1', 'a2']);
  });

  it('has what nobody waits for stand behind all others, and keeps a place free of it', async () => {
    const { begun, add, end } = someWorks({ places: 2, placesPerAccount: 2 });
    for (const name of ['old 1', 'old 2']) void add(name, patient('a'));
    await settle();
    expect(begun).toEqual(['old 1']);
    for (const name of ['new 1', 'new 2']) void add(name, { account: 'b' });
    await settle();
    await end('old 1');
    expect(begun).toEqual(['old 1', 'new 1', 'new 2']);
    await end('new 1');
    expect(begun.at(-1)).toBe('old 2');
  });

  it('lets what somebody waits for by now go first', async () => {
    const { turns, begun, add, end } = someWorks();
    const wanted = patient('b');
    void add('old', patient('a'));
    void add('wanted', wanted);
    await settle();
    expect(begun).toEqual(['old']);
    turns.hurry(wanted);
    await settle();
    expect(begun).toEqual(['old', 'wanted']);
    await end('old');
  });

  it('goes on after work that fails, and without those who gave up waiting', async () => {
    const { turns, begun, add, end } = someWorks({ places: 1 });
    const stop = new AbortController();
    const failing = turns.run({ account: 'a' }, () => Promise.reject(new Error('broken')));
    const gone = add('gone', { account: 'b' }, stop.signal);
    const left = add('left', { account: 'c' }, stop.signal);
    await expect(failing).rejects.toThrow('broken');
    await settle();
    stop.abort(new Error('not wanted'));
    await expect(left).rejects.toThrow('not wanted');
    await expect(add('late', { account: 'd' }, stop.signal)).rejects.toThrow('not wanted');
    // The signal does not stop a job that has begun.
    await end('gone');
    expect(await gone).toBe('gone');
    expect(begun).toEqual(['gone']);
  });
});
