import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { durationMs } from '#server/audio/sound';
import { decodeWav, encodeWav } from '#server/audio/wav';
import { createFakeEncoder } from '#server/engines/encoding/fake';
import { createMp3Encoder } from '#server/engines/encoding/mp3';
import { createFakeRecognition } from '#server/engines/recognition/fake';
import { createOpenAiRecognition } from '#server/engines/recognition/openai-compatible';
import type { SynthesisEngine } from '#server/engines/synthesis/contract';
import { createFakeSynthesis } from '#server/engines/synthesis/fake';
import { createOpenAiSynthesis } from '#server/engines/synthesis/openai-compatible';
import { EngineError } from '#server/lib/engine-error';
import { untilAborted } from '#server/lib/wait';
import { capturedLogger } from '../../tests/support/captured-logger.ts';
import { decodeMp3 } from '../../tests/support/decode-mp3.ts';
import { spoken } from '../../tests/support/spoken.ts';
import { createSoundReader } from './read-sound.ts';
import { createSpeechServer, type SpeechServerParts } from './server.ts';

const KEY = 'a-key-of-many-letters';
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A speech server on loopback with fakes inside, unless others are given. */
async function aServer(parts: Partial<SpeechServerParts> = {}) {
  const recognition = createFakeRecognition({ otherwise: 'Where is my order?' });
  const synthesis = createFakeSynthesis();
  const sounds = createSoundReader();
  const { logger, lines } = capturedLogger();
  const encoder = createFakeEncoder();
  const speech = await createSpeechServer({
    apiKey: KEY,
    recognition,
    synthesis,
    encoder,
    sounds,
    logger,
    ...parts,
  });
  closers.push(() => sounds.close());
  closers.push(() => speech.close(0));
  await speech.server.listen({ host: '127.0.0.1', port: 0 });
  const address = `http://127.0.0.1:${(speech.server.server.address() as AddressInfo).port}`;
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${address}${path}`, { ...init, headers: { authorization: `Bearer ${KEY}`, ...init.headers } });
  return { recognition, synthesis, speech, address, ask, lines };
}
type Server = Awaited<ReturnType<typeof aServer>>;

const tone = (seconds: number, rate = 16_000) =>
  Float32Array.from({ length: seconds * rate }, (_, n) => 0.5 * Math.sin(n / 10));
const wav = (seconds = 1, rate = 16_000) => encodeWav(tone(seconds, rate), rate);

function form(file: Uint8Array<ArrayBuffer> | null = wav(), fields: Record<string, string> = {}) {
  const body = new FormData();
  if (file) body.set('file', new Blob([file]), 'speech.wav');
  for (const [name, value] of Object.entries({ model: 'moonshine', ...fields })) body.set(name, value);
  return body;
}
const hear = ({ ask }: Server, body = form(), init: RequestInit = {}) =>
  ask('/v1/audio/transcriptions', { method: 'POST', body, ...init });
const say = ({ ask }: Server, fields: object = {}, init: RequestInit = {}) =>
  ask('/v1/audio/speech', {
    method: 'POST',
    body: JSON.stringify({ model: 'piper', voice: 'sigma', input: 'Hello there.', ...fields }),
    headers: { 'content-type': 'application/json' },
    ...init,
  });

describe('the product’s own engines', () => {
  const hearing = ({ address }: Server, apiKey = KEY) => {
    const ears = createOpenAiRecognition({
      baseUrl: `${address}/v1`,
      model: 'whisper-1',
      apiKey,
      retryDelaysMs: [],
    });
    closers.push(() => ears.close());
    return ears;
  };

  it('are told what was heard, and say which words somebody waits for', async () => {
    const server = await aServer();
    const ears = hearing(server);
    const samples = tone(2);
    const asked = { samples, language: 'en-GB' };
    expect(await ears.recognize({ ...asked, urgency: 'final' })).toBe('Where is my order?');
    expect(await ears.recognize({ ...asked, urgency: 'partial', caller: 'call' })).toBe('Where is my order?');
    const { requests } = server.recognition;
    expect(requests.map(({ urgency }) => urgency)).toEqual(['final', 'partial']);
    expect(requests[0]?.samples).toHaveLength(samples.length);
    expect(requests[0]?.samples[1_234]).toBeCloseTo(samples[1_234] ?? 0, 3);
  });

  it('say in their status that their key is wrong', async () => {
    const server = await aServer();
    const ears = hearing(server, 'a-key-of-other-letters');
    await expect(ears.recognize({ samples: tone(1), urgency: 'final' })).rejects.toThrow(
      'The speech recognition refused the server’s key (STT_API_KEY).',
    );
    expect(ears.status().state).toBe('failed');
    expect(server.recognition.requests).toHaveLength(0);
  });

  it('are given a voice, whose first words overtake the others', async () => {
    const urgencies: string[] = [];
    const fake = createFakeSynthesis();
    const synthesis: SynthesisEngine = {
      ...fake,
      synthesize: (request) => {
        urgencies.push(request.urgency);
        return fake.synthesize(request);
      },
    };
    const { address } = await aServer({ synthesis });
    const voice = createOpenAiSynthesis({
      baseUrl: `${address}/v1`,
      model: 'tts-1',
      voice: 'alloy',
      apiKey: KEY,
    });
    closers.push(() => voice.close());
    const text = 'Delivery takes three to five days. It is free from fifty dollars.';
    const { durationMs: ms } = await spoken(voice, { text, urgency: 'first' });
    expect(fake.spoken).toEqual(['Delivery takes three to five days.', 'It is free from fifty dollars.']);
    expect(urgencies).toEqual(['first', 'later']);
    expect(Math.abs(ms - 64 * 60 - 2 * 220)).toBeLessThan(200);
  });
});

describe('transcriptions', () => {
  it('come as text, and with the length of what was heard', async () => {
    const server = await aServer();
    const text = await hear(server, form(wav(2, 44_100), { response_format: 'text' }));
    expect(text.headers.get('content-type')).toContain('text/plain');
    expect(await text.text()).toBe('Where is my order?\n');
    const verbose = await hear(server, form(wav(2, 44_100), { response_format: 'verbose_json' }));
    expect(await verbose.json()).toEqual({
      task: 'transcribe',
      language: 'english',
      duration: 2,
      text: 'Where is my order?',
      segments: [{ id: 0, start: 0, end: 2, text: 'Where is my order?' }],
    });
  });

  it.each<[string, () => FormData, number, string]>([
    [
      'nonsense',
      () => form(Uint8Array.from({ length: 500 }, (_, n) => n % 251)),
      400,
      'This is not a WAV file. Send a WAV file of PCM.',
    ],
    ['26 MB', () => form(new Uint8Array(26 * 1024 * 1024)), 413, 'Send a file of at most 25 MB.'],
    [
      'more than 15 minutes',
      () => form(encodeWav(new Float32Array(8_000 * 901), 8_000)),
      400,
      'Send at most 15 minutes of sound.',
    ],
    [
      'a rate that no microphone has',
      () => form(encodeWav(tone(1), 500)),
      400,
      'A sample rate must be from 8000 to 96000 Hz.',
    ],
    ['no file', () => form(null), 400, 'Send the sound as "file".'],
    [
      'another model',
      () => form(wav(), { model: 'whisper-9' }),
      404,
      'There is no such model here; ask for moonshine.',
    ],
    [
      'another language',
      () => form(wav(), { language: 'de' }),
      400,
      'Only English is heard and spoken here.',
    ],
    [
      'subtitles',
      () => form(wav(), { response_format: 'srt' }),
      400,
      'Ask for response_format json, text or verbose_json.',
    ],
  ])('refuse %s in one sentence', async (_, body, status, message) => {
    const server = await aServer();
    const answer = await hear(server, body());
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ error: { message, type: 'invalid_request_error' } });
    expect(server.recognition.requests).toHaveLength(0);
  });

  it('refuse what is no form', async () => {
    const server = await aServer();
    expect((await hear(server, undefined, { body: 'speech' })).status).toBe(415);
  });

  it('say when to come back while the ears are away', async () => {
    const recognition = createFakeRecognition({
      otherwise: () => Promise.reject(new EngineError('The ears are being loaded.', { retryable: true })),
    });
    const answer = await hear(await aServer({ recognition }));
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('2');
    expect(await answer.json()).toMatchObject({ error: { message: 'The ears are being loaded.' } });
  });

  it('are called off when nobody waits for them', async () => {
    let signal: AbortSignal | undefined;
    const recognition = createFakeRecognition({
      otherwise: (request) => {
        signal = request.signal;
        return new Promise<string>(() => {});
      },
    });
    const server = await aServer({ recognition });
    const caller = new AbortController();
    const gone = expect(hear(server, form(), { signal: caller.signal })).rejects.toThrow();
    await expect.poll(() => signal).toBeDefined();
    caller.abort();
    await gone;
    await expect.poll(() => signal?.aborted).toBe(true);
  });
});

describe('speech', () => {
  it.each(['wav', 'pcm', 'mp3'])('comes as %s', async (format) => {
    const encoder = createMp3Encoder();
    closers.push(() => encoder.close());
    const answer = await say(await aServer({ encoder }), { response_format: format });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe(`audio/${format === 'mp3' ? 'mpeg' : format}`);
    const audio = new Uint8Array(await answer.arrayBuffer());
    const ms = {
      wav: () => durationMs(decodeWav(audio)),
      pcm: async () => audio.length / 2 / 24,
      mp3: async () => durationMs(await decodeMp3(audio)),
    };
    expect(Math.abs((await ms[format as keyof typeof ms]()) - 12 * 60)).toBeLessThan(100);
  });

  it('comes as it is made', async () => {
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const synthesis: SynthesisEngine = {
      ...createFakeSynthesis(),
      async *synthesize() {
        yield { text: 'Hello', samples: tone(1, 22_050), sampleRate: 22_050 };
        await held;
        yield { text: 'there.', samples: tone(1, 22_050), sampleRate: 22_050 };
      },
    };
    const answer = await say(await aServer({ synthesis }), { response_format: 'pcm' });
    const reader = answer.body?.getReader();
    const first = await reader?.read();
    expect(first?.value?.length).toBeGreaterThan(10_000);
    goOn();
    let bytes = first?.value?.length ?? 0;
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read())
      bytes += next.value.length;
    expect(Math.abs(bytes - 4 * 24_000)).toBeLessThan(10);
  });

  it('is several sentences in one stream of MP3', async () => {
    const encoder = createMp3Encoder();
    closers.push(() => encoder.close());
    const synthesis: SynthesisEngine = {
      ...createFakeSynthesis(),
      async *synthesize() {
        for (const text of ['Hello.', 'There.']) yield { text, samples: tone(1, 22_050), sampleRate: 22_050 };
      },
    };
    const answer = await say(await aServer({ synthesis, encoder }));
    const { samples, sampleRate, errors } = await decodeMp3(new Uint8Array(await answer.arrayBuffer()));
    expect(errors).toBe(0);
    // Where two meet, an encoder adds silence: some hundredths of a second.
    expect(Math.abs(durationMs({ samples, sampleRate }) - 2_000)).toBeLessThan(150);
  });

  it.each<[string, object, number, string]>([
    ['another voice', { voice: 'bob' }, 400, 'There is no such voice here; ask for sigma.'],
    ['another model', { model: 'tts-9' }, 404, 'There is no such model here; ask for piper.'],
    ['too long a text', { input: 'a'.repeat(4_097) }, 400, 'Send at most 4,096 characters at once.'],
    ['nothing', { input: ' \n' }, 400, 'There is nothing to say.'],
    ['another language', { language: 'fr' }, 400, 'Only English is heard and spoken here.'],
    ['another pace', { speed: 2 }, 400, 'The voice has one speed: ask for speed 1.'],
    [
      'a format that it does not make',
      { response_format: 'opus' },
      400,
      'Ask for response_format mp3, wav or pcm.',
    ],
  ])('is refused for %s in one sentence', async (_, fields, status, message) => {
    const server = await aServer();
    const answer = await say(server, fields);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ error: { message, type: 'invalid_request_error' } });
    expect(server.synthesis.spoken).toEqual([]);
  });

  it('breaks off where it fails in the middle', async () => {
    const synthesis: SynthesisEngine = {
      ...createFakeSynthesis(),
      async *synthesize() {
        yield { text: 'Hello', samples: tone(1, 22_050), sampleRate: 22_050 };
        throw new EngineError('The voice stopped while it spoke.', { retryable: true });
      },
    };
    const answer = await say(await aServer({ synthesis }), { response_format: 'wav' });
    expect(answer.status).toBe(200);
    await expect(answer.arrayBuffer()).rejects.toThrow();
  });
});

describe('a line that is too long', () => {
  /** A voice that speaks when it is told to. */
  function aHeldVoice() {
    const signals: (AbortSignal | undefined)[] = [];
    let free = () => {};
    const freed = new Promise<void>((resolve) => {
      free = resolve;
    });
    const voice = createFakeSynthesis();
    const synthesis: SynthesisEngine = {
      ...voice,
      async *synthesize(request) {
        signals.push(request.signal);
        await untilAborted(freed, request.signal);
        yield* voice.synthesize(request);
      },
    };
    return { synthesis, signals, free };
  }
  /** Nine seconds of work, as long as nothing is known of the pace. */
  const long = { input: 'a'.repeat(1_105) };

  it('is told, with the time after which it is worth asking again', async () => {
    const { synthesis, signals, free } = aHeldVoice();
    const server = await aServer({ synthesis });
    const first = say(server, long);
    await expect.poll(() => signals.length).toBe(1);
    const refused = await say(server);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await refused.json()).toMatchObject({
      error: { message: 'The voice is busy with others; try again in a moment.', type: 'server_error' },
    });
    free();
    await (await first).arrayBuffer();
    expect((await say(server)).status).toBe(200);
  });

  it('does not wait for somebody who listens slowly', async () => {
    const synthesis: SynthesisEngine = {
      ...createFakeSynthesis(),
      async *synthesize({ text }) {
        const seconds = text.length > 100 ? 200 : 1;
        for (let n = 0; n < seconds; n++) yield { text, samples: tone(1, 22_050), sampleRate: 22_050 };
      },
    };
    const server = await aServer({ synthesis });
    const slow = await say(server, { ...long, response_format: 'wav' });
    expect(slow.status).toBe(200);
    await expect.poll(async () => (await say(server)).status).toBe(200);
    expect((await slow.arrayBuffer()).byteLength).toBe(44 + 200 * 2 * 22_050);
  });

  it('is shorter again when somebody who waited has gone', async () => {
    const { synthesis, signals, free } = aHeldVoice();
    const server = await aServer({ synthesis });
    const caller = new AbortController();
    const gone = expect(say(server, long, { signal: caller.signal })).rejects.toThrow();
    await expect.poll(() => signals.length).toBe(1);
    caller.abort();
    await gone;
    await expect.poll(() => signals[0]?.aborted).toBe(true);
    free();
    expect((await say(server)).status).toBe(200);
  });
});

describe('who may ask', () => {
  it.each([
    ['nobody without the key', undefined],
    ['nobody with another one', 'Bearer another-key-of-letters'],
    ['nobody with a part of it', `Bearer ${KEY.slice(0, -1)}`],
  ])('%s', async (_, authorization) => {
    const { address, recognition, synthesis } = await aServer();
    const headers: Record<string, string> = authorization ? { authorization } : {};
    for (const [method, path] of [
      ['GET', '/v1/models'],
      ['POST', '/v1/audio/speech'],
      ['POST', '/v1/audio/transcriptions'],
    ] as const) {
      const body = method === 'POST' ? form() : undefined;
      const answer = await fetch(`${address}${path}`, { method, headers, body });
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({ error: { code: 'unauthenticated' } });
    }
    expect([recognition.requests.length, synthesis.spoken.length]).toEqual([0, 0]);
  });

  it.each([
    '/v%31/audio/speech',
    'http://x/v1/audio/speech',
    '//v1/audio/speech',
    '/./v1/audio/speech',
    '/%',
  ])('nobody without the key by another spelling of an address: %s', async (path) => {
    const { address, synthesis } = await aServer();
    const { hostname, port } = new URL(address);
    const answer = await new Promise<{ status: number; body: string }>((resolve, reject) => {
      const headers = { 'content-type': 'application/json' };
      const asked = httpRequest({ hostname, port, path, method: 'POST', headers }, async (response) => {
        const body = (await response.toArray()).join('');
        resolve({ status: response.statusCode ?? 0, body });
      });
      asked.on('error', reject);
      asked.end(JSON.stringify({ model: 'piper', voice: 'sigma', input: 'Hello there.' }));
    });
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body).error.message).toContain('normal form');
    expect(synthesis.spoken).toEqual([]);
  });

  it('everybody who reaches it where there is no key, but for pages of browsers', async () => {
    const { address } = await aServer({ apiKey: null });
    const ask = (headers: Record<string, string>) => fetch(`${address}/v1/models`, { headers });
    expect((await ask({})).status).toBe(200);
    expect((await ask({ origin: 'https://evil.example' })).status).toBe(403);
  });

  it('whoever has the key of now, and for a while that of before', async () => {
    const { address, speech } = await aServer();
    const ask = async (key: string) =>
      (await fetch(`${address}/v1/models`, { headers: { authorization: `Bearer ${key}` } })).status;
    const next = 'the-next-key-of-this-server';
    expect(await ask(next)).toBe(401);
    speech.takeKey(next);
    expect([await ask(next), await ask(KEY), await ask('a-key-that-never-was')]).toEqual([200, 200, 401]);
  });

  it('everybody whether it is there and ready', async () => {
    const recognition = createFakeRecognition({
      status: () => ({ state: 'loading', message: 'The ears are being loaded.' }),
    });
    const { address } = await aServer({ recognition });
    expect((await fetch(`${address}/health`)).status).toBe(200);
    const ready = await fetch(`${address}/ready`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({ missing: { ears: 'The ears are being loaded.' } });
    expect((await fetch(`${(await aServer()).address}/ready`)).status).toBe(200);
  });

  it('knows its models, and nothing else', async () => {
    const { ask } = await aServer();
    const { data } = (await (await ask('/v1/models')).json()) as { data: { id: string }[] };
    expect(data.map(({ id }) => id)).toEqual(['moonshine', 'whisper-1', 'piper', 'tts-1']);
    expect((await ask('/v1/chat/completions', { method: 'POST' })).status).toBe(404);
    expect((await ask('/api/status')).status).toBe(404);
  });

  it('leaves no word of anybody in the log', async () => {
    const server = await aServer();
    await (await say(server, { input: 'My secret is blue.' })).arrayBuffer();
    await hear(server);
    const log = JSON.stringify(server.lines());
    expect(log).toContain('request answered');
    for (const word of ['blue', 'Where is my order', KEY]) expect(log).not.toContain(word);
  });
});

describe('an end in order', () => {
  it('lets what is under way finish, and takes nothing new', async () => {
    let answerNow = (_: string) => {};
    const recognition = createFakeRecognition({
      otherwise: () =>
        new Promise<string>((resolve) => {
          answerNow = resolve;
        }),
    });
    const spy = recognition.requests;
    const server = await aServer({ recognition });
    const answer = hear(server);
    await expect.poll(() => spy.length).toBe(1);
    const closed = server.speech.close(60_000);
    await expect(connects(server.address)).rejects.toThrow('ECONNREFUSED');
    answerNow('All is well.');
    expect(await (await answer).json()).toEqual({ text: 'All is well.' });
    await closed;
  });

  it('ends what does not finish', async () => {
    const recognition = createFakeRecognition({ otherwise: () => new Promise<string>(() => {}) });
    const server = await aServer({ recognition });
    const answer = hear(server);
    await expect.poll(() => recognition.requests.length).toBe(1);
    const [ended] = await Promise.all([answer, server.speech.close(0)]);
    expect(ended.status).toBe(503);
  });
});

/** Over a connection of its own. */
const connects = (address: string) =>
  new Promise<void>((resolve, reject) => {
    httpRequest(`${address}/health`, { agent: false }, () => resolve())
      .once('error', reject)
      .end();
  });
