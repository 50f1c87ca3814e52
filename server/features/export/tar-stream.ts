import { Header } from 'tar';

/** A file of an archive, made when its turn comes. */
export interface ArchiveFile {
  /** ASCII, at most 100 characters between two `/`; an empty folder ends with one. */
  path: string;
  at: Date;
  /** Of what `bytes` gives, exactly. */
  size: number;
  bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

/** Every header, and every file, fills blocks of this many bytes; two empty ones are the end (POSIX ustar). */
const BLOCK_BYTES = 512;

/**
 * Files as one tar archive, piece by piece: nothing of it waits in memory for the rest.
 * @throws Error when a file is not as long as it was said to be: the archive breaks off, as it must
 */
export async function* tarStream(files: AsyncIterable<ArchiveFile>): AsyncGenerator<Uint8Array> {
  for await (const { path, at, size, bytes } of files) {
    const header = new Header({
      path,
      size,
      mtime: at,
      mode: 0o600,
      type: path.endsWith('/') ? 'Directory' : 'File',
    });
    const block = Buffer.alloc(BLOCK_BYTES);
    if (header.encode(block)) throw new Error('A path does not fit into the header of an archive.');
    yield block;
    let written = 0;
    for await (const piece of bytes) {
      written += piece.byteLength;
      yield piece;
    }
    if (written !== size) throw new Error('A file of an archive has another length than was said.');
    yield Buffer.alloc((BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES);
  }
  yield Buffer.alloc(2 * BLOCK_BYTES);
}
