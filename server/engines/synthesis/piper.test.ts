import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Sound } from '#server/audio/sound';
import type { Weights } from '#server/engines/weights/contract';
import { EngineError } from '#server/lib/engine-error';
import { WorkerStopped, type WorkerThread } from '#server/threads/worker-thread';
import type { EngineStatus } from '#shared/status';
import { door } from '../../../tests/support/scripted-engines.ts';
import { allOf, spoken } from '../../../tests/support/spoken.ts';
import type { SynthesisEngine } from './contract.ts';
import { createPiper, type PiperOptions } from './piper.ts';
import type { PiperMethods, SpeakRequest } from './piper.worker.ts';
import type { SpokenPiece } from './wording.ts';

const speech: Sound = { samples: new Float32Array([0.1, 0.2, 0.3]), sampleRate: 22_050 };
const piece = (said: number): SpokenPiece => ({ ...speech, said });
const settle = () => new Promise((resolve) => setTimeout(resolve, 15));

/** Weights that arrive when the test says so. */
function aWeights() {
  let come: (dir: string) => void = () => {};
  const arrival = new Promise<string>((resolve) => {
    come = resolve;
  });
  const state: { status: EngineStatus } = {
    status: {
      state: 'fetching',
      progress: 0.4,
      message: 'Fetching the voice (40 of 101 MB); text works meanwhile.',
    },
  };
  const weights: Weights = {
    status: () => state.status,
    ensure: (_bundle, signal) =>
      new Promise((resolve, reject) => {
        arrival.then(resolve);
        signal?.addEventListener('abort', () => reject(signal.reason));
      }),
    onProgress: () => () => {},
    close: async () => {},
  };
  const arrive = () => {
    state.status = { state: 'ready', message: 'The voice is here.' };
    come('/models/piper');
  };
  return { weights, arrive };
}

type Answers = {
  load?: () => Promise<void>;
  speak?: (request: SpeakRequest) => Promise<SpokenPiece>;
  goOn?: () => Promise<SpokenPiece>;
};

/** Starts threads that answer as the test says, and can crash. */
function aThreadStarter(answers: Answers = {}) {
  const threads: {
    crash: () => void;
    finished: boolean;
    spoken: unknown[];
    hurried: unknown[];
    hushed: unknown[];
  }[] = [];
  const startThread: NonNullable<PiperOptions['startThread']> = (onExit) => {
    const pending = new Set<(error: Error) => void>();
    const record = {
      finished: false,
      spoken: [] as unknown[],
      hurried: [] as unknown[],
      hushed: [] as unknown[],
      crash: () => {
        for (const reject of pending) reject(new WorkerStopped('The worker stopped.'));
        onExit(new Error('crashed'));
      },
    };
    threads.push(record);
    const thread: WorkerThread<PiperMethods> = {
      call: (method, args, signal) =>
        new Promise((resolve, reject) => {
          pending.add(reject);
          if (method === 'speak') record.spoken.push(args);
          if (method === 'hurry') record.hurried.push(args);
          if (method === 'hush') record.hushed.push(args);
          const answerOf: Record<string, () => Promise<unknown>> = {
            load: () => answers.load?.() ?? Promise.resolve(),
            speak: () => answers.speak?.(args as SpeakRequest) ?? Promise.resolve(piece(1)),
            goOn: () => answers.goOn?.() ?? Promise.resolve(piece(1)),
          };
          const answer = answerOf[method]?.() ?? Promise.resolve();
          answer.then((value) => resolve(value as never), reject);
          signal?.addEventListener('abort', () => reject(signal.reason));
        }),
      finish: async () => {
        record.finished = true;
        onExit(null);
      },
      terminate: async () => {},
    };
    return thread;
  };
  return { startThread, threads };
}

const opened: SynthesisEngine[] = [];
afterEach(async () => {
  for (const engine of opened.splice(0)) await engine.close();
});

function anEngine(options: Partial<PiperOptions> = {}, answers: Answers = {}) {
  const weights = aWeights();
  const starter = aThreadStarter(answers);
  const engine = createPiper({
    weights: weights.weights,
    startThread: starter.startThread,
    restartDelaysMs: [5],
    ...options,
  });
  opened.push(engine);
  return { engine, arrive: weights.arrive, threads: starter.threads };
}

const say = (text = 'Hello.', signal?: AbortSignal) => ({
  text,
  urgency: 'first' as const,
  ...(signal ? { signal } : {}),
});

const untilReady = async (engine: SynthesisEngine) => {
  while (engine.status().state !== 'ready') await settle();
};

