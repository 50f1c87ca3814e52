interface FormWithFiles {
  maxFileBytes: number;
  files: number;
  fields: number;
  fieldBytes: number;
}

/**
 * More than a connection brings before what it brought is taken. Of a part that it skips, the parser (@fastify/busboy 3.2.6)
 * takes up to this at once: where more came, and the form's end with it, it waited for itself, and nobody was ever answered.
 */
const PART_BUFFER_BYTES = 2 ** 20;

/** How a form is parsed, and what it may hold. @param form `fields` leaves some room for clients that send more */
export const formOptions = ({ maxFileBytes, files, fields, fieldBytes }: FormWithFiles) => ({
  limits: {
    // One more, so that a file that is too large is told from one that was cut.
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
