import multipart from '@fastify/multipart';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { z } from 'zod';
import { HEARING_SAMPLE_RATE, type RecognitionEngine } from '#server/engines/recognition/contract';
import { invalidInput } from '#server/lib/errors';
import { refusal, refusalBehind, sentenceOf } from '#shared/refusals/refusal';
import { Admission, isUrgent } from './admission.ts';
import { FORM_OPTIONS, readForm, weightOf } from './form.ts';
import { mustBeEnglish, mustHear } from './models.ts';
import type { SoundReader } from './read-sound.ts';
import { UnderWay } from './under-way.ts';

interface TranscriptionParts {
  recognition: RecognitionEngine;
  sounds: SoundReader;
  /** Aborts when nobody waits for the answer of a request any more, or when the server ends. */
  signalOf(reply: FastifyReply): AbortSignal;
}

/** Bytes of forms under way; read, each takes about five times as much memory. */
const MAX_UNDER_WAY = 100_000_000;
const UPLOADS_PASS_MS = 2_000;
/** Measured on two cores: a second of speech, and what every recording costs beside its seconds, in such seconds. */
const MS_FOR_A_SECOND = 35;
const LEAST_SECONDS = 2;

const fieldsSchema = z.object({
  model: z.string(sentenceOf(refusal('common.field-missing', { name: 'model' }))),
  language: z.string().optional(),
  response_format: z
    .enum(['json', 'text', 'verbose_json'], sentenceOf('speech.heard-format'))
    .default('json'),
  'timestamp_granularities[]': z.literal('segment', sentenceOf('speech.granularity')).optional(),
});

/**
 * `POST /v1/audio/transcriptions`, as OpenAI describes it. Prompt, temperature and stream change nothing, as they do with
 * whisper-1's last one.
 */
export const transcriptionRoutes =
  ({ recognition, sounds, signalOf }: TranscriptionParts): FastifyPluginAsync =>
  async (app) => {
    await app.register(multipart, FORM_OPTIONS);
    const admission = new Admission('speech.ears-busy', MS_FOR_A_SECOND);
    const underWay = new UnderWay(MAX_UNDER_WAY, 'speech.too-much-sent', UPLOADS_PASS_MS);

    app.post('/v1/audio/transcriptions', async (request, reply) => {
      const weight = weightOf(request);
      admission.check();
      const giveBack = underWay.hold(weight);
      try {
        const signal = signalOf(reply);
        const form = await readForm(request);
        const fields = fieldsOf(form.fields);
        mustHear(fields.model);
        mustBeEnglish(fields.language);
        const samples = await sounds.read(form.file, signal);
        const seconds = samples.length / HEARING_SAMPLE_RATE;
        const leave = admission.enter(LEAST_SECONDS + seconds);
        let text: string | null = null;
        try {
          const urgency = isUrgent(request.headers.priority) ? 'final' : 'partial';
          text = await recognition.recognize({ samples, urgency, signal });
        } finally {
          leave(text !== null);
        }
        if (fields.response_format === 'text')
          return reply.type('text/plain; charset=utf-8').send(`${text}\n`);
        return fields.response_format === 'json' ? { text } : verbose(text, seconds);
      } finally {
        giveBack();
      }
    });
  };

function fieldsOf(given: Record<string, string>): z.infer<typeof fieldsSchema> {
  const parsed = fieldsSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw invalidInput(refusalBehind(parsed.error.issues[0]?.message ?? '') ?? 'speech.form');
}

/** One segment: which words were said when is not known. */
const verbose = (text: string, seconds: number) => ({
  task: 'transcribe',
  language: 'english',
  duration: seconds,
  text,
  segments: text === '' ? [] : [{ id: 0, start: 0, end: seconds, text }],
});
