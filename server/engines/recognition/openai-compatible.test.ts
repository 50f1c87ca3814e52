import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { decodeWav } from '#server/audio/wav';
import { createOpenAiRecognition, type OpenAiRecognitionOptions } from './openai-compatible.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

interface Asked {
  url: string;
  key: string | undefined;
  form: FormData;
}

/**
 * Starts a server on loopback; the last answer repeats. @returns an engine that uses it, and the requests it
 * received
 */
async function anEngine(
  answers: ((response: ServerResponse) => void)[],
  options: Partial<OpenAiRecognitionOptions> = {},
) {
  const asked: Asked[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    const body: Buffer[] = [];
    for await (const chunk of request) body.push(chunk as Buffer);
    const headers = { 'content-type': request.headers['content-type'] ?? '' };
    const form = await new Response(Buffer.concat(body), { headers }).formData();
    asked.push({ url: request.url ?? '', key: request.headers.authorization, form });
    answers[Math.min(asked.length, answers.length) - 1]?.(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`;
  const engine = createOpenAiRecognition({
    baseUrl,
    model: 'whisper-1',
    apiKey: 'secret-key',
    retryDelaysMs: [1, 1],
    ...options,
  });
  closers.push(async () => {
    await engine.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { engine, asked, baseUrl };
}

const says = (text: string) => (response: ServerResponse) => void response.end(JSON.stringify({ text }));
const refuses = (status: number) => (response: ServerResponse) =>
  void response.writeHead(status).end('secret-key is wrong');
const hangs = () => {};

const samples = Float32Array.from({ length: 8_000 }, (_, n) => 0.5 * Math.sin(n / 10));
const final = { samples, urgency: 'final' as const };
const partial = { samples, urgency: 'partial' as const, caller: 'call' };

describe('createOpenAiRecognition', () => {
  it('sends one WAV file with model and key, and answers the words', async () => {
    const { engine, asked } = await anEngine([says(' Where is my order? \n')]);
    expect(await engine.recognize(final)).toBe('Where is my order?');
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ url: '/v1/audio/transcriptions', key: 'Bearer secret-key' });
    const { form } = asked[0] as Asked;
    expect(form.get('model')).toBe('whisper-1');
    const file = form.get('file') as File;
    expect(file).toMatchObject({ name: 'speech.wav', type: 'audio/wav' });
    const sound = decodeWav(new Uint8Array(await file.arrayBuffer()));
    expect(sound.sampleRate).toBe(16_000);
    expect(sound.samples).toHaveLength(8_000);
    expect(sound.samples[100]).toBeCloseTo(samples[100] ?? 0, 3);
    expect(engine.status()).toEqual({ state: 'ready', message: 'The ears are ready.' });
  });

  it('names the language that is spoken, without its region, where that is known', async () => {
    const { engine, asked } = await anEngine([says('Servus!')]);
    await engine.recognize({ ...final, language: 'de-AT' });
    await engine.recognize(final);
    expect(asked.map(({ form }) => form.get('language'))).toEqual(['de', null]);
  });

  it('asks nobody about silence and about what is too short', async () => {
    const { engine, asked } = await anEngine([says('Thank you for watching.')]);
    expect(await engine.recognize({ ...final, samples: new Float32Array(32_000) })).toBe('');
    expect(await engine.recognize({ ...final, samples: samples.subarray(0, 1_000) })).toBe('');
    expect(asked).toHaveLength(0);
  });

  it('sends what was said, and the key, to no other server that this one names', async () => {
    const elsewhere = await anEngine([says('Hello.')]);
    const redirects = (response: ServerResponse) =>
      void response.writeHead(307, { location: `${elsewhere.baseUrl}audio/transcriptions` }).end();
    const { engine } = await anEngine([redirects]);
    await expect(engine.recognize(final)).rejects.toMatchObject({ name: 'EngineError' });
    expect(elsewhere.asked).toEqual([]);
  });

  it.each([429, 500, 503])('tries again after %i', async (status) => {
    const { engine, asked } = await anEngine([refuses(status), refuses(status), says('Hello.')]);
    expect(await engine.recognize(final)).toBe('Hello.');
    expect(asked).toHaveLength(3);
  });

  it.each([
    [429, 3, 'The speech recognition is busy.', true],
    [500, 3, 'The speech recognition has a problem.', true],
    [401, 1, 'The speech recognition refused the server’s key (STT_API_KEY).', false],
    [404, 1, 'The speech recognition was not found (STT_BASE_URL, STT_MODEL).', false],
    [400, 1, 'The speech recognition refused the request.', false],
  ])(
    'says what %i means, after %i attempts, and repeats nothing of it',
    async (status, times, message, retryable) => {
      const { engine, asked } = await anEngine([refuses(status)]);
      await expect(engine.recognize(final)).rejects.toMatchObject({
        name: 'EngineError',
        message,
        retryable,
      });
      expect(asked).toHaveLength(times);
    },
  );

  it('is failed in its status while it is refused, and ready again once it is not', async () => {
    const { engine } = await anEngine([refuses(401), says('Hello.')]);
    await expect(engine.recognize(final)).rejects.toThrow();
    expect(engine.status()).toEqual({
      state: 'failed',
      message: 'The speech recognition refused the server’s key (STT_API_KEY).',
    });
    await engine.recognize(final);
    expect(engine.status().state).toBe('ready');
  });

  it('gives up an answer that does not come', async () => {
    // Count requests where they leave: on a busy machine one may be abandoned before it arrives.
    const requests = vi.spyOn(globalThis, 'fetch');
    onTestFinished(() => requests.mockRestore());
    const { engine } = await anEngine([hangs], { timeoutMs: 50, retryDelaysMs: [1] });
    await expect(engine.recognize(final)).rejects.toMatchObject({
      message: 'The speech recognition took too long to answer.',
      retryable: true,
    });
    expect(requests).toHaveBeenCalledTimes(2);
  });

  it('says that nobody is there', async () => {
    const { engine } = await anEngine([hangs], { baseUrl: 'http://127.0.0.1:9/v1' });
    await expect(engine.recognize(final)).rejects.toMatchObject({
      message: 'The speech recognition cannot be reached.',
      retryable: true,
    });
  });

  it.each(['no JSON at all', '{"words":"Hello."}'])('does not take "%s" for words', async (body) => {
    const { engine } = await anEngine([(response) => void response.end(body)]);
    await expect(engine.recognize(final)).rejects.toMatchObject({
      message: 'The speech recognition sent an answer that cannot be read.',
      retryable: true,
    });
  });

  it('stops with the reason of its caller', async () => {
    const { engine } = await anEngine([hangs]);
    const controller = new AbortController();
    const reason = new Error('hung up');
    const hearing = engine.recognize({ ...final, signal: controller.signal });
    controller.abort(reason);
    await expect(hearing).rejects.toBe(reason);
    await expect(engine.recognize({ ...final, signal: controller.signal })).rejects.toBe(reason);
  });

  it('asks about one partial of a caller at a time, and once', async () => {
    const { engine, asked } = await anEngine([refuses(500), says('Where is')]);
    await expect(engine.recognize(partial)).rejects.toMatchObject({ retryable: true });
    expect(asked).toHaveLength(1);
    const [first, second, other] = [
      engine.recognize(partial),
      engine.recognize(partial),
      engine.recognize({ ...partial, caller: 'another call' }),
    ];
    await expect(second).rejects.toMatchObject({ message: 'The ears are behind.', retryable: true });
    expect(await Promise.all([first, other])).toEqual(['Where is', 'Where is']);
  });

  it('ends what is under way when it is closed', async () => {
    const { engine } = await anEngine([hangs]);
    const hearing = engine.recognize(final);
    await engine.close();
    await expect(hearing).rejects.toMatchObject({ name: 'EngineError', retryable: false });
    await expect(engine.recognize(final)).rejects.toThrow('The ears are switched off.');
  });
});
