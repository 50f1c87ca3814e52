import { Readable } from 'node:stream';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { z } from 'zod';
import { toPcm16 } from '#server/audio/pcm16';
import { Resampler } from '#server/audio/resampler';
import { wavHeader } from '#server/audio/wav';
import type { SoundEncoder } from '#server/engines/encoding/contract';
import type { SpokenPhrase, SynthesisEngine } from '#server/engines/synthesis/contract';
import { invalidInput } from '#server/lib/errors';
import { refusal, refusalBehind, sentenceOf } from '#shared/refusals/refusal';
import { Admission, isUrgent } from './admission.ts';
import { mustBeEnglish, mustKnowVoice, mustSpeak } from './models.ts';
import { UnderWay } from './under-way.ts';

interface SpeechParts {
  synthesis: SynthesisEngine;
  encoder: SoundEncoder;
  /** Aborts when nobody waits for the answer of a request any more, or when the server ends. */
  signalOf(reply: FastifyReply): AbortSignal;
}

/** As OpenAI takes it. */
const MAX_CHARACTERS = 4_096;
/** Each character may be written as `\uXXXX` twice; instructions may be as long again. */
const MAX_BODY_BYTES = 100_000;
/** Measured on two cores: a character, and what every text costs beside its characters, in such characters. */
const MS_FOR_A_CHARACTER = 8;
const LEAST_CHARACTERS = 20;
/** What is made ahead of whoever listens to one text: more than the longest becomes. */
const MAX_SPEECH_BYTES = 32_000_000;
/** Of texts that are made or listened to; a character becomes some 4 kB of sound. */
const MAX_UNDER_WAY = 100_000;
const LISTENERS_PASS_MS = 2_000;
/** Of what OpenAI calls pcm, in Hz. */
const PCM_RATE = 24_000;

const formats = ['mp3', 'wav', 'pcm'] as const;
type Format = (typeof formats)[number];
const mediaTypes: Record<Format, string> = { mp3: 'audio/mpeg', wav: 'audio/wav', pcm: 'audio/pcm' };

const fieldMissing = (name: string) => sentenceOf(refusal('common.field-missing', { name }));
const bodySchema = z.object(
  {
    model: z.string(fieldMissing('model')),
    input: z
      .string(fieldMissing('input'))
      .max(MAX_CHARACTERS, sentenceOf(refusal('speech.text-too-long', { max: MAX_CHARACTERS })))
      .refine((text) => text.trim() !== '', sentenceOf('speech.text-missing')),
    voice: z.string(fieldMissing('voice')),
    response_format: z.enum(formats, sentenceOf('speech.spoken-format')).default('mp3'),
    speed: z.literal(1, sentenceOf('speech.speed')).optional(),
    stream_format: z.literal('audio', sentenceOf('speech.stream-format')).optional(),
    language: z.string().optional(),
  },
  sentenceOf('common.send-object'),
);

/**
 * `POST /v1/audio/speech`, as OpenAI describes it: sent as it is made, `pcm` and `wav` in pieces as soon as they are there,
 * `mp3` by the sentence. Instructions change nothing.
 */
export const speechRoutes =
  ({ synthesis, encoder, signalOf }: SpeechParts): FastifyPluginAsync =>
  async (app) => {
    const admission = new Admission('speech.voice-busy', MS_FOR_A_CHARACTER);
    const underWay = new UnderWay(MAX_UNDER_WAY, 'speech.too-much-said', LISTENERS_PASS_MS);

    app.post('/v1/audio/speech', { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
      const { input, model, voice, language, response_format: format } = bodyOf(request.body);
      mustSpeak(model);
      mustKnowVoice(voice);
      mustBeEnglish(language);
      reply.raw.once('close', underWay.hold(input.length));
      const signal = signalOf(reply);
      const leave = admission.enter(LEAST_CHARACTERS + input.length);
      // Where nobody reads what is sent, what makes it may never have begun.
      signal.addEventListener('abort', () => leave(false), { once: true });
      const phrases = synthesis
        .synthesize({
          text: input,
          urgency: isUrgent(request.headers.priority) ? 'first' : 'later',
          firstWordsSoon: format !== 'mp3',
          signal,
        })
        [Symbol.asyncIterator]();
      try {
        // What fails before the first sound is told by the answer's status; later the answer breaks off.
        const first = await phrases.next();
        const all = fromFirst(first, phrases, leave);
        // Who listens as slowly as one speaks keeps nobody else out of the line.
        const ahead = { objectMode: false, highWaterMark: MAX_SPEECH_BYTES };
        return reply.type(mediaTypes[format]).send(Readable.from(written[format](all, encoder), ahead));
      } catch (error) {
        leave(false);
        throw error;
      }
    });
  };

function bodyOf(given: unknown): z.infer<typeof bodySchema> {
  const parsed = bodySchema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw invalidInput(refusalBehind(parsed.error.issues[0]?.message ?? '') ?? 'common.send-object');
}

/** @param leave told whether all was said */
async function* fromFirst(
  first: IteratorResult<SpokenPhrase, unknown>,
  phrases: AsyncIterator<SpokenPhrase>,
  leave: (done: boolean) => void,
): AsyncGenerator<SpokenPhrase> {
  try {
    for (let next = first; !next.done; next = await phrases.next()) yield next.value;
    leave(true);
  } finally {
    leave(false);
    await phrases.return?.();
  }
}

type Written = (phrases: AsyncIterable<SpokenPhrase>, encoder: SoundEncoder) => AsyncGenerator<Uint8Array>;

const written: Record<Format, Written> = {
  async *mp3(phrases, encoder) {
    for await (const phrase of phrases) yield encoder.streamed(await encoder.encode(phrase, 'now'));
  },
  async *wav(phrases) {
    let isFirst = true;
    for await (const { samples, sampleRate } of phrases) {
      if (isFirst) yield wavHeader(sampleRate);
      isFirst = false;
      yield toPcm16(samples);
    }
  },
  async *pcm(phrases) {
    let resampler: Resampler | null = null;
    for await (const { samples, sampleRate } of phrases) {
      resampler ??= new Resampler(sampleRate, PCM_RATE);
      yield toPcm16(resampler.push(samples));
    }
    if (resampler) yield toPcm16(resampler.flush());
  },
};
