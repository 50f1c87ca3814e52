interface FormWithFiles {
  maxFileBytes: number;
  files: number;
  fields: number;
  fieldBytes: number;
}

/** What the parser of a form may take in. @param form `fields` leaves some room for clients that send more */
export const formLimits = ({ maxFileBytes, files, fields, fieldBytes }: FormWithFiles) => ({
  // One more, so that a file that is too large is told from one that was cut.
  fileSize: maxFileBytes + 1,
  files,
  fields,
  parts: files + fields,
  fieldNameSize: 100,
  fieldSize: fieldBytes,
  headerPairs: 20,
  headerSize: 4_000,
});
