import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type * as Files from 'node:fs/promises';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startProgram } from '../../tests/support/programs.ts';
import { lockDirectory } from './directory-lock.ts';

const disk = vi.hoisted(() => ({ hasLinks: true }));
vi.mock('node:fs/promises', async (importOriginal) => {
  const real = await importOriginal<typeof Files>();
  const link: typeof real.link = async (...names) => {
    if (disk.hasLinks) return real.link(...names);
    throw Object.assign(new Error('operation not permitted, link'), { code: 'EPERM' });
  };
  return { ...real, link };
});

let directory: string;
let path: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sigma-lock-'));
  path = join(directory, 'sigma.lock');
});
afterEach(() => rm(directory, { recursive: true }));

/** Does not wait for a living holder. */
const atOnce = { patienceMs: 0 };

const refusal = (pid: number) =>
  `The data directory ${resolve(directory)} is in use by another Sigma (process ${pid}): stop that one, or give this one a directory of its own, as in DATA_DIR=./data-2 npm start.`;

/** A lock file as this process would write it, with changes. */
async function lockOf(changes: object): Promise<void> {
  const lock = await lockDirectory(directory);
  const mine = JSON.parse(await readFile(path, 'utf8'));
  await lock.release();
  await writeFile(path, JSON.stringify({ ...mine, nonce: 'of another', ...changes }));
}

async function endedProcess(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'close');
  return child.pid ?? 0;
}

it('is held until it is released, then the file is gone', async () => {
  const lock = await lockDirectory(directory);
  await expect(lockDirectory(directory, atOnce)).rejects.toThrow(refusal(process.pid));
  await lock.release();
  expect(await readdir(directory)).toEqual([]);
  await (await lockDirectory(directory)).release();
});

it('makes the directory', async () => {
  const lock = await lockDirectory(join(directory, 'a', 'b'));
  expect(await readdir(join(directory, 'a', 'b'))).toEqual(['sigma.lock']);
  await lock.release();
});

it('refuses while the process that holds it lives', async () => {
  const holder = startProgram('tests/support/hold-lock.ts', [path]);
  await holder.until(({ stdout }) => stdout.includes('held'));
  await expect(lockDirectory(directory, atOnce)).rejects.toThrow(refusal(holder.child.pid ?? 0));
  holder.child.kill('SIGKILL');
  await holder.ended;
  await (await lockDirectory(directory)).release();
});

it('waits for a holder that is just being ended', async () => {
  const holder = startProgram('tests/support/hold-lock.ts', [path]);
  await holder.until(({ stdout }) => stdout.includes('held'));
  const lock = await lockDirectory(directory, {
    patienceMs: Number.POSITIVE_INFINITY,
    onWait: () => holder.child.kill('SIGKILL'),
  });
  expect(JSON.parse(await readFile(path, 'utf8')).pid).toBe(process.pid);
  await lock.release();
});

it('stops waiting when it is told to', async () => {
  const lock = await lockDirectory(directory);
  const waiting = new AbortController();
  const second = lockDirectory(directory, {
    patienceMs: Number.POSITIVE_INFINITY,
    onWait: () => waiting.abort(new Error('enough')),
    signal: waiting.signal,
  });
  await expect(second).rejects.toThrow('enough');
  await lock.release();
});

