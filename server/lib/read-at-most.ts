/**
 * Reads a stream to its end. Leaving it early, as this does when it is too long, cancels what would still come.
 * @returns null when it holds more than `maxBytes`
 * @throws whatever the stream throws
 */
export async function readAtMost(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
): Promise<Buffer | null> {
  const read: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.byteLength;
    if (bytes > maxBytes) return null;
    read.push(piece);
  }
  return Buffer.concat(read);
}
