/** A reader's next request: bytes to look at, or to skip. */
type Ask = { take: number } | { skip: number };
/** Reads a stream of pieces as if it were whole: yields requests, receives bytes. */
export type Reader = Generator<Ask, void, Buffer>;

/** More than a valid file needs in one piece: the reading of others stops. */
const MAX_TAKEN = 1_000_000;
/** Blocks of 20 ms for two hours, each read in some eight steps. A file of only empty elements would take far more. */
const MAX_STEPS = 3_000_000;
const nothing = Buffer.alloc(0);

/**
 * Drives a reader through a stream; buffers only the bytes that it requests.
 * @returns takes the pieces, in order. Errors of the reader, and bytes after its end, are ignored.
 */
export function walk(reader: Reader): (piece: Uint8Array) => void {
  /** Bytes short of a request: joined only when complete, since a client may send a byte at a time. */
  let waiting: Buffer[] = [];
  let length = 0;
  let ask: Ask | null = null;
  let steps = 0;
  const advance = (bytes: Buffer) => {
    try {
      const next = reader.next(bytes);
      const isTooMuch =
        ++steps > MAX_STEPS || (!next.done && 'take' in next.value && next.value.take > MAX_TAKEN);
      ask = next.done || isTooMuch ? null : next.value;
    } catch {
      ask = null;
    }
  };
  advance(nothing);
  return (piece) => {
    if (!ask) return;
    const came = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    length += came.length;
    if ('take' in ask && length < ask.take) {
      // Copied, because the piece may be reused.
      waiting.push(Buffer.from(came));
      return;
    }
    let kept = waiting.length > 0 ? Buffer.concat([...waiting, came], length) : came;
    while (ask) {
      if ('skip' in ask) {
        const passed = Math.min(ask.skip, kept.length);
        kept = kept.subarray(passed);
        if (passed < ask.skip) {
          ask = { skip: ask.skip - passed };
          break;
        }
        advance(nothing);
      } else {
        if (kept.length < ask.take) break;
        const taken = kept.subarray(0, ask.take);
        kept = kept.subarray(ask.take);
        advance(taken);
      }
    }
    waiting = ask && kept.length > 0 ? [Buffer.from(kept)] : [];
    length = ask ? kept.length : 0;
  };
}
