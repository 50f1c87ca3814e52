import { Header } from 'tar';

/** A file of an archive, produced when its turn comes. */
export interface ArchiveFile {
  /** ASCII, at most 100 characters between slashes; an empty folder ends with a slash. */
  path: string;
  at: Date;
  /** The exact number of bytes in `bytes`. */
  size: number;
  bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

/** Headers and files fill blocks of this many bytes; two empty blocks are the end (POSIX ustar). */
const BLOCK_BYTES = 512;

/**
 * Files as one tar archive, streamed.
 * @throws Error when a file does not have its declared size: the archive must break off
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
