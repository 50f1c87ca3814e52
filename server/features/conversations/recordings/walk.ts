/** What a reader of a stream wants next: so many bytes to look at, or so many passed over. */
type Ask = { take: number } | { skip: number };
/** Reads a stream that comes in pieces as if it were whole: yields what it wants, is given what it took. */
export type Reader = Generator<Ask, void, Buffer>;

/** More than anything a reader may look at in one piece: a file that says otherwise is left alone. */
const MAX_TAKEN = 1_000_000;
/** Blocks of 20 ms for two hours, each read in some eight steps. A file of nothing but empty elements takes far more. */
const MAX_STEPS = 3_000_000;
const nothing = Buffer.alloc(0);

/**
 * Leads a reader through a stream; keeps no more of it than the reader looks at.
 * @returns takes the pieces, in order. What a reader throws, and what comes after its end, is of no concern.
 */
export function walk(reader: Reader): (piece: Uint8Array) => void {
  /** What came and was not enough yet: joined only when it is, since a peer may send a byte at a time. */
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
      // Copied: the piece may be used again.
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
