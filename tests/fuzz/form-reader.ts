import multipart from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { ReceivedAudio } from '#server/features/conversations/recordings/received-audio';
import {
  readUploadForm as readRecordingForm,
  FORM_OPTIONS as recordingOptions,
} from '#server/features/conversations/recordings/upload-form';
import {
  FORM_OPTIONS as documentOptions,
  readUploadForm as readDocumentForm,
} from '#server/features/documents/upload-form';
import { readForm as readSpeechForm, FORM_OPTIONS as speechOptions } from '#server/speech-server/form';
import { aWavFile } from '../support/uploads.ts';
import { type MemoryClient, piecesOf, until, withoutFailures } from './memory-connection.ts';
import type { FuzzedParser } from './run.ts';

const part = (about: string, content: string | Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`Content-Disposition: form-data; ${about}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
const file = (name: string, mediaType: string, content: string | Buffer) =>
  part(
    `name="${name}"; filename="a \\"name\\".x"; filename*=UTF-8''a%20n%C3%A4me.x\r\nContent-Type: ${mediaType}`,
    content,
  );

interface Form {
  /** Its boundary, too: what was made of a sample is known by it. */
  name: string;
  options: typeof documentOptions;
  read(request: FastifyRequest): Promise<unknown>;
  parts: readonly Buffer[];
}

const documentForm: Form = {
  name: 'a-document',
  options: documentOptions,
  read: (request) => readDocumentForm(request.parts()),
  parts: [
    part('name="title"\r\nContent-Type: application/json', '{"a":[1]}'),
    file('file', 'text/markdown; charset=utf-16le', '# Delivery\n\nWe ship to Canada.\n'),
  ],
};

const recordingForm: Form = {
  name: 'a-recording',
  options: recordingOptions,
  read: (request) =>
    readRecordingForm(request.parts(), async (source) => {
      const audio = new ReceivedAudio(source);
      const { bytes } = await audio.begin();
      for await (const _ of bytes);
    }),
  parts: [file('audio', 'audio/wav', aWavFile(200)), part('name="transcript"', 'Hello there')],
};

const speechForm: Form = {
  name: 'some-speech',
  options: speechOptions,
  read: readSpeechForm,
  parts: [
    part('name="model"\r\nContent-Type: text/plain; charset=latin1', 'whisper-1'),
    part('name="timestamp_granularities[]"\r\nContent-Transfer-Encoding: base64', 'segment'),
    file('file', 'application/octet-stream', aWavFile(100)),
  ],
};

const forms = [documentForm, recordingForm, speechForm];

/** How many are being read. */
let underWay = 0;

/** A route for each form, which reads it and keeps nothing. */
export const formRoutes: FastifyPluginAsyncZod = async (app) => {
  for (const { name, options, read } of forms)
    await app.register(async (route) => {
      await route.register(multipart, options);
      route.post(`/${name}`, async (request) => {
        underWay++;
        try {
          await read(request);
          return {};
        } finally {
          underWay--;
        }
      });
    });
};

/** All forms of the product, each through its own reader. */
export function formReader(client: MemoryClient): FuzzedParser {
  return {
    name: 'form-reader',
    samples: forms.map(({ name, parts }) =>
      Buffer.concat([
        ...parts.flatMap((each) => [Buffer.from(`--${name}\r\n`), each]),
        Buffer.from(`--${name}--\r\n`),
      ]),
    ),
    async parse(bytes) {
      const { name } = forms.find((form) => bytes.includes(form.name)) ?? documentForm;
      // Of every fourth more is promised than comes before the connection breaks off.
      const length = bytes.length + (bytes.length % 4 === 0 ? 1 : 0);
      const head = [
        `POST /${name} HTTP/1.1`,
        'Host: 127.0.0.1',
        `Content-Type: multipart/form-data; boundary=${name}`,
        `Content-Length: ${length}`,
      ];
      const said = await client.exchange([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), ...piecesOf(bytes)]);
      // Who has gone leaves nobody waiting.
      await until(() => underWay === 0);
      return withoutFailures(said);
    },
  };
}
