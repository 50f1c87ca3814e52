import type { FastifyRequest } from 'fastify';
import { AppError, invalidInput, payloadTooLarge, unsupportedMediaType } from '#server/lib/errors';
import { formOptions } from '#server/lib/form-options';
import { readAtMost } from '#server/lib/read-at-most';
import { refusal } from '#shared/refusals/refusal';

/** The largest sound file, as OpenAI takes it. */
const MAX_FILE_BYTES = 25 * 1024 * 1024;
/** Most that a form with one may weigh. */
const MAX_FORM_BYTES = MAX_FILE_BYTES + 100_000;

/** What a form may hold: one file and the fields of the API. */
export const FORM_OPTIONS = formOptions({
  maxFileBytes: MAX_FILE_BYTES,
  files: 1,
  fields: 16,
  fieldBytes: 10_000,
});

interface Form {
  file: Uint8Array;
  fields: Record<string, string>;
}

/** Bytes that a form may bring, by what its client says. @throws AppError when they are too many, or it is no form */
export function weightOf(request: FastifyRequest): number {
  if (!request.isMultipart()) throw unsupportedMediaType('multipart/form-data');
  const said = request.headers['content-length'];
  const bytes = said === undefined ? MAX_FORM_BYTES : Number(said);
  if (bytes > MAX_FORM_BYTES) throw tooLarge();
  return bytes;
}

/**
 * Reads a form with one file.
 * @throws AppError saying what is wrong with it
 */
export async function readForm(request: FastifyRequest): Promise<Form> {
  const fields: Form['fields'] = {};
  let file: Uint8Array | null = null;
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') {
        fields[part.fieldname] = String(part.value);
        continue;
      }
      const read = await readAtMost(part.file, MAX_FILE_BYTES);
      if (!read) throw tooLarge();
      if (part.fieldname === 'file') file = read;
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw invalidInput('speech.form-cut-off');
  }
  if (!file) throw invalidInput('speech.file-missing', 'file');
  return { file, fields };
}

const tooLarge = () => payloadTooLarge(refusal('speech.file-too-large', { megabytes: 25 }));
