import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startHousekeeping } from './housekeeping.ts';

const HOUR = 60 * 60 * 1000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** @param free whether this instance does the work that one does for all */
function started({ free = true, broken = '' } = {}) {
  const done: string[] = [];
  const chore = (name: string) => async () => {
    done.push(name);
    if (name === broken) throw new Error(`${name} is broken`);
  };
  const warn = vi.fn();
  const housekeeping = startHousekeeping({
    database: {
      alone: async (_name, work) => {
        if (free) await work(new AbortController().signal);
        return free;
      },
    },
    logger: { warn },
    endSessions: chore('sessions'),
    removeExpired: [chore('codes'), chore('log')],
    removeOld: chore('old'),
    takeUpDocuments: chore('documents'),
  });
  return { done, warn, housekeeping };
}

describe('housekeeping', () => {
  it('removes what is old at once, and takes up documents when somebody can ask', async () => {
    const { done, housekeeping } = started();
    expect(done).toEqual(['old']);
    housekeeping.listening();
    expect(done).toEqual(['old', 'documents']);
    housekeeping.stop();
  });

  it('ends sessions every minute and does the rest every hour', async () => {
    const { done, housekeeping } = started();
    done.length = 0;
    await vi.advanceTimersByTimeAsync(2 * 60_000);
    expect(done).toEqual(['sessions', 'sessions']);
    done.length = 0;
    await vi.advanceTimersByTimeAsync(HOUR - 2 * 60_000);
    expect(done.filter((name) => name !== 'sessions')).toEqual(['codes', 'log', 'old', 'documents']);
    housekeeping.stop();
  });

  it('leaves to another instance what one does for all', async () => {
    const { done, housekeeping } = started({ free: false });
    await vi.advanceTimersByTimeAsync(HOUR);
    expect(new Set(done)).toEqual(new Set(['sessions', 'codes', 'log']));
    housekeeping.stop();
  });

  it.each(['codes', 'old', 'sessions'])('goes on where "%s" fails, and says so', async (broken) => {
    const { done, warn, housekeeping } = started({ broken });
    await vi.advanceTimersByTimeAsync(2 * HOUR);
    expect(new Set(done)).toEqual(new Set(['sessions', 'codes', 'log', 'old', 'documents']));
    expect(done.filter((name) => name === broken).length).toBeGreaterThan(1);
    expect(warn).toHaveBeenCalledWith(
      expect.objectContaining({ err: new Error(`${broken} is broken`) }),
      'background work failed',
    );
    housekeeping.stop();
  });

  it('ends', async () => {
    const { done, housekeeping } = started();
    done.length = 0;
    housekeeping.stop();
    await vi.advanceTimersByTimeAsync(2 * HOUR);
    expect(done).toEqual([]);
  });
});
