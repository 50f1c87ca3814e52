import { afterEach, describe, expect, it } from 'vitest';
import type { Weights } from '#server/engines/weights/contract';
import { WorkerStopped, type WorkerThread } from '#server/threads/worker-thread';
import type { VoiceActivityEngine } from './contract.ts';
import { createSilero, type SileroOptions } from './silero.ts';
import type { SileroMethods } from './silero.worker.ts';

const opened: VoiceActivityEngine[] = [];
afterEach(async () => {
  for (const engine of opened.splice(0)) await engine.close();
});

type Call = { method: string; args: { stream: number; samples: Float32Array } };

/** An engine whose thread answers as the test says; by default every frame is speech. */
function anEngine(accept: (call: Call['args']) => Promise<boolean[]> = async () => [true]) {
  const calls: Call[] = [];
  let come: (dir: string) => void = () => {};
  const arrival = new Promise<string>((resolve) => {
    come = resolve;
  });
  const weights: Pick<Weights, 'ensure' | 'status'> = {
    ensure: (_bundle, signal) =>
      new Promise((resolve, reject) => {
        arrival.then(resolve);
        signal?.addEventListener('abort', () => reject(signal.reason));
      }),
    status: () => ({ state: 'fetching', message: 'The ears are being fetched.' }),
  };
  const startThread: NonNullable<SileroOptions['startThread']> = (onExit) => {
    const thread: WorkerThread<SileroMethods> = {
      call: (method, args, signal) =>
        new Promise((resolve, reject) => {
          const call = { method, args: args as Call['args'] };
          if (method !== 'load') calls.push(call);
          const answer = method === 'accept' ? accept(call.args) : Promise.resolve();
          answer.then((value) => resolve(value as never), reject);
          signal?.addEventListener('abort', () => reject(signal.reason));
        }),
      finish: async () => onExit(null),
      terminate: async () => {},
    };
    return thread;
  };
  const engine = createSilero({ weights, bundle: 'hearing', startThread, restartDelaysMs: [5] });
  opened.push(engine);
  return { engine, calls, arrive: () => come('/models/hearing') };
}

describe('createSilero', () => {
  it('lets a detector wait until it is ready', async () => {
    const { engine, calls, arrive } = anEngine(async ({ samples }) => [samples.length > 512]);
    const detector = engine.open();
    const first = detector.accept(new Float32Array(600));
    const second = detector.accept(new Float32Array(500));
    expect(engine.status()).toEqual({ state: 'fetching', message: 'The ears are being fetched.' });
    expect(calls).toEqual([]);
    arrive();
    expect(await Promise.all([first, second])).toEqual([[true], [false]]);
    expect(engine.status()).toEqual({ state: 'ready', message: 'The ears are ready.' });
  });

  it('keeps streams apart and tells the thread when one is closed', async () => {
    const { engine, calls, arrive } = anEngine();
    arrive();
    const [a, b] = [engine.open(), engine.open()];
    await a.accept(new Float32Array(1));
    await b.accept(new Float32Array(2));
    a.close();
    a.close();
    await b.accept(new Float32Array(3));
    expect(calls.map(({ method, args }) => [method, args.stream])).toEqual([
      ['accept', 1],
      ['accept', 2],
      ['close', 1],
      ['accept', 2],
    ]);
    await expect(a.accept(new Float32Array(1))).rejects.toMatchObject({
      name: 'EngineError',
      message: 'This stream is closed.',
      retryable: false,
    });
  });

  it('takes the samples as they were when they came, and nothing else of their buffer', async () => {
    const { engine, calls, arrive } = anEngine();
    const buffer = new Float32Array(10_000).fill(0.5);
    const heard = engine.open().accept(buffer.subarray(0, 100));
    buffer.fill(0);
    arrive();
    await heard;
    expect(calls[0]?.args.samples).toEqual(new Float32Array(100).fill(0.5));
    expect(calls[0]?.args.samples.buffer.byteLength).toBe(400);
  });

  it('ends a stream of which too much waits, and leaves the others alone', async () => {
    const { engine, arrive } = anEngine();
    const [flooded, fine] = [engine.open(), engine.open()];
    const waiting = flooded.accept(new Float32Array(29 * 16_000));
    const lost = expect(waiting).rejects.toThrow('The ears cannot keep up with this call.');
    const heard = fine.accept(new Float32Array(100));
    await expect(flooded.accept(new Float32Array(2 * 16_000))).rejects.toMatchObject({ retryable: false });
    await lost;
    await expect(flooded.accept(new Float32Array(1))).rejects.toThrow('cannot keep up');
    arrive();
    expect(await heard).toEqual([true]);
  });

  it('rejects what is under way when its thread stops, and goes on with the next', async () => {
    let crashes = 1;
    const { engine, arrive } = anEngine(async () => {
      if (crashes-- > 0) throw new WorkerStopped('The worker stopped.');
      return [false];
    });
    arrive();
    const detector = engine.open();
    await expect(detector.accept(new Float32Array(512))).rejects.toMatchObject({
      name: 'EngineError',
      message: 'The ears stopped while they listened; try again in a moment.',
      retryable: true,
    });
    expect(await detector.accept(new Float32Array(512))).toEqual([false]);
  });

  it('wakes whoever waits when it is closed', async () => {
    const { engine } = anEngine();
    const waiting = engine.open().accept(new Float32Array(512));
    const refused = expect(waiting).rejects.toMatchObject({ name: 'EngineError' });
    await engine.close();
    await refused;
    expect(engine.status().state).toBe('failed');
  });
});
