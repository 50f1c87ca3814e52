import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resample } from '#server/audio/resampler';
import { decodeWav } from '#server/audio/wav';
import { HEARING_SAMPLE_RATE } from '#server/engines/recognition/contract';
import { createOpenAiRecognition } from '#server/engines/recognition/openai-compatible';
import { openSpeechEngines } from '#server/engines/speech';
import { createOpenAiSynthesis } from '#server/engines/synthesis/openai-compatible';
import { bundles } from '#server/engines/weights/bundles';
import { isWhole } from '#server/engines/weights/stamp';
import { createSoundReader } from '#server/speech-server/read-sound';
import { createSpeechServer } from '#server/speech-server/server';
import { capturedLogger } from '../support/captured-logger.ts';
import { decodeMp3 } from '../support/decode-mp3.ts';
import { engineReady } from '../support/engine-ready.ts';
import { spoken } from '../support/spoken.ts';
import { earsAreIn } from './ears.ts';
import { wordErrors } from './word-errors.ts';

const models = process.env.SIGMA_TEST_MODELS ?? 'models';
const isThere =
  (await isWhole(join(models, bundles.voice.folder), bundles.voice)) && (await earsAreIn(models));
if (!isThere)
  process.stderr.write(`Tests of the real speech server are skipped: no weights in "${models}".\n`);

const SAID = 'Thanks for calling. Delivery takes three to five days, and it is free from fifty dollars.';

describe.skipIf(!isThere)('the real ears and voice behind OpenAI’s audio API', () => {
  const { logger } = capturedLogger();
  const closers: (() => Promise<unknown>)[] = [];
  let baseUrl: string;
  beforeAll(async () => {
    const { engines, begin, close } = openSpeechEngines({ modelsDir: models }, { logger });
    const sounds = createSoundReader();
    const speech = await createSpeechServer({ apiKey: null, ...engines, sounds, logger });
    closers.push(
      () => speech.close(),
      () => sounds.close(),
      close,
    );
    await speech.server.listen({ host: '127.0.0.1', port: 0 });
    begin();
    baseUrl = `http://127.0.0.1:${(speech.server.server.address() as AddressInfo).port}/v1`;
    await Promise.all([engineReady(engines.recognition), engineReady(engines.synthesis)]);
  });
  afterAll(async () => {
    for (const close of closers) await close();
  });

  const say = async (response_format: string) => {
    const answer = await fetch(`${baseUrl}/audio/speech`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'tts-1', voice: 'alloy', input: SAID, response_format }),
    });
    expect(answer.status).toBe(200);
    return new Uint8Array(await answer.arrayBuffer());
  };
  const wordsWrong = (heard: string) => {
    const { errors, words } = wordErrors(SAID, heard);
    return errors / words;
  };

  it('say what the same ears understand, in each format', async () => {
    const ears = createOpenAiRecognition({ baseUrl, model: 'whisper-1', apiKey: null });
    closers.unshift(() => ears.close());
    const pcm = new Int16Array((await say('pcm')).slice().buffer);
    const sounds = {
      wav: decodeWav(await say('wav')),
      mp3: await decodeMp3(await say('mp3')),
      pcm: { samples: Float32Array.from(pcm, (sample) => sample / 2 ** 15), sampleRate: 24_000 },
    };
    for (const { samples, sampleRate } of Object.values(sounds)) {
      const heard = resample(samples, sampleRate, HEARING_SAMPLE_RATE);
      expect(wordsWrong(await ears.recognize({ samples: heard, urgency: 'final' }))).toBeLessThan(0.2);
    }
  });

  it('speak through the product’s own voice engine', async () => {
    const voice = createOpenAiSynthesis({ baseUrl, model: 'tts-1', voice: 'alloy', apiKey: null });
    const ears = createOpenAiRecognition({ baseUrl, model: 'whisper-1', apiKey: null });
    closers.unshift(
      () => ears.close(),
      () => voice.close(),
    );
    const { samples, sampleRate } = await spoken(voice, { text: SAID, urgency: 'first' });
    const heard = resample(samples, sampleRate, HEARING_SAMPLE_RATE);
    expect(wordsWrong(await ears.recognize({ samples: heard, urgency: 'final' }))).toBeLessThan(0.2);
  });
});
