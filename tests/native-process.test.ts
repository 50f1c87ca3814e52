import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type * as NativeProcess from '#server/threads/native-process';
import { THREAD_STOPPED, type WorkerThread } from '#server/threads/worker-thread';
import type { EchoMethods, Hang } from './support/echo.worker.ts';
import { startProgram } from './support/programs.ts';

const stopped = { name: 'WorkerStopped', wasWanted: false };

// Windows has no signals that stand for a crash.
describe.skipIf(process.platform === 'win32')('the process of the native engines', () => {
  let start: typeof NativeProcess.startNativeThread;
  let startApart: typeof NativeProcess.startThreadApart;
  let usage: typeof NativeProcess.nativeUsage;
  let exits: [of: string, why: string | undefined][];
  let threads: WorkerThread<EchoMethods>[];

  beforeEach(async () => {
    // What was learnt of crashes is forgotten with the module.
    vi.resetModules();
    ({
      startNativeThread: start,
      startThreadApart: startApart,
      nativeUsage: usage,
    } = await import('#server/threads/native-process'));
    exits = [];
    threads = [];
  });
  afterEach(() => Promise.all(threads.map((thread) => thread.finish())));

  /** @param path of the same file */
  function aThread(of: string, hangMs: number | null = null, path = './support/echo.worker') {
    const thread = start<EchoMethods>(import.meta.url, path, {
      hangMs,
      onExit: (error) => exits.push([of, error?.message]),
    });
    threads.push(thread);
    return thread;
  }
  const pidOf = async (thread: WorkerThread<EchoMethods>) => (await thread.call('where', undefined)).pid;

  it('is one for all threads, with nothing of the environment but what native code needs, and telling nobody of its use', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'secret');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    vi.stubEnv('SSL_CERT_FILE', '/etc/ssl/own.pem');
    const [one, other] = [aThread('one'), aThread('other')];
    const { pid, environment } = await one.call('where', undefined);
    expect(pid).not.toBe(process.pid);
    expect(await pidOf(other)).toBe(pid);
    expect(environment).toEqual(
      expect.arrayContaining(['PATH', 'SSL_CERT_FILE', 'ORT_DISABLE_TELEMETRY', 'MALLOC_ARENA_MAX']),
    );
    expect(environment.filter((name) => /KEY|SECRET|SIGMA|VITEST/.test(name))).toEqual([]);
    vi.unstubAllEnvs();
  });

  it('crashes alone: all its threads are told as stopped, and the next ones run in another', async () => {
    const told: unknown[] = [];
    const count = (message: unknown) => void told.push(message);
    subscribe(THREAD_STOPPED, count);
    const [one, other] = [aThread('one'), aThread('other')];
    const before = await pidOf(other);
    const waiting = expect(other.call('wait', {})).rejects.toMatchObject(stopped);
    await expect(one.call('crashNatively', undefined)).rejects.toMatchObject(stopped);
    await waiting;
    await expect(other.call('echo', { text: 'hello' })).rejects.toMatchObject(stopped);
    unsubscribe(THREAD_STOPPED, count);
    const why = 'The process of the native engines ended (SIGSEGV).';
    expect(exits).toEqual([
      ['one', why],
      ['other', why],
    ]);
    const name = './support/echo.worker';
    expect(told).toEqual([
      { name, hangs: false },
      { name, hangs: false },
    ]);
    const next = aThread('next');
    expect(await next.call('echo', { text: 'here' })).toBe('here');
    expect(await pidOf(next)).not.toBe(before);
  });

  it('crashes again and again without taking others along: then each thread has its own', async () => {
    for (const _ of [1, 2]) {
      const [bad, good] = [aThread('bad'), aThread('good')];
      expect(await pidOf(bad)).toBe(await pidOf(good));
      await expect(bad.call('crashNatively', undefined)).rejects.toMatchObject(stopped);
    }
    const [bad, good] = [aThread('bad'), aThread('good', null, '../tests/support/echo.worker')];
    expect(await pidOf(bad)).not.toBe(await pidOf(good));
    await expect(bad.call('crashNatively', undefined)).rejects.toMatchObject(stopped);
    expect(await good.call('echo', { text: 'still here' })).toBe('still here');
  });

  it('keeps one thread that hangs in native code, for the sake of the others; a second ends it', async () => {
    const HANG_MS = 1_000;
    const hang: Hang = { where: 'in native code' };
    const healthy = aThread('healthy');
    const before = await pidOf(healthy);
    await expect(aThread('first', HANG_MS).call('hang', hang)).rejects.toMatchObject(stopped);
    expect(await pidOf(healthy)).toBe(before);
    await expect(aThread('second', HANG_MS).call('hang', hang)).rejects.toMatchObject(stopped);
    expect(exits).toEqual([
      ['first', 'The worker ./support/echo.worker hangs.'],
      ['healthy', 'The process of the native engines was ended: threads hang in it.'],
      ['second', 'The worker ./support/echo.worker hangs.'],
    ]);
    await expect.poll(() => isThere(before)).toBe(false);
  });

  it('that stands still is ended, and told as hanging', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const thread = aThread('one');
    const pid = await pidOf(thread);
    const lost = expect(thread.call('wait', {})).rejects.toMatchObject(stopped);
    process.kill(pid, 'SIGSTOP');
    vi.advanceTimersByTime(90_000);
    vi.useRealTimers();
    await lost;
    expect(exits).toEqual([['one', 'The process of the native engines hangs.']]);
    await expect.poll(() => isThere(pid)).toBe(false);
  });

  it('leaves it to the server to answer a signal that both get, and ends with its last thread', async () => {
    const [one, other] = [aThread('one'), aThread('other')];
    const pid = await pidOf(one);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid, signal);
    await one.finish();
    expect(await other.call('echo', { text: 'here' })).toBe('here');
    expect(usage().residentBytes).toBeGreaterThan(10e6);
    await other.finish();
    expect(usage().residentBytes).toBe(0);
    expect(usage().cpuMs).toBeGreaterThan(0);
    await expect.poll(() => isThere(pid)).toBe(false);
  });

  it('has a limit of memory where its thread has a process apart, and gives all of it back', async () => {
    const apart = (residentMb: number) => {
      const thread = startApart<EchoMethods>(import.meta.url, './support/echo.worker', {
        hangMs: null,
        residentMb,
        onExit: (error) => exits.push(['apart', error?.message]),
      });
      threads.push(thread);
      return thread;
    };
    const shared = aThread('shared');
    const [small, large] = [apart(400), apart(1_500)];
    const pids = await Promise.all([pidOf(shared), pidOf(small), pidOf(large)]);
    expect(new Set(pids).size).toBe(3);
    expect(await large.call('fill', { megabytes: 500 })).toBe(500);
    await expect(small.call('fill', { megabytes: 5_000 })).rejects.toMatchObject(stopped);
    expect(exits).toEqual([['apart', 'A process with a limit of memory ended (SIGKILL).']]);
    // What runs in it is not waited for.
    const hanging = expect(large.call('hang', { where: 'in its own code' })).rejects.toMatchObject({
      name: 'WorkerStopped',
      wasWanted: true,
    });
    await large.terminate();
    await hanging;
    await expect.poll(() => pids.map(isThere)).toEqual([true, false, false]);
    expect(await shared.call('echo', { text: 'here' })).toBe('here');
  });

  it('never outlives the server, however that ended', async () => {
    const program = startProgram('tests/support/native-owner.ts');
    await program.until(({ stdout }) => stdout === 'answered\n');
    program.child.kill('SIGKILL');
    // It has the same standard error, which ends with the last of both.
    expect(await program.ended).toBe('SIGKILL');
  });
});

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
