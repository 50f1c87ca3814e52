import { expect, test } from 'vitest';
import { packOf } from '#server/languages/index';
import { sentencesFrom } from './sentence-stream.ts';

async function cut(text: string, size: number): Promise<string[]> {
  async function* pieces() {
    for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
  }
  const sentences: string[] = [];
  for await (const each of sentencesFrom(pieces(), packOf('en').splitSentences)) sentences.push(each.text);
  return sentences;
}

test('sentences come whole, wherever the stream is cut', async () => {
  const text =
    'It costs $5.99, e.g. for books. Is that fine? "Yes!" Then wait until 8 p.m. and call. Closed Fri. Sat. and Sun. (new. Please tell others) this week.';
  const whole = [
    'It costs $5.99, e.g. for books.',
    'Is that fine?',
    '"Yes!"',
    'Then wait until 8 p.m. and call.',
    'Closed Fri. Sat. and Sun. (new. Please tell others) this week.',
  ];
  for (let size = 1; size < text.length; size++)
    expect(await cut(text, size), `cut at ${size}`).toEqual(whole);
});

test('a line break ends a sentence and blanks say nothing', async () => {
  expect(await cut('First line\n\nSecond line\n', 4)).toEqual(['First line', 'Second line']);
  expect(await cut(' \n ', 1)).toEqual([]);
});

test('what may be a sentence is told before the word behind it is there, once', async () => {
  const told: string[] = [];
  const seen: string[] = [];
  async function* pieces() {
    for (const piece of ['It costs', ' $5.', '99 on Fri.', ' and Sat.', ' "Truly."', ' Ask', ' me!']) {
      yield piece;
      seen.push(`${piece}: ${told.splice(0)}`);
    }
  }
  const { splitSentences } = packOf('en');
  for await (const _ of sentencesFrom(pieces(), splitSentences, (sentence) => told.push(sentence)));
  expect(seen).toEqual([
    'It costs: ',
    ' $5.: It costs $5.',
    '99 on Fri.: It costs $5.99 on Fri.',
    ' and Sat.: It costs $5.99 on Fri. and Sat.',
    ' "Truly.": ',
    ' Ask: "Truly."',
    ' me!: Ask me!',
  ]);
});

test('what is surely followed is told so at once, and only that', async () => {
  async function* pieces() {
    yield 'One is here. Two ';
    yield 'follows.\n\n';
    yield 'Three.';
  }
  const seen: [string, boolean][] = [];
  for await (const { text, isFollowed } of sentencesFrom(pieces(), packOf('en').splitSentences))
    seen.push([text, isFollowed]);
  expect(seen).toEqual([
    ['One is here.', true],
    ['Two follows.', false],
    ['Three.', false],
  ]);
});
