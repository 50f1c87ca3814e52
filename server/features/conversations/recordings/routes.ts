import { Readable } from 'node:stream';
import multipart from '@fastify/multipart';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type FastifyPluginAsyncZod, validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { AppError, unsupportedMediaType } from '#server/lib/errors';
import { CALLERS, contactScopeOf, key, member, sightOf, visitor } from '#server/lib/principal';
import {
  AUDIO_PART,
  recordingNotKeptSchema,
  recordingStoredSchema,
  TRANSCRIPT_PART,
} from '#shared/recordings';
import { readByteRange } from './byte-range.ts';
import { recordingTooLarge } from './received-audio.ts';
import { extensionOf, type RecordingRecord, type RecordingsService } from './service.ts';
import { FORM_OPTIONS, MAX_FORM_BYTES, readUploadForm } from './upload-form.ts';

/** Any string: a malformed id is answered like a missing one. */
const paramsSchema = z.object({ id: z.string() });

const formSchema = z.object({
  [AUDIO_PART]: z.file().meta({ description: 'WebM, Ogg, MP4, WAV or MP3, at most 25 MB.' }),
  [TRANSCRIPT_PART]: z
    .string()
    .meta({ description: 'What was said: the message it belongs to has the same words.' }),
});

const sound = {
  description: 'The recording; a part of it with 206 when a `Range` is asked for.',
  content: { 'audio/*': { schema: z.string().meta({ format: 'binary' }) } },
};

/** `POST /api/conversations/{id}/audio` and `GET /api/recordings/{id}`. */
export const recordingsRoutes =
  (recordings: RecordingsService): FastifyPluginAsyncZod =>
  async (app) => {
    await app.register(multipart, FORM_OPTIONS);
    const tags = ['Recordings'];

    app.post(
      '/api/conversations/:id/audio',
      {
        config: { serves: CALLERS },
        // The form is read as a stream by the handler: its schema only documents it.
        validatorCompiler: (route) =>
          route.httpPart === 'body' ? () => true : validatorCompiler({ ...route, schema: paramsSchema }),
        schema: {
          tags,
          summary: 'Send the recording of what a customer said',
          description:
            'What it is, is told by its bytes. It belongs to the message with the same words, sent before or after it. ' +
            'It takes no `Idempotency-Key`: until that message comes, the newest recording of the same words counts. ' +
            'Where the user does not want recordings to be kept (`PUT /api/preferences`), it is checked, thrown away, and ' +
            'answered 200 without an address.',
          consumes: ['multipart/form-data'],
          params: paramsSchema,
          body: formSchema,
          response: { 201: recordingStoredSchema, 200: recordingNotKeptSchema },
        },
      },
      async (request, reply) => {
        if (!request.isMultipart()) throw unsupportedMediaType('multipart/form-data');
        if (Number(request.headers['content-length'] ?? 0) > MAX_FORM_BYTES) throw recordingTooLarge();
        const { principal, params, address } = request;
        const { audioUrl } = await recordings.upload(
          contactScopeOf(principal),
          params.id,
          address,
          (keep) => {
            // Together with the parser's start, so that no bytes are missed.
            endFloods(request);
            return readUploadForm(request.parts(), keep);
          },
        );
        return audioUrl === null ? reply.code(200).send({ audioUrl }) : reply.code(201).send({ audioUrl });
      },
    );

    app.get(
      '/api/recordings/:id',
      {
        config: { signedLinks: true, serves: [member(), visitor(), key('conversations:read')] },
        schema: {
          tags,
          summary: 'Hear a recording',
          description:
            'With a token of somebody who sees its conversation, or without one by the link that `audioUrl` holds. Answers ranges, so that players can seek.',
          params: paramsSchema,
          querystring: z.object({
            expires: z.string().optional().meta({ description: 'Part of a signed link.' }),
            signature: z.string().optional().meta({ description: 'Part of a signed link.' }),
            viewer: z.string().optional().meta({ description: 'Part of a signed link.' }),
          }),
          response: { 200: sound, 206: sound },
        },
      },
      async (request, reply) => {
        const asker = request.isSignedIn ? { sight: sightOf(request.principal) } : { query: request.query };
        const recording = await recordings.find(request.params.id, asker);
        return sendRecording(request, reply, recordings, recording);
      },
    );
  };

async function sendRecording(
  request: FastifyRequest,
  reply: FastifyReply,
  recordings: RecordingsService,
  recording: RecordingRecord,
): Promise<FastifyReply> {
  const { headers, method } = request;
  const { bytes: size, mediaType } = recording;
  // The bytes under an id never change.
  const etag = `"${recording.id}"`;
  const condition = headers['if-range'];
  const range = condition === undefined || condition === etag ? readByteRange(headers.range, size) : null;
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${size}`);
    throw new AppError('invalid-input', 416, 'conversations.recording-ends-before');
  }
  reply.headers({
    'accept-ranges': 'bytes',
    // Players request its parts again, but no part stays in a shared browser.
    'cache-control': 'private, no-store',
    'content-disposition': `inline; filename="recording.${extensionOf(recording)}"`,
    etag,
    vary: 'authorization',
  });
  if (holds(headers['if-none-match'], etag)) return reply.code(304).send();
  reply.type(mediaType).header('content-length', range ? range.end - range.start + 1 : size);
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
  const body = method === 'HEAD' ? Readable.from([]) : await recordings.open(recording, range ?? undefined);
  return reply.send(body);
}

/** Whether a client has this version already (RFC 9110, 13.1.2). */
const holds = (header: string | undefined, etag: string) =>
  (header ?? '').split(',').some((each) => ['*', etag, `W/${etag}`].includes(each.trim()));

/**
 * Closes the connection of a body that continues long after it was refused, or never ends. A client slightly over the
 * limit may finish sending and read the refusal, since browsers show no earlier answer.
 */
function endFloods({ raw }: FastifyRequest): void {
  let seen = 0;
  raw.on('data', (chunk: Uint8Array) => {
    seen += chunk.byteLength;
    if (seen > 2 * MAX_FORM_BYTES) raw.destroy();
  });
}
