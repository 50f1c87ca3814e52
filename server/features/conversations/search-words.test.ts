import { expect, it } from 'vitest';
import { indexedWords, wantedWords } from './search-words.ts';

it.each([
  ['Order BW-4711, please!', ['order', 'bw', '4711', 'please']],
  ["I don't know O’Brien", ['i', 'dont', 'know', 'obrien']],
  ['Café Zürich naïve', ['cafe', 'zurich', 'naive']],
  ['ΟΔΟΣ οδός', ['οδοσ']],
  ['Где мой заказ?', ['где', 'мои', 'заказ']],
  ['שָׁלוֹם مَرْحَبًا', ['שלום', 'مرحبا']],
  ['注文123はどこ', ['注', '文', '123', 'は', 'ど', 'こ']],
  ['주문 확인', ['주문', '확인']],
  ['thanks 🙂', ['thanks', '🙂']],
  ['ﬁne ＡＢＣ', ['fine', 'abc']],
  ['<b>bold</b> & \' " \\ @', ['b', 'bold']],
  ['', []],
])('reads the words of %j', (text, words) => {
  expect(indexedWords([text])).toEqual(words);
});

it('keeps each word once, and long ones by their beginning', () => {
  expect(indexedWords(['a b a', 'b c'])).toEqual(['a', 'b', 'c']);
  expect(indexedWords(['x'.repeat(200)])).toEqual(['x'.repeat(64)]);
});

it.each([
  ['refund', "'refund':*"],
  ['refund my ord', "'refund' & 'my' & 'ord':*"],
  ['a', "'a'"],
  ['"late parcel"', "'late' & 'parcel':*"],
  ["'); drop table users; --", "'drop' & 'table' & 'users':*"],
  ['a & !b | (c)', "'a' & 'b' & 'c'"],
])('asks the index for %j as %s', (search, query) => {
  expect(wantedWords(search)).toBe(query);
});

it('has no question where there is no word', () => {
  expect(wantedWords(' "" \' & !!! ')).toBeNull();
});
