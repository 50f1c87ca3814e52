import { describe, expect, it } from 'vitest';
import { lookClosely } from './closer-look.ts';

const texts = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];

/** Reads logits from a table, and records its requests. */
function readerOf(logits: Readonly<Record<string, number | null>>) {
  const pairs: string[] = [];
  const read = async (question: string, some: readonly string[]) => {
    const found: number[] = [];
    for (const text of some) {
      pairs.push(`${question}/${text}`);
      const logit = logits[`${question}/${text}`];
      if (logit === null) return null;
      found.push(logit ?? -10);
    }
    return found;
  };
  return { read, pairs };
}

describe('lookClosely', () => {
  it('reads no more than three where one of them clearly answers', async () => {
    const { read, pairs } = readerOf({ 'asked/two': 5 });
    expect(await lookClosely({ question: 'asked', own: null, texts }, read)).toEqual([-10, 5, -10]);
    expect(pairs).toHaveLength(3);
  });

  it('reads on until one does', async () => {
    const { read, pairs } = readerOf({ 'asked/two': 1, 'asked/five': 4, 'asked/eight': 9 });
    const logits = await lookClosely({ question: 'asked', own: null, texts }, read);
    expect(logits).toEqual([-10, 1, -10, -10, 4, -10]);
    expect(pairs).toHaveLength(6);
  });

  it('reads all of them where none does, however little the first have to do with it', async () => {
    const { read, pairs } = readerOf({ 'asked/eight': 1 });
    const logits = await lookClosely({ question: 'asked', own: null, texts }, read);
    expect(logits).toEqual(texts.map((text) => (text === 'eight' ? 1 : -10)));
    expect(new Set(pairs).size).toBe(texts.length);
  });

  it('lets what was asked before count a third where a passage bears on what is asked now', async () => {
    const { read, pairs } = readerOf({
      'now/one': -3,
      'before now/one': 9,
      'now/two': -10,
      'before now/two': 8,
    });
    const logits = await lookClosely({ question: 'before now', own: 'now', texts: ['one', 'two'] }, read);
    expect(logits).toEqual([1, -10]);
    expect(pairs).toEqual(['now/one', 'now/two', 'before now/one']);
  });

  it('reads nothing with what was asked before where nothing bears on what is asked now', async () => {
    const { read, pairs } = readerOf({ 'before now/one': 8 });
    expect(await lookClosely({ question: 'before now', own: 'now', texts }, read)).toEqual(
      texts.map(() => -10),
    );
    expect(pairs.every((pair) => pair.startsWith('now/'))).toBe(true);
  });

  it.each([
    ['the first look', { 'now/one': null }],
    ['it with what was asked before', { 'now/one': 1, 'before now/one': null }],
  ])('tells that there was no time for %s', async (_what, logits) => {
    const { read } = readerOf(logits);
    expect(await lookClosely({ question: 'before now', own: 'now', texts }, read)).toBeNull();
  });

  it('keeps to what it saw where there is no time for more', async () => {
    const { read } = readerOf({ 'asked/one': 1, 'asked/four': null });
    expect(await lookClosely({ question: 'asked', own: null, texts }, read)).toEqual([1, -10, -10]);
  });

  it('reads nothing of nothing', async () => {
    const { read, pairs } = readerOf({});
    expect(await lookClosely({ question: 'asked', own: 'now', texts: [] }, read)).toEqual([]);
    expect(pairs).toEqual([]);
  });
});
