import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { EngineError } from '#server/lib/engine-error';
import { startWorkerThread, type WorkerThread } from '#server/threads/worker-thread';
import { failingThread } from '../../../tests/support/failing-thread.ts';
import type { ReadingEngine } from './contract.ts';
import { createFakeReading } from './fake.ts';
import { createMiniLm, type MiniLmOptions } from './minilm.ts';
import type { MiniLmMethods } from './minilm.worker.ts';
import { DIMENSIONS, ENCODER_DIMENSIONS } from './weights.ts';

type Thread = WorkerThread<MiniLmMethods>;

const dot = (a: Float32Array = new Float32Array(), b: Float32Array = new Float32Array()) =>
  a.reduce((sum, x, n) => sum + x * (b[n] ?? 0), 0);

describe.each([
  // Enough time for a busy machine to start it.
  ['the embedded reader', () => createMiniLm({ turnLimitMs: 180_000 })],
  ['the fake', createFakeReading],
])('%s', (_, create) => {
  let engine: ReadingEngine;
  beforeAll(() => {
    engine = create();
  });
  afterAll(() => engine.close());

  it('makes vectors of length one, nearer for texts of like meaning, the same for the same text', async () => {
    const texts = [
      'How do I get a refund?',
      'When do I get my refund?',
      'It rains in the mountains.',
      '',
      ' \n',
      '\0',
    ];
    const vectors = await engine.embed(texts);
    expect(vectors).toHaveLength(texts.length);
    for (const vector of vectors) {
      expect(vector).toHaveLength(engine.dimensions);
      expect(dot(vector, vector)).toBeCloseTo(1, 5);
    }
    const [refund, when, weather] = vectors;
    expect(dot(refund, when)).toBeGreaterThan(dot(refund, weather) + 0.1);
    expect((await engine.embed(texts.slice(0, 1), { urgency: 'index' }))[0]).toEqual(refund);
  });

  it('finds by a question the passage that answers it', async () => {
    const passages = [
      'A refund takes five days once we have the item back.',
      'Parcels are delivered on working days between nine and five.',
    ];
    const texts = ['How long does a refund take?'];
    const [refund, delivery] = await engine.embed(passages);
    for (const urgency of ['turn', 'index'] as const) {
      const [asked] = await engine.embed(texts, { as: 'question', urgency });
      expect(dot(asked, asked)).toBeCloseTo(1, 5);
      expect(dot(asked, refund)).toBeGreaterThan(dot(asked, delivery) + 0.1);
    }
    // The default compares texts of the same kind.
    expect(await engine.embed(texts)).toEqual(await engine.embed(texts, { as: 'passage' }));
  });

  it('says which passage bears on a question, each by itself', async () => {
    const passages = [
      'Parcels are delivered on working days between nine and five.',
      'Refunds: a refund takes five days once we have the item back.',
      '',
    ];
    const question = 'How long does a refund take?';
    const [delivery = 0, refund = 0, nothing = 0] = await engine.relevance(question, passages);
    expect(refund).toBeGreaterThan(delivery + 4);
    expect(refund).toBeGreaterThan(nothing + 4);
    for (const logit of [delivery, refund, nothing]) expect(Math.abs(logit)).toBeLessThan(13);
    expect(await engine.relevance(question, passages.slice(1, 2))).toEqual([refund]);
  });

  it('answers nothing for no texts, takes a very long one, and is ready', async () => {
    expect(await engine.embed([])).toEqual([]);
    expect(await engine.relevance('?', [])).toEqual([]);
    expect(await engine.embed(['refund '.repeat(100_000)])).toHaveLength(1);
    expect(engine.status()).toMatchObject({ state: 'ready' });
  });

  it('does nothing for who has given up', async () => {
    const reason = new Error('enough');
    await expect(engine.embed(['x'], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    await expect(engine.relevance('x', ['y'], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    await expect(engine.entailment('x', 'y', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

describe('the embedded reader at work', () => {
  const opened: ReadingEngine[] = [];
  const open = (options: MiniLmOptions = {}) => {
    const engine = createMiniLm({ restartDelaysMs: [5], ...options });
    opened.push(engine);
    return engine;
  };

  it('says whether a sentence follows from a text, in whatever words', async () => {
    const engine = open();
    engine.prepareEntailment();
    const text =
      'Returns: Unworn shoes can be returned within 30 days. Sale items are only exchanged. Visits: Dogs are welcome on the terrace, not inside.';
    const follows = [
      'You have thirty days to send shoes back if you have not worn them.',
      "I'm afraid your dog can't come in, but the terrace is fine.",
      'No, for something from the sale you do not get the money back.',
    ];
    const doesNot = [
      'You can send shoes back whether or not you have worn them.',
      'Dogs are welcome everywhere.',
      'We deliver on Sundays.',
    ];
    const logitsOf = (sentences: string[]) =>
      Promise.all(sentences.map((sentence) => engine.entailment(sentence, text)));
    expect(Math.min(...(await logitsOf(follows)))).toBeGreaterThan(Math.max(...(await logitsOf(doesNot))));
  });
  afterEach(async () => {
    for (const engine of opened.splice(0)) await engine.close();
  });

  it('joins the vectors of both encoders; only the second reads a question otherwise than a passage', async () => {
    const engine = open();
    const texts = ['Where is my order?'];
    const [passage] = await engine.embed(texts);
    const [question] = await engine.embed(texts, { as: 'question' });
    const both = [passage, question];
    const [first, firstAsked] = both.map((vector) => vector?.subarray(0, ENCODER_DIMENSIONS));
    const [second, secondAsked] = both.map((vector) => vector?.subarray(ENCODER_DIMENSIONS));
    expect(first).toEqual(firstAsked);
    expect(dot(first, first)).toBeCloseTo(1 / 3, 5);
    expect(dot(second, second)).toBeCloseTo(2 / 3, 5);
    expect(dot(second, secondAsked)).toBeLessThan(0.66);
    expect(dot(second, secondAsked)).toBeGreaterThan(0.4);
  });

  it('reads for a customer before it goes on with an index', async () => {
    const engine = open();
    const order: string[] = [];
    const texts = Array.from({ length: 60 }, (_, n) => `Sentence ${n} about parcels and refunds`);
    const index = engine.embed(texts, { urgency: 'index' }).then(() => order.push('index'));
    const more = engine.relevance('Where is it?', texts.slice(0, 4)).then(() => order.push('relevance'));
    const question = engine.embed(['A question']).then(() => order.push('question'));
    await Promise.all([index, more, question]);
    expect(order).toEqual(['question', 'relevance', 'index']);
  });

  it('stops reading for one who gives up in the middle', async () => {
    const engine = open();
    const controller = new AbortController();
    const index = engine.embed(new Array(10_000).fill('Sentence about parcels'), {
      urgency: 'index',
      signal: controller.signal,
    });
    await engine.embed(['A question']);
    controller.abort(new Error('dropped'));
    await expect(index).rejects.toThrow('dropped');
    await engine.embed(['Another question'], { urgency: 'index' });
  });

  it('reads an index of which little is left before another', async () => {
    const engine = open();
    await engine.embed(['A question']);
    const texts = new Array(10).fill('Sentence about parcels');
    const much = engine.embed(texts, { urgency: 'index', following: 1_000 });
    const little = engine.embed(texts, { urgency: 'index', following: 0 });
    expect(await Promise.race([much.then(() => 'much'), little.then(() => 'little')])).toBe('little');
    await much;
  });

  it('starts again when its thread has died, and nobody notices', async () => {
    const threads: Thread[] = [];
    const engine = open({
      startThread: (onExit) => {
        const thread = startWorkerThread<MiniLmMethods>(import.meta.url, './minilm.worker', {
          hangMs: null,
          onExit,
        });
        threads.push(thread);
        return thread;
      },
    });
    const [before] = await engine.embed(['A question']);
    await threads[0]?.terminate();
    expect((await engine.embed(['A question']))[0]).toEqual(before);
    expect(threads).toHaveLength(2);
  });

  it('says why it cannot start without its weights, and refuses at once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sigma-reading-'));
    const engine = open({ folder });
    await expect(engine.embed(['x'])).rejects.toMatchObject({
      name: 'EngineError',
      retryable: false,
      message: "The reader cannot start: the program's file weights/reading/embed.onnx is missing.",
    });
    expect(engine.status()).toMatchObject({ state: 'failed' });
    await rm(folder, { recursive: true });
  });

  it('can be closed in the middle of an index', async () => {
    const engine = open();
    await engine.embed(['A question']);
    const index = engine.embed(new Array(5_000).fill('Sentence about parcels'), { urgency: 'index' });
    const lost = expect(index).rejects.toBeInstanceOf(EngineError);
    await engine.embed(['A question']);
    await engine.close();
    await lost;
  });

  it('refuses when it is closed, what waits included', async () => {
    const engine = open();
    const lost = expect(engine.embed(['x'])).rejects.toBeInstanceOf(EngineError);
    await engine.close();
    await lost;
    await expect(engine.relevance('x', ['y'])).rejects.toBeInstanceOf(EngineError);
    expect(engine.status()).toMatchObject({ state: 'failed' });
  });
});

describe('a thread that fails', () => {
  type Behaviour = 'works' | 'hangs' | 'dies' | 'hangs while loading' | 'refuses';

  /** An engine whose threads behave one after the other as given; the last behaviour repeats. */
  function onThreads(behaviours: Behaviour[], options: MiniLmOptions = {}) {
    const started: Behaviour[] = [];
    const engine = createMiniLm({
      restartDelaysMs: [1],
      startThread(onExit) {
        const behaviour = behaviours[Math.min(started.length, behaviours.length - 1)] ?? 'works';
        started.push(behaviour);
        const isLoading = behaviour === 'hangs while loading';
        return failingThread<MiniLmMethods>(
          {
            failure: isLoading ? 'hangs' : behaviour === 'works' ? null : behaviour,
            at: isLoading ? 'load' : 'relevance',
            answers: { embed: new Float32Array(DIMENSIONS).fill(0.5), relevance: [3] },
          },
          onExit,
        );
      },
      ...options,
    });
    return { engine, started };
  }

  it.each<Behaviour>(['hangs', 'dies', 'hangs while loading'])(
    'is replaced when it %s, and what was under way is asked again',
    async (behaviour) => {
      const { engine, started } = onThreads([behaviour, 'works']);
      const [logits, vectors] = await Promise.all([engine.relevance('q', ['a']), engine.embed(['b'])]);
      expect(logits).toEqual([3]);
      expect(vectors[0]?.[0]).toBe(0.5);
      expect(started).toEqual([behaviour, 'works']);
      await engine.close();
    },
  );

  it.each<Behaviour>(['hangs', 'dies'])('is not asked a third time when two %s', async (behaviour) => {
    const { engine, started } = onThreads([behaviour, behaviour, 'works']);
    await expect(engine.relevance('q', ['a'])).rejects.toMatchObject({
      name: 'EngineError',
      retryable: true,
    });
    expect(await engine.relevance('q', ['a'])).toEqual([3]);
    expect(started).toEqual([behaviour, behaviour, 'works']);
    await engine.close();
  });

  it('is not blamed for a request that fails', async () => {
    const { engine, started } = onThreads(['refuses']);
    await expect(engine.relevance('q', ['a'])).rejects.toMatchObject({
      name: 'EngineError',
      retryable: true,
    });
    expect(started).toEqual(['refuses']);
    await engine.close();
  });

  it('keeps a turn waiting no longer than its limit; an index waits on', async () => {
    const { engine } = onThreads(['works'], { begin: new Promise(() => {}), turnLimitMs: 10 });
    const controller = new AbortController();
    const index = engine.embed(['a'], { urgency: 'index', signal: controller.signal });
    await expect(engine.embed(['a'])).rejects.toMatchObject({ name: 'EngineError', retryable: true });
    controller.abort(new Error('dropped'));
    await expect(index).rejects.toThrow('dropped');
  });
});