describe('createPiper', () => {
  it('says what it waits for while its weights come, and refuses with the same sentence', async () => {
    const { engine, threads } = anEngine();
    expect(engine.status()).toEqual({
      state: 'fetching',
      progress: 0.4,
      message: 'Fetching the voice (40 of 101 MB); text works meanwhile.',
    });
    const refused = spoken(engine, say());
    await expect(refused).rejects.toBeInstanceOf(EngineError);
    await expect(refused).rejects.toMatchObject({ message: engine.status().message, retryable: true });
    expect(threads).toHaveLength(0);
  });

  it('says that it loads, then that it is ready, and speaks', async () => {
    let loaded: () => void = () => {};
    const load = () => new Promise<void>((resolve) => (loaded = resolve));
    const { engine, arrive } = anEngine({}, { load });
    arrive();
    await settle();
    expect(engine.status().state).toBe('loading');
    await expect(spoken(engine, say())).rejects.toMatchObject({ retryable: true });
    loaded();
    await untilReady(engine);
    expect(engine.status()).toEqual({ state: 'ready', message: 'The voice is ready.' });
    expect(await spoken(engine, say())).toMatchObject(speech);
  });

  it('hands on text and urgency', async () => {
    const { engine, arrive, threads } = anEngine();
    arrive();
    await untilReady(engine);
    await spoken(engine, { text: 'Later.', urgency: 'later' });
    expect(threads[0]?.spoken).toEqual([{ text: 'Later.', urgency: 'later', inPieces: false, ticket: 1 }]);
  });

  it('hurries once somebody waits for what was asked for without urgency', async () => {
    const { engine, arrive, threads } = anEngine({}, { speak: () => isSpoken.opened.then(() => piece(1)) });
    const awaited = door();
    const isSpoken = door();
    arrive();
    await untilReady(engine);
    const words = spoken(engine, { text: 'Soon.', urgency: 'later', awaited: awaited.opened });
    await vi.waitFor(() => expect(threads[0]?.spoken).toMatchObject([{ urgency: 'later', ticket: 1 }]));
    expect(threads[0]?.hurried).toEqual([]);
    awaited.open();
    await vi.waitFor(() => expect(threads[0]?.hurried).toEqual([{ ticket: 1 }]));
    isSpoken.open();
    expect(await words).toMatchObject(speech);
  });

  it('rejects what was under way when its thread crashes, says so, and comes back by itself', async () => {
    let crashed = false;
    const speak = () => (crashed ? Promise.resolve(piece(1)) : new Promise<SpokenPiece>(() => {}));
    const { engine, arrive, threads } = anEngine({ restartDelaysMs: [40] }, { speak });
    arrive();
    await untilReady(engine);
    const lost = spoken(engine, say());
    const outcome = expect(lost).rejects.toMatchObject({ name: 'EngineError', retryable: true });
    crashed = true;
    threads[0]?.crash();
    await outcome;
    await settle();
    expect(engine.status()).toEqual({
      state: 'failed',
      message: 'The voice stopped and is starting again; text works meanwhile.',
    });
    await expect(spoken(engine, say())).rejects.toMatchObject({ retryable: true });
    await untilReady(engine);
    expect(threads).toHaveLength(2);
    expect(await spoken(engine, say())).toMatchObject(speech);
  });

  it('tries again to load after a failure that may pass', async () => {
    let attempts = 0;
    const load = async () => {
      if (++attempts < 3) throw new EngineError('The voice could not be loaded.', { retryable: true });
    };
    const { engine, arrive, threads } = anEngine({}, { load });
    arrive();
    await untilReady(engine);
    expect(threads).toHaveLength(3);
    expect(threads[0]?.finished).toBe(true);
  });

  it('stays with its sentence when loading can never succeed here', async () => {
    const load = () =>
      Promise.reject(new EngineError('The path of MODELS_DIR is too long.', { retryable: false }));
    const { engine, arrive, threads } = anEngine({}, { load });
    arrive();
    await settle();
    await settle();
    expect(engine.status()).toEqual({ state: 'failed', message: 'The path of MODELS_DIR is too long.' });
    expect(threads).toHaveLength(1);
    await expect(spoken(engine, say())).rejects.toThrow('The path of MODELS_DIR is too long.');
  });

  it('gives the first words out before the others are made, where they are wanted soon', async () => {
    const rest = [piece(0.7), piece(1)];
    const { engine, arrive, threads } = anEngine(
      {},
      {
        speak: ({ inPieces }) => Promise.resolve(piece(inPieces ? 0.2 : 1)),
        goOn: () => Promise.resolve(rest.shift() ?? piece(1)),
      },
    );
    arrive();
    await untilReady(engine);
    const text = 'Delivery takes three to five days. It is free.';
    const phrases = engine.synthesize({ ...say(text), firstWordsSoon: true })[Symbol.asyncIterator]();
    expect((await phrases.next()).value).toEqual({ text: 'Delivery', ...speech });
    expect(rest).toHaveLength(2);
    expect((await phrases.next()).value).toMatchObject({ text: 'takes three to' });
    expect((await phrases.next()).value).toMatchObject({ text: 'five days.' });
    expect((await phrases.next()).value).toMatchObject({ text: 'It is free.' });
    expect((await phrases.next()).done).toBe(true);
    expect(threads[0]?.spoken).toMatchObject([
      { text: 'Delivery takes three to five days.', urgency: 'first', inPieces: true },
      { text: 'It is free.', urgency: 'later', inPieces: false },
    ]);
    expect(threads[0]?.hushed).toEqual([]);
    expect((await allOf(engine.synthesize(say(text)))).map((phrase) => phrase.text)).toEqual([
      'Delivery takes three to five days.',
      'It is free.',
    ]);
  });

  it('says the first word with the first sound, however little of the text that is', async () => {
    const { engine, arrive } = anEngine({}, { speak: () => Promise.resolve(piece(0.02)) });
    arrive();
    await untilReady(engine);
    const text = 'Unfortunately we do not deliver there.';
    const phrases = await allOf(engine.synthesize({ ...say(text), firstWordsSoon: true }));
    expect(phrases.map((phrase) => phrase.text)).toEqual(['Unfortunately', 'we do not deliver there.']);
  });

  it('keeps sound in which no word ends for the next piece', async () => {
    const rest = [piece(0.02), piece(1)];
    const { engine, arrive } = anEngine(
      {},
      { speak: () => Promise.resolve(piece(0.01)), goOn: () => Promise.resolve(rest.shift() ?? piece(1)) },
    );
    arrive();
    await untilReady(engine);
    const phrases = await allOf(engine.synthesize({ ...say('Congratulations!'), firstWordsSoon: true }));
    expect(phrases).toMatchObject([{ text: 'Congratulations!' }]);
    expect(phrases[0]?.samples).toHaveLength(3 * speech.samples.length);
  });

  it('tells its thread when the rest is not wanted', async () => {
    const { engine, arrive, threads } = anEngine({}, { speak: () => Promise.resolve(piece(0.3)) });
    arrive();
    await untilReady(engine);
    for await (const _ of engine.synthesize({ ...say('One two three four.'), firstWordsSoon: true })) break;
    expect(threads[0]?.hushed).toEqual([{ ticket: 1 }]);
  });

  it('gives up with the reason of its caller', async () => {
    const { engine, arrive } = anEngine({}, { speak: () => new Promise(() => {}) });
    arrive();
    await untilReady(engine);
    const controller = new AbortController();
    const speaking = spoken(engine, say('Hello.', controller.signal));
    const reason = new Error('hung up');
    controller.abort(reason);
    await expect(speaking).rejects.toBe(reason);
    await expect(spoken(engine, say('Hello.', controller.signal))).rejects.toBe(reason);
  });

  it('puts a failure of one sentence into words and goes on', async () => {
    const speak = ({ text }: { text: string }) =>
      text === 'bad'
        ? Promise.reject(Object.assign(new Error('ONNX says no'), { retryable: false }))
        : Promise.resolve(piece(1));
    const { engine, arrive } = anEngine({}, { speak });
    arrive();
    await untilReady(engine);
    await expect(spoken(engine, say('bad'))).rejects.toMatchObject({
      name: 'EngineError',
      retryable: true,
      message: 'The voice stopped while it spoke; try again in a moment.',
    });
    expect(await spoken(engine, say('good'))).toMatchObject(speech);
  });

  it('ends its thread when it is closed, and starts no other', async () => {
    const { engine, arrive, threads } = anEngine();
    arrive();
    await untilReady(engine);
    await engine.close();
    await settle();
    expect(threads.map((thread) => thread.finished)).toEqual([true]);
    await expect(spoken(engine, say('New.'))).rejects.toMatchObject({ retryable: true });
  });

  it('can be closed while its weights have not come', async () => {
    const { engine, threads } = anEngine();
    await engine.close();
    expect(threads).toHaveLength(0);
    expect(engine.status().state).toBe('failed');
  });
});
