import type { Repeated } from './before.ts';
import { valuesAt } from './values.ts';

const signs: ReadonlyMap<string, string> = new Map([
  ['at', '@'],
  ['dot', '.'],
  ['point', '.'],
  ['dash', '-'],
  ['hyphen', '-'],
  ['minus', '-'],
  ['underscore', '_'],
]);
/** Letters that sound like words. */
const letters: ReadonlyMap<string, string> = new Map([
  ['are', 'r'],
  ['you', 'u'],
  ['why', 'y'],
  ['see', 'c'],
  ['tea', 't'],
  ['bee', 'b'],
]);

/** Codes and addresses in an answer, spelled or written: "jo dot marsh at example dot com". */
export const spelledAt = (words: readonly string[], at: number, spelled: readonly string[]): Repeated[] =>
  spelled.flatMap((code) => {
    const end = endOf(code, words, at);
    return end === null ? [] : [{ is: 'day' as const, what: code, end, chunks: [] }];
  });

function endOf(code: string, words: readonly string[], at: number): number | null {
  const isAddress = code.includes('@');
  let left = code;
  let end = at;
  while (left !== '') {
    const said = words[end];
    if (said === undefined) return null;
    const word = (letters.get(said) ?? said).replaceAll('-', '');
    const sign = signs.get(said);
    const number = valuesAt(words, end).findLast(
      ({ kind, figures }) => kind === 'number' && left.startsWith(figures),
    );
    if (word !== '' && left.startsWith(word)) {
      left = left.slice(word.length);
      end++;
    } else if (number) {
      left = left.slice(number.figures.length);
      end = number.end;
    } else if (isAddress && sign !== undefined && left.startsWith(sign)) {
      left = left.slice(1);
      end++;
    } else if (!isAddress && sign === '-') end++;
    else return null;
  }
  return end;
}
