/**
 * Reads a stream to its end. Stops when it is too long, which cancels the rest.
 * @returns null if it holds more than `maxBytes`
 * @throws any error of the stream
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
