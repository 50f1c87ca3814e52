import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openLibrary } from '#server/dialogue/knowledge/library';
import { createMp3Encoder } from '#server/engines/encoding/mp3';
import type { PresenceListener } from '#server/engines/participants/contract';
import { createLiveKitParticipants } from '#server/engines/participants/livekit';
import { createMiniLm } from '#server/engines/reading/minilm';
import { createMoonshine } from '#server/engines/recognition/moonshine';
import { createSentimentClassifier } from '#server/engines/sentiment/classifier';
import { createOpenAiSynthesis } from '#server/engines/synthesis/openai-compatible';
import { createPiper } from '#server/engines/synthesis/piper';
import { createSilero } from '#server/engines/voice-activity/silero';
import type * as WorkerThreads from '#server/threads/worker-thread';
import type { EngineStatus } from '#shared/status';
import { failingThread } from './support/failing-thread.ts';
import { spoken } from './support/spoken.ts';

/** What a test's threads are like: the first one hangs at a method. */
const threads = vi.hoisted(() => ({
  at: '',
  answers: {} as Record<string, unknown>,
  /** The limit that each owner gave, by the thread's name. */
  limits: [] as [name: string, hangMs: number | null][],
}));

function start(...[, name, options]: Parameters<typeof WorkerThreads.startWorkerThread>) {
  const isFirst = threads.limits.every(([known]) => known !== name);
  threads.limits.push([name, options.hangMs]);
  const { at, answers } = threads;
  return failingThread({ failure: isFirst ? 'hangs' : null, at, answers }, options.onExit);
}
vi.mock('#server/threads/worker-thread', async (importOriginal) => ({
  ...(await importOriginal<typeof WorkerThreads>()),
  startWorkerThread: start,
}));
vi.mock('#server/threads/native-process', () => ({ startNativeThread: start }));

function hangAt(at: string, answers: Record<string, unknown>): void {
  Object.assign(threads, { at, answers, limits: [] });
}

const profile = {
  id: 'demo',
  revision: '1',
  name: 'Sigma',
  companyName: 'Northwind Test',
  language: 'en',
  personality: 'Friendly.',
  companyInfo: 'Open from nine to five.',
  prompts: [],
};

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});
const open = <T extends { close(): Promise<void> }>(one: T): T => {
  opened.push(one);
  return one;
};

const sound = { samples: new Float32Array([0.1, 0.2]), sampleRate: 22_050 };
const weights = {
  status: (): EngineStatus => ({ state: 'ready', message: 'Here.' }),
  ensure: async () => '/models',
  onProgress: () => () => {},
  close: async () => {},
};
const kept = { weights, restartDelaysMs: [1] };
const soon = { name: 'EngineError', retryable: true };
const threadsOf = (name: string) => threads.limits.filter(([known]) => known === name);

