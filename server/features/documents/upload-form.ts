import type { MultipartFile, MultipartValue } from '@fastify/multipart';
import { invalidInput, payloadTooLarge } from '#server/errors';
import { FILE_PART, MAX_FILE_BYTES } from '#shared/documents';
import type { UploadedFile } from './service.ts';

/** What a form may hold: one file; some room is left for fields of clients that send more. */
export const FORM_LIMITS = {
  fileSize: MAX_FILE_BYTES + 1,
  files: 1,
  fields: 8,
  parts: 9,
  fieldNameSize: 100,
  fieldSize: 10_000,
  headerPairs: 20,
  headerSize: 4_000,
};

/** Most that a request of this kind may weigh: the file and what stands around it. */
export const MAX_FORM_BYTES = MAX_FILE_BYTES + 100_000;

export const fileTooLarge = () => payloadTooLarge('Use a file of at most 25 MB, or divide it.');

/**
 * Reads the one file of a form.
 * @throws AppError saying what is wrong with the form
 */
export async function readUploadForm(
  parts: AsyncIterable<MultipartFile | MultipartValue>,
): Promise<UploadedFile> {
  let file: UploadedFile | null = null;
  try {
    for await (const part of parts) {
      if (part.type !== 'file') continue;
      if (part.fieldname !== FILE_PART) throw noFile();
      const pieces: Buffer[] = [];
      let size = 0;
      for await (const piece of part.file) {
        size += piece.length;
        if (size > MAX_FILE_BYTES) throw fileTooLarge();
        pieces.push(piece);
      }
      file = {
        bytes: new Uint8Array(Buffer.concat(pieces)),
        name: part.filename ?? '',
        mediaType: part.mimetype,
      };
    }
  } catch (error) {
    if (error instanceof Error && error.name === 'AppError') throw error;
    if (error instanceof Error && 'code' in error && error.code === 'FST_FILES_LIMIT')
      throw invalidInput('Send one file at a time.', { [FILE_PART]: 'Send one file at a time.' });
    throw invalidInput('This form is broken or was cut off. Please send the file again.');
  }
  if (!file) throw noFile();
  return file;
}

const noFile = () => {
  const sentence = 'Send a file as "file".';
  return invalidInput(sentence, { [FILE_PART]: sentence });
};
