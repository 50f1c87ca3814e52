import { expect, it } from 'vitest';
import { readTextFile } from './read-text-file.ts';

const file = (name: string, ...parts: BlobPart[]) => new File(parts, name);

it.each([
  ['UTF-8', new TextEncoder().encode('Café – open')],
  ['UTF-8 with its mark', new Uint8Array([0xef, 0xbb, 0xbf, ...new TextEncoder().encode('Café – open')])],
  [
    'UTF-16, little end first',
    new Uint8Array([
      0xff,
      0xfe,
      ...[...'Café – open'].flatMap((c) => [c.charCodeAt(0) & 255, c.charCodeAt(0) >> 8]),
    ]),
  ],
  [
    'UTF-16, big end first',
    new Uint8Array([
      0xfe,
      0xff,
      ...[...'Café – open'].flatMap((c) => [c.charCodeAt(0) >> 8, c.charCodeAt(0) & 255]),
    ]),
  ],
])('reads %s', async (_encoding, bytes) => {
  expect(await readTextFile(file('notes.txt', bytes))).toBe('Café – open');
});

it('reads what older editors write', async () => {
  const bytes = new Uint8Array([0x43, 0x61, 0x66, 0xe9, 0x20, 0xdf]);
  expect(await readTextFile(file('notes.txt', bytes))).toBe('Café ß');
});

it('makes every line end the page’s own', async () => {
  expect(await readTextFile(file('notes.MD', 'one\r\ntwo\rthree\nfour\r\n'))).toBe('one\ntwo\nthree\nfour');
});

it.each([
  ['another kind of file', file('photo.png', 'x'), 'Choose a text file whose name ends in .txt or .md.'],
  [
    'a file that is too large',
    file('a.txt', 'x'.repeat(1_000_001)),
    'Choose a file of at most 200,000 characters.',
  ],
  [
    'bytes that are no text',
    file('a.txt', new Uint8Array([80, 75, 0, 0, 1])),
    'This file is not a text file.',
  ],
])('refuses %s with a sentence', async (_what, refused, sentence) => {
  await expect(readTextFile(refused)).rejects.toThrow(sentence);
});