describe('a thread that hangs is replaced', () => {
  it.each<
    [
      string,
      string,
      string,
      Record<string, unknown>,
      () => { status(): EngineStatus; ask(): Promise<unknown> },
    ]
  >([
    [
      'the ears',
      './moonshine.worker',
      'recognize',
      { recognize: 'Hello.' },
      () => {
        const ears = open(createMoonshine(kept));
        return {
          status: ears.status,
          ask: () => ears.recognize({ samples: sound.samples, urgency: 'final' }),
        };
      },
    ],
    [
      'the voice',
      './piper.worker',
      'speak',
      { speak: { ...sound, said: 1 } },
      () => {
        const voice = open(createPiper(kept));
        return { status: voice.status, ask: () => spoken(voice, { text: 'Hello.', urgency: 'first' }) };
      },
    ],
    [
      'voice activity',
      './silero.worker',
      'accept',
      { accept: [true] },
      () => {
        const activity = open(createSilero({ ...kept, bundle: 'hearing' }));
        const stream = activity.open();
        return { status: activity.status, ask: () => stream.accept(sound.samples) };
      },
    ],
  ])(
    '%s, and says so: what was under way fails as something to ask again',
    async (_, name, at, answers, create) => {
      hangAt(at, answers);
      const { status, ask } = create();
      await expect.poll(() => status().state).toBe('ready');
      const refused = expect(ask()).rejects.toMatchObject(soon);
      await refused;
      expect(status()).toMatchObject({
        state: 'failed',
        message: expect.stringMatching(/starting again; (text|typing) works meanwhile\.$/),
      });
      await expect.poll(() => status().state).toBe('ready');
      await ask();
      expect(threadsOf(name)).toHaveLength(2);
    },
  );

  it.each<[string, string, string, Record<string, unknown>, () => () => Promise<unknown>]>([
    [
      'the reader',
      './minilm.worker',
      'relevance',
      { relevance: [3] },
      () => {
        const reading = open(createMiniLm());
        return () => reading.relevance('Where is it?', ['Here.']);
      },
    ],
    [
      'sentiment',
      './classifier.worker',
      'first',
      { first: [{ answer: { label: 'neutral', score: 1 }, unsure: null }] },
      () => {
        const sentiment = open(createSentimentClassifier({ begin: new Promise(() => {}) }));
        return () => sentiment.analyse(['Hello.']);
      },
    ],
    [
      'the encoder',
      './mp3.worker',
      'encode',
      { encode: { audio: new Uint8Array(), mediaType: 'audio/mpeg', durationMs: 1 } },
      () => {
        const encoder = open(createMp3Encoder());
        return () => encoder.encode(sound, 'now');
      },
    ],
    [
      'the search',
      './knowledge.worker',
      'search',
      { read: new Uint8Array(), index: [], search: [] },
      () => {
        const library = open(openLibrary(null));
        return () => library.search(profile, [], 1, new AbortController().signal);
      },
    ],
    [
      'the reading of documents',
      './passages.worker',
      'read',
      { read: new Uint8Array(), index: [], search: [] },
      () => {
        const library = open(openLibrary(null));
        return () => library.search(profile, [], 1, new AbortController().signal);
      },
    ],
  ])('%s, and is asked again: nobody notices', async (_, name, at, answers, create) => {
    hangAt(at, answers);
    await create()();
    expect(threadsOf(name)).toHaveLength(2);
  });

  it('the voice of another server, with the next sentence', async () => {
    hangAt('end', { add: null, end: { ...sound, said: 1 }, hush: undefined });
    // What it sends is read by the thread alone.
    const server = createServer((_request, response) => void response.end('sound'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    open({ close: async () => void server.close().closeAllConnections() });
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const voice = open(createOpenAiSynthesis({ baseUrl, model: 'tts-1', voice: 'alloy', apiKey: null }));
    const ask = () => spoken(voice, { text: 'Hello.', urgency: 'first' });
    await expect(ask()).rejects.toMatchObject(soon);
    await ask();
    expect(threadsOf('./openai-compatible.worker')).toHaveLength(2);
  });

  it('the participants of rooms: those who were there are told that they are lost, and can come back', async () => {
    hangAt('tell', {});
    const ended: string[] = [];
    const nothing = () => {};
    const listener: PresenceListener = {
      memberJoined: nothing,
      memberLeft: nothing,
      microphoneOpened: nothing,
      microphoneClosed: nothing,
      sound: nothing,
      audible: nothing,
      speechBegan: nothing,
      speechPlayed: nothing,
      speechEnded: nothing,
      ended: (why) => ended.push(why),
    };
    const participants = open(createLiveKitParticipants());
    const join = () => participants.join({ url: 'ws://127.0.0.1:1', token: 'token', listener });
    (await join()).tell('ann', 'topic', 'payload');
    await expect.poll(() => ended).toEqual(['lost']);
    await join();
    expect(threadsOf('./livekit.worker')).toHaveLength(2);
  });

  afterEach(() => {
    for (const [, hangMs] of threads.limits) expect(hangMs).toBeGreaterThan(0);
  });
});
