import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { encodeWav } from '#server/audio/wav';
import { ProviderComplaint } from '#server/lib/engine-error';
import { allOf, spoken } from '../../../tests/support/spoken.ts';
import type { SynthesisEngine, SynthesisRequest } from './contract.ts';
import { createOpenAiSynthesis, type OpenAiSynthesisOptions } from './openai-compatible.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

interface Asked {
  url: string;
  key: string | undefined;
  body: unknown;
}

/**
 * Starts a server on loopback; the last answer repeats. @returns a voice that uses it, and the requests it
 * received
 */
async function aVoice(
  answers: ((response: ServerResponse) => void)[],
  options: Partial<OpenAiSynthesisOptions> = {},
) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      asked.push({ url: request.url ?? '', key: request.headers.authorization, body: JSON.parse(body) });
      answers[Math.min(asked.length, answers.length) - 1]?.(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const voice = createOpenAiSynthesis({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    model: 'kokoro',
    voice: 'af_heart',
    apiKey: 'secret-key',
    retryDelaysMs: [1],
    ...options,
  });
  closers.push(async () => {
    await voice.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { voice, asked };
}

const tone = Float32Array.from({ length: 24_000 }, (_, n) => 0.2 * Math.sin(n / 10));
const speaks = (response: ServerResponse) => void response.end(encodeWav(tone, 24_000));
const refuses = (status: number) => (response: ServerResponse) => void response.writeHead(status).end('{}');
const hello = { text: 'Hello.', urgency: 'first' as const };

const say = (voice: SynthesisEngine, request: Partial<SynthesisRequest> = {}) =>
  spoken(voice, { ...hello, ...request });

describe('createOpenAiSynthesis', () => {
  it('asks for the text with model, voice and key, and sounds like the embedded voice', async () => {
    const { voice, asked } = await aVoice([speaks]);
    const speech = await say(voice);
    expect(asked).toEqual([
      {
        url: '/v1/audio/speech',
        key: 'Bearer secret-key',
        body: { model: 'kokoro', voice: 'af_heart', input: 'Hello.', response_format: 'wav' },
      },
    ]);
    // One second of sound, plus the pause after a sentence.
    expect(Math.abs(speech.durationMs - 1_220)).toBeLessThan(100);
    expect(speech.sampleRate).toBe(22_050);
    expect(voice.status()).toEqual({ state: 'ready', message: 'The voice is ready.' });
  });

  it('asks not at all for nothing to say', async () => {
    const { voice, asked } = await aVoice([speaks]);
    expect((await say(voice, { text: '🎉' })).durationMs).toBe(50);
    expect(asked).toHaveLength(0);
  });

  it('asks for the first words by themselves where they are wanted soon', async () => {
    const { voice, asked } = await aVoice([speaks]);
    const text = 'Delivery takes three to five days, and it is free from fifty dollars within the country.';
    const phrases = voice.synthesize({ text, urgency: 'first', firstWordsSoon: true });
    const [first] = await allOf(phrases);
    expect(first?.text).toBe('Delivery takes three to five days,');
    expect(asked.map(({ body }) => body)).toMatchObject([
      { input: 'Delivery takes three to five days,' },
      { input: 'and it is free from fifty dollars within the country.' },
    ]);
  });

  it('gives first words out while they come, once it knows how the voice sounds', async () => {
    const wav = encodeWav(tone, 24_000);
    let sendTheRest = () => {};
    const { voice } = await aVoice([
      speaks,
      (response) => {
        response.write(wav.subarray(0, 24_000));
        sendTheRest = () => void response.end(wav.subarray(24_000));
      },
    ]);
    const request = { text: 'Hello there, my dear.', urgency: 'first', firstWordsSoon: true } as const;
    const [whole] = await allOf(voice.synthesize(request));
    const phrases = voice.synthesize(request)[Symbol.asyncIterator]();
    const { value: first } = await phrases.next();
    sendTheRest();
    const rest = await allOf({ [Symbol.asyncIterator]: () => phrases });
    const pieces = [first, ...rest].filter((piece) => piece !== undefined);
    expect(pieces.map(({ text }) => text).join(' ')).toBe(request.text);
    const samples = pieces.reduce((sum, piece) => sum + piece.samples.length, 0);
    expect(samples).toBe(whole?.samples.length);
    const loudest = (sound: Float32Array) => sound.reduce((most, sample) => Math.max(most, sample), 0);
    const least = Math.min(...pieces.map((piece) => loudest(piece.samples)));
    expect(least / loudest(whole?.samples ?? new Float32Array())).toBeGreaterThan(0.9);
  });

  it('gives the words up that were not heard when their sound breaks off', async () => {
    const wav = encodeWav(tone, 24_000);
    const breaksOff = (response: ServerResponse) =>
      response.write(wav.subarray(0, 24_000), () => response.destroy());
    const { voice, asked } = await aVoice([speaks, breaksOff]);
    const request = { text: 'Hello there, my dear.', urgency: 'first', firstWordsSoon: true } as const;
    await allOf(voice.synthesize(request));
    const failure = allOf(voice.synthesize(request));
    await expect(failure).rejects.toMatchObject({ message: 'The voice cannot be reached.', retryable: true });
    expect(asked).toHaveLength(2);
  });

  it('ends the request of first words that nobody listens to any more', async () => {
    let close = () => {};
    const closed = new Promise<void>((resolve) => {
      close = resolve;
    });
    const { voice } = await aVoice([
      speaks,
      (response) => {
        response.on('close', close);
        response.write(encodeWav(tone, 24_000).subarray(0, 24_000));
      },
    ]);
    const request = { text: 'Hello there, my dear.', urgency: 'first', firstWordsSoon: true } as const;
    await allOf(voice.synthesize(request));
    for await (const _first of voice.synthesize(request)) break;
    await closed;
  });

  it('says in which language the text is, where that is known and not English', async () => {
    const { voice, asked } = await aVoice([speaks, speaks]);
    await say(voice, { text: 'Guten Tag.', language: 'de' });
    await say(voice, { text: 'Hello.', language: 'en-GB' });
    expect(asked[0]?.body).toMatchObject({ input: 'Guten Tag.', language: 'de' });
    expect(asked[1]?.body).not.toHaveProperty('language');
  });

  it('asks again after a failure that may pass', async () => {
    const { voice, asked } = await aVoice([refuses(503), speaks]);
    expect((await say(voice)).durationMs).toBeGreaterThan(1_000);
    expect(asked).toHaveLength(2);
  });

  it.each([
    ['1', 2],
    ['60', 1],
    [new Date(Date.now() + 60_000).toUTCString(), 1],
    ['soon', 2],
  ])('comes back when it was asked to (%s), unless nobody waits so long', async (retryAfter, times) => {
    const isBusy = (response: ServerResponse) =>
      void response.writeHead(429, { 'retry-after': retryAfter }).end('{}');
    const { voice, asked } = await aVoice([isBusy, speaks]);
    const from = performance.now();
    const speech = await say(voice).catch((error: unknown) => error);
    expect(asked).toHaveLength(times);
    if (times === 1) expect(speech).toMatchObject({ message: 'The voice is busy.', retryable: true });
    if (retryAfter === '1') expect(performance.now() - from).toBeGreaterThan(990);
  });

  it('says that its key is refused, also in its status', async () => {
    const { voice } = await aVoice([refuses(401)]);
    const message = 'The voice refused the server’s key (TTS_API_KEY).';
    await expect(say(voice)).rejects.toMatchObject({
      name: 'EngineError',
      message,
      retryable: false,
    });
    expect(voice.status()).toEqual({ state: 'failed', message });
  });

  it.each([
    ['{"error":{"message":"No voice bob."}}', 'No voice bob.'],
    ['{"detail":"No voice bob."}', 'No voice bob.'],
    ['<html>No voice bob.</html>', undefined],
    [`{"message":"${'x'.repeat(30_000)}"}`, undefined],
  ])('keeps what its server says for owners, out of its sentence: %.40s', async (body, words) => {
    const { voice } = await aVoice([(response) => void response.writeHead(400).end(body)]);
    const error = await say(voice).catch((caught: unknown) => caught);
    expect(String(error)).toBe('EngineError: The voice refused the request.');
    const cause = error instanceof Error ? error.cause : error;
    expect(cause instanceof ProviderComplaint ? cause.words : cause).toBe(words);
    expect(String(cause)).not.toContain('bob');
  });

  it('does not take anything for speech', async () => {
    const { voice } = await aVoice([(response) => void response.end('<html>')]);
    await expect(say(voice)).rejects.toMatchObject({
      message: 'The voice sent sound that cannot be read.',
      retryable: true,
    });
  });

  it('stops with the reason of its caller', async () => {
    const { voice } = await aVoice([() => {}]);
    const controller = new AbortController();
    const reason = new Error('hung up');
    const speaking = say(voice, { signal: controller.signal });
    controller.abort(reason);
    await expect(speaking).rejects.toBe(reason);
  });

  it('ends what is under way when it is closed', async () => {
    const { voice } = await aVoice([() => {}]);
    const speaking = say(voice);
    const refused = expect(speaking).rejects.toThrow('The voice is switched off.');
    await voice.close();
    await refused;
  });
});