describe('a lock left behind', () => {
  it('by a process that is gone is taken over', async () => {
    await lockOf({ pid: await endedProcess() });
    const lock = await lockDirectory(directory);
    expect(JSON.parse(await readFile(path, 'utf8')).pid).toBe(process.pid);
    await lock.release();
  });

  it('by an earlier process with the same number as this one is taken over', async () => {
    await lockOf({ pid: process.pid });
    await (await lockDirectory(directory)).release();
  });

  it.runIf(process.platform === 'linux')(
    'by a process whose number was used again is taken over',
    async () => {
      await lockOf({ pid: process.ppid, processStart: '1' });
      await (await lockDirectory(directory)).release();
    },
  );

  it.runIf(process.platform === 'linux')(
    'by a process that has ended, though its parent never asked how, is taken over',
    async () => {
      // The shell becomes `sleep`, which does not know the shell's child and so never reaps it.
      const script =
        '"$0" --conditions=sigma-source --import tsx tests/support/hold-lock.ts "$1" & exec sleep 1000';
      const parent = spawn('sh', ['-c', script, process.execPath, path], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(parent.stdout, 'data');
      const { pid } = JSON.parse(await readFile(path, 'utf8'));
      process.kill(pid, 'SIGKILL');
      // Its threads end one after the other.
      const states = async () => {
        const threads = await readdir(`/proc/${pid}/task`);
        const lines = threads.map((thread) =>
          readFile(`/proc/${pid}/task/${thread}/stat`, 'utf8').catch(() => 'gone'),
        );
        return (await Promise.all(lines)).filter((line) => line !== 'gone' && !line.includes(') Z '));
      };
      await expect.poll(states).toEqual([]);
      const lock = await lockDirectory(directory, atOnce);
      parent.kill('SIGKILL');
      await lock.release();
    },
  );

  it('before the machine was started again is taken over', async () => {
    await lockOf({ pid: process.ppid, machine: `${hostname()}|another boot|` });
    await (await lockDirectory(directory)).release();
  });

  it.each([['.takeover'], ['.takeover', '.takeover.takeover']])(
    'is taken over at once where whoever was about to was killed, too: %s',
    async (...guards) => {
      await lockOf({ pid: await endedProcess() });
      const left = JSON.parse(await readFile(path, 'utf8'));
      for (const guard of guards)
        await writeFile(path + guard, JSON.stringify({ ...left, nonce: `of ${guard}` }));
      const outcomes = await Promise.allSettled(
        Array.from({ length: 5 }, () =>
          // Well before a guard of unknown age would count as abandoned.
          lockDirectory(directory, { ...atOnce, signal: AbortSignal.timeout(10_000) }),
        ),
      );
      const locks = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
      expect(locks).toHaveLength(1);
      expect(await readdir(directory)).toEqual(['sigma.lock']);
      await locks[0]?.release();
    },
  );

  it('is left to whoever is taking it over', async () => {
    await lockOf({ pid: await endedProcess() });
    const taker = startProgram('tests/support/hold-lock.ts', [`${path}.takeover`]);
    await taker.until(({ stdout }) => stdout.includes('held'));
    const enough = new AbortController();
    const onWait = () => setTimeout(() => enough.abort(new Error('enough')), 500);
    await expect(lockDirectory(directory, { onWait, signal: enough.signal })).rejects.toThrow('enough');
    taker.child.kill('SIGKILL');
    await taker.ended;
    await (await lockDirectory(directory, { signal: AbortSignal.timeout(10_000) })).release();
  });

  it('is taken over by one process only', async () => {
    await lockOf({ pid: await endedProcess() });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, () => lockDirectory(directory, atOnce)),
    );
    const held = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    expect(held).toHaveLength(1);
    await held[0]?.release();
    expect(await readdir(directory)).toEqual([]);
  });
});

describe('where a process cannot be asked, its heartbeat tells', () => {
  const quick = { ...atOnce, beatMs: 40, silentMs: 400 };
  const elsewhere = { machine: 'another-host|boot|pid:[1]', pid: 1 };

  it('a lock that beats is held', async () => {
    await lockOf(elsewhere);
    const beat = setInterval(() => void utimes(path, new Date(), new Date()), 40);
    await expect(lockDirectory(directory, quick)).rejects.toThrow(refusal(1));
    clearInterval(beat);
  });

  it('a lock that does not is taken over', async () => {
    await lockOf(elsewhere);
    await (await lockDirectory(directory, quick)).release();
  });

  it('an old one gets the time of two beats, as after the sleep of a machine', async () => {
    await lockOf(elsewhere);
    const old = new Date(Date.now() - 3_600_000);
    await utimes(path, old, old);
    const wakesUp = setTimeout(() => void utimes(path, new Date(), new Date()), 30);
    await expect(lockDirectory(directory, quick)).rejects.toThrow(refusal(1));
    clearTimeout(wakesUp);
  });

  it('a file that is no lock is treated like one', async () => {
    await writeFile(path, 'nonsense');
    await (await lockDirectory(directory, quick)).release();
  });
});

it('tells when it was taken away, and does not remove what is not its own', async () => {
  let lost = () => {};
  const isLost = new Promise<void>((done) => {
    lost = done;
  });
  const lock = await lockDirectory(directory, { beatMs: 20, onLost: () => lost() });
  await writeFile(path, JSON.stringify({ pid: 1, machine: 'x', processStart: null, nonce: 'thief' }));
  await isLost;
  await lock.release();
  expect(await readdir(directory)).toEqual(['sigma.lock']);
});

it('is whole from the moment on that it can be seen', async () => {
  const seen = new Set<string>();
  let isOver = false;
  const looking = (async () => {
    while (!isOver) {
      const text = await readFile(path, 'utf8').catch(() => null);
      if (text !== null) seen.add(text);
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  for (let n = 0; n < 50; n++) await (await lockDirectory(directory)).release();
  isOver = true;
  await looking;
  for (const text of seen) expect(JSON.parse(text)).toMatchObject({ pid: process.pid });
});

it('tidies up what a process left that was killed before its lock had a name', async () => {
  const nonce = randomUUID();
  await writeFile(`${path}.${nonce}`, '{"pid":');
  await writeFile(`${path}.takeover.${nonce}`, '');
  await writeFile(`${path}.txt`, 'of somebody else');
  const lock = await lockDirectory(directory, atOnce);
  expect((await readdir(directory)).sort()).toEqual(['sigma.lock', 'sigma.lock.txt']);
  await lock.release();
});

it('locks on a disk that knows no second name for a file, too', async () => {
  disk.hasLinks = false;
  try {
    const lock = await lockDirectory(directory);
    await expect(lockDirectory(directory, atOnce)).rejects.toThrow(refusal(process.pid));
    await lock.release();
    expect(await readdir(directory)).toEqual([]);
  } finally {
    disk.hasLinks = true;
  }
});
