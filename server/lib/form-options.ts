interface FormWithFiles {
  maxFileBytes: number;
  files: number;
  fields: number;
  fieldBytes: number;
}

/**
 * More than a connection delivers before it is processed. The parser (@fastify/busboy 3.2.6) skips a part in
 * pieces of up to this size; if more arrived together with the form's end, it waited for itself and never
 * answered.
 */
const PART_BUFFER_BYTES = 2 ** 20;

/** How a form is parsed, and its limits. @param form `fields` leaves some room for clients that send more */
export const formOptions = ({ maxFileBytes, files, fields, fieldBytes }: FormWithFiles) => ({
  limits: {
    // One more byte, to distinguish a file that is too large from one that was cut.
    fileSize: maxFileBytes + 1,
    files,
    fields,
    parts: files + fields,
    fieldNameSize: 100,
    fieldSize: fieldBytes,
    headerPairs: 20,
    headerSize: 4_000,
  },
  throwFileSizeLimit: false,
  fileHwm: PART_BUFFER_BYTES,
});
