import { describe, expect, it } from 'vitest';
import { RecognizedPieces } from './recognized-pieces.ts';

const aPiece = (seed: number, length = 1_000) => Float32Array.from({ length }, (_, n) => Math.sin(n * seed));

describe('RecognizedPieces', () => {
  it('knows a piece again by its samples, wherever they lie', () => {
    const pieces = new RecognizedPieces();
    pieces.set(aPiece(1), 'Hello.');
    const elsewhere = new Float32Array(1_010);
    elsewhere.set(aPiece(1), 10);
    expect(pieces.get(elsewhere.subarray(10))).toBe('Hello.');
  });

  it('does not know another piece, be it longer by silence or different in one sample', () => {
    const pieces = new RecognizedPieces();
    pieces.set(aPiece(1), 'Hello.');
    const longer = new Float32Array(1_001);
    longer.set(aPiece(1));
    expect(pieces.get(longer)).toBeUndefined();
    const different = aPiece(1);
    different[500] = (different[500] ?? 0) + 1e-7;
    expect(pieces.get(different)).toBeUndefined();
  });

  it('remembers that a piece held no words, and forgets the oldest', () => {
    const pieces = new RecognizedPieces();
    pieces.set(aPiece(1), '');
    expect(pieces.get(aPiece(1))).toBe('');
    for (let seed = 2; seed < 100; seed++) pieces.set(aPiece(seed), `${seed}`);
    expect(pieces.get(aPiece(1))).toBeUndefined();
    expect(pieces.get(aPiece(99))).toBe('99');
  });

  it('has the tokens of an utterance as a draft for more of it, and none for another one', () => {
    const pieces = new RecognizedPieces();
    pieces.keepDraft(aPiece(1, 20_000), [5, 6]);
    expect(pieces.draftOf(aPiece(1, 30_000))).toEqual([5, 6]);
    expect(pieces.draftOf(aPiece(2, 30_000))).toEqual([]);
    pieces.keepDraft(aPiece(1, 30_000), [5, 7, 8]);
    expect(pieces.draftOf(aPiece(1, 40_000))).toEqual([5, 7, 8]);
  });
});
