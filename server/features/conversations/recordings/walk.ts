/** What a reader of a stream wants next: so many bytes to look at, or so many passed over. */
type Ask = { take: number } | { skip: number };
/** Reads a stream that comes in pieces as if it were whole: yields what it wants, is given what it took. */
export type Reader = Generator<Ask, void, Buffer>;

/** More than anything a reader may look at in one piece: a file that says otherwise is left alone. */
const MAX_TAKEN = 1_000_000;
const nothing = Buffer.alloc(0);

/**
 * Leads a reader through a stream; keeps no more of it than the reader looks at.
 * @returns takes the pieces, in order. What a reader throws, and what comes after its end, is of no concern.
 */
export function walk(reader: Reader): (piece: Uint8Array) => void {
  let kept: Buffer = nothing;
  let ask: Ask | null = null;
  const advance = (bytes: Buffer) => {
    try {
      const next = reader.next(bytes);
      ask = next.done || ('take' in next.value && next.value.take > MAX_TAKEN) ? null : next.value;
    } catch {
      ask = null;
    }
  };
  advance(nothing);
  return (piece) => {
    if (!ask) return;
    kept =
      kept.length > 0
        ? Buffer.concat([kept, piece])
        : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
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
    // The rest is copied: the piece it lies in may be used again.
    kept = ask ? Buffer.from(kept) : nothing;
  };
}
