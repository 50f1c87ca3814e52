import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WEIGHTS, weightsFolder } from './weights.ts';
import { createWordPiece } from './wordpiece.ts';

const wordPiece = createWordPiece(readFileSync(join(weightsFolder(), WEIGHTS.vocabulary), 'utf8'));

/**
 * Expected ids come from the reference implementation (the Python package `tokenizers`,
 * BertWordPieceTokenizer, lower case).
 */
describe('the ids of a text', () => {
  it.each([
    ['a question', 'How do I get a refund?', [2129, 2079, 1045, 2131, 1037, 25416, 8630, 1029]],
    ['accents', 'Café naïve, ÅNGSTRÖM & Straße', [7668, 15743, 1010, 17076, 15687, 1004, 2358, 27807]],
    ['ideographs', '我想退款 please', [1855, 100, 100, 100, 3531]],
    ['rare ideographs, each a word', '𠀀𠀁 ext', [100, 100, 4654, 2102]],
    ['syllables that come apart', '안녕', [1463, 30006, 30021, 29992, 30010, 30025]],
    ['a word of 100 letters', 'x'.repeat(100), [22038, ...new Array<number>(49).fill(20348)]],
    ['a word of 101 letters', `${'x'.repeat(101)} ok`, [100, 7929]],
    [
      'marks and numbers',
      'Tue 8.30–7.00, £5.99 (±10 %)',
      [
        10722, 2063, 1022, 1012, 2382, 1516, 1021, 1012, 4002, 1010, 27813, 1012, 5585, 1006, 1081, 10790,
        1003, 1007,
      ],
    ],
    ['what cannot be seen', "don't\ufeff\u200bworry\u0000\t!", [2123, 1005, 2048, 12244, 999]],
    ['a soft hyphen', 'help@x.co\u00adm', [2393, 1030, 1060, 1012, 4012]],
    ['nothing', ' \n\u00a0 ', []],
  ])('%s', (_, text, ids) => {
    expect(wordPiece.one(text, 128)).toEqual({
      ids: [101, ...ids, 102],
      types: new Array(ids.length + 2).fill(0),
    });
  });

  it('takes the name of a special token for the words it is written with', () => {
    expect(wordPiece.one('[SEP]', 128).ids).toEqual([101, 1031, 19802, 1033, 102]);
  });

  it('are cut at the end, however long the text', () => {
    const long = 'refund '.repeat(100_000);
    const { ids } = wordPiece.one(long, 128);
    expect(ids).toHaveLength(128);
    expect(ids.slice(-3)).toEqual([25416, 8630, 102]);
  });
});

describe('a pair', () => {
  it('is told apart by types', () => {
    expect(wordPiece.pair('Where is it?', 'On the shelf.', 256)).toEqual({
      ids: [101, 2073, 2003, 2009, 1029, 102, 2006, 1996, 11142, 1012, 102],
      types: [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1],
    });
  });

  it('keeps the question whole and cuts the passage, unless the question alone takes half', () => {
    const short = wordPiece.pair('Where is it?', 'shelf '.repeat(500), 40);
    expect(short.ids).toHaveLength(40);
    expect(short.ids.slice(0, 6)).toEqual([101, 2073, 2003, 2009, 1029, 102]);
    const both = wordPiece.pair('where '.repeat(500), 'shelf '.repeat(500), 40);
    expect(both.ids).toHaveLength(40);
    expect(both.types.filter((type) => type === 0)).toHaveLength(22);
  });
});
