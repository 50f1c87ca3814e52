import { expect, test } from 'vitest';
import { decideDanger, readByThemselves } from './danger.ts';
import { packOf } from './index.ts';

const seen = (...chances: number[]) => chances.map((chance) => ({ chance, kind: 'injury' as const }));

test.each([
  ['the whole means it', null, [0.9], 'injury'],
  ['the whole hardly does', null, [0.6], null],
  ['one of its sentences does', null, [0.1, 0.05, 0.97], 'injury'],
  ['a sentence is less sure than the whole would have to be', null, [0.1, 0.8, 0.05], null],
  ['its words do, and the whole may', 'danger', [0.2], 'danger'],
  ['its words do, and one of its sentences may', 'danger', [0.02, 0.3], 'danger'],
  ['its words do, and nothing else', 'danger', [0.02, 0.03], null],
  ['its words do, where nothing can be read', 'danger', [], 'danger'],
] as const)('danger is told where %s', (_when, byWords, chances, danger) => {
  expect(decideDanger(byWords, seen(...chances))).toBe(danger);
});

test('of several sentences the last four are read by themselves', () => {
  const read = (text: string) => readByThemselves(text, packOf('en').splitSentences);
  expect(read('Only one sentence, however long it is.')).toEqual([]);
  expect(read('I called before. My order is 42. It came. I opened it. He is bleeding.')).toEqual([
    'My order is 42.',
    'It came.',
    'I opened it.',
    'He is bleeding.',
  ]);
});
