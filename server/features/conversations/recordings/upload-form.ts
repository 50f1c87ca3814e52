import type { MultipartFile, MultipartValue } from '@fastify/multipart';
import { codeOf } from '#server/lib/error-code';
import { AppError, invalidInput } from '#server/lib/errors';
import { formOptions } from '#server/lib/form-options';
import { AUDIO_PART, MAX_RECORDING_BYTES, TRANSCRIPT_PART } from '#shared/recordings';
import { audioMissing, transcriptMissing, transcriptTooLong } from './service.ts';

/** Limits of a form; a browser's has two parts. Leaves some room for additional fields. */
export const FORM_OPTIONS = formOptions({
  maxFileBytes: MAX_RECORDING_BYTES,
  files: 2,
  fields: 8,
  // 8,000 characters of up to four bytes.
  fieldBytes: 32_000,
});

/** The largest request of this kind: the recording, the transcript, and the form around them. */
export const MAX_FORM_BYTES = MAX_RECORDING_BYTES + 100_000;

type Part = MultipartFile | MultipartValue;

/**
 * Reads the parts as they come, in either order.
 * @param keep takes the recording, once
 * @returns the transcript
 * @throws AppError with the form's problem, and errors of `keep`
 */
export async function readUploadForm(
  parts: AsyncIterable<Part>,
  keep: (audio: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<string> {
  let transcript: string | null = null;
  let hasAudio = false;
  try {
    for await (const part of parts) {
      if (part.type === 'file') {
        if (part.fieldname !== AUDIO_PART) throw wrongPart(part.fieldname);
        if (hasAudio) throw invalidInput('conversations.recording-one', AUDIO_PART);
        hasAudio = true;
        await keep(part.file);
      } else if (part.fieldname === TRANSCRIPT_PART) {
        if (transcript !== null) throw invalidInput('conversations.transcript-one', TRANSCRIPT_PART);
        if (part.valueTruncated || typeof part.value !== 'string') throw transcriptTooLong();
        transcript = part.value;
      } else if (part.fieldname === AUDIO_PART) throw audioMissing();
    }
  } catch (error) {
    throw fromParser(error) ?? error;
  }
  if (!hasAudio) throw audioMissing();
  if (transcript === null) throw transcriptMissing();
  return transcript;
}

const wrongPart = (name: string) =>
  name === TRANSCRIPT_PART
    ? invalidInput('conversations.transcript-not-a-file', TRANSCRIPT_PART)
    : audioMissing();

/** The parser's error as a sentence; null for an unknown one. */
function fromParser(error: unknown): AppError | null {
  if (!(error instanceof Error) || error instanceof AppError) return null;
  switch (codeOf(error)) {
    case 'FST_PARTS_LIMIT':
    case 'FST_FILES_LIMIT':
    case 'FST_FIELDS_LIMIT':
    case 'FST_PROTO_VIOLATION':
      return invalidInput('conversations.recording-parts');
    case 'FST_INVALID_JSON_FIELD_ERROR':
      return invalidInput('conversations.transcript-as-text', TRANSCRIPT_PART);
    case 'FST_MP_PREMATURE_CLOSE':
    case 'ECONNRESET':
      return cutOff();
  }
  // The parser's own words for a form that ends or begins in the wrong place.
  return /multipart|boundary|terminated early|malformed|premature|content-type|aborted/i.test(error.message)
    ? cutOff()
    : null;
}

const cutOff = () => invalidInput('conversations.recording-cut-off');
