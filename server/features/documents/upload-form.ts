import type { MultipartFile, MultipartValue } from '@fastify/multipart';
import { codeOf } from '#server/lib/error-code';
import { invalidInput, payloadTooLarge } from '#server/lib/errors';
import { formOptions } from '#server/lib/form-options';
import { readAtMost } from '#server/lib/read-at-most';
import { FILE_PART, FILE_TOO_LARGE, MAX_FILE_BYTES } from '#shared/documents';
import type { UploadedFile } from './read-source.ts';

/** Limits of a form: one file, and some room for additional fields. */
export const FORM_OPTIONS = formOptions({
  maxFileBytes: MAX_FILE_BYTES,
  files: 1,
  fields: 8,
  fieldBytes: 10_000,
});

/** The largest request of this kind: the file and the form around it. */
export const MAX_FORM_BYTES = MAX_FILE_BYTES + 100_000;

export const fileTooLarge = () => payloadTooLarge(FILE_TOO_LARGE);

/**
 * Reads the one file of a form.
 * @throws AppError with the form's problem
 */
export async function readUploadForm(
  parts: AsyncIterable<MultipartFile | MultipartValue>,
): Promise<Omit<UploadedFile, 'from'>> {
  let file: Omit<UploadedFile, 'from'> | null = null;
  try {
    for await (const part of parts) {
      if (part.type !== 'file') continue;
      if (part.fieldname !== FILE_PART) throw noFile();
      const read = await readAtMost(part.file, MAX_FILE_BYTES);
      if (!read) throw fileTooLarge();
      file = {
        bytes: new Uint8Array(read),
        name: part.filename ?? '',
        mediaType: part.mimetype,
      };
    }
  } catch (error) {
    if (error instanceof Error && error.name === 'AppError') throw error;
    if (codeOf(error) === 'FST_FILES_LIMIT') throw invalidInput('documents.file-one', FILE_PART);
    throw invalidInput('documents.file-cut-off');
  }
  if (!file) throw noFile();
  return file;
}

const noFile = () => invalidInput('documents.file-missing', FILE_PART);
