import { seededRandom } from '#server/lib/seeded-random';

/** Pieces whose repetition is hard for patterns: opening marks, first words of patterns, line breaks. */
const PIECES = [
  ...'….?()"\'0aAmé@/-_*[|#=<&？ \t\n\u00a0\u{1f600}',
  '\ud800',
  ...[...'….?!,;:-()"\'/&$1aA'].map((mark) => `${mark} `),
  ...[...".@!?,:-(…'1"].map((mark) => `a${mark}`),
  ...[
    '-a',
    ' .',
    '1-',
    '1.',
    '1,',
    '$1',
    '1,111',
    '1.1.1',
    '10:30-',
    '1–2 ',
    'Aa ',
    'a, ',
    'a-b-',
    '"a" ',
    'ab ',
  ],
  ...['a\n', '- a\n', '# a\n', '| a |\n', '<a>', 'http://a', 'www.', "n't "],
  ...['i ', 'the ', 'my ', 'no ', 'yes ', 'so ', 'one ', 'and ', 'and so ', 'what ', 'how long ', 'thanks '],
  ...['have a ', 'dot ', 'a dot ', 'um ', 'we will ', 'my order ', 'i am A ', 'call ', 'as a result of '],
];
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const MIXED = [...'abcdefghij      .,1A'];

/** Worst-case texts of a length, by the repeated piece. */
export function adversarialTexts(length: number): Map<string, string> {
  const random = seededRandom(1);
  const drawn = (from: readonly string[]) =>
    Array.from({ length }, () => from[Math.floor(random() * from.length)] ?? '').join('');
  return new Map([
    ...PIECES.map((piece): [string, string] => [
      JSON.stringify(piece),
      // The last character matches no rule.
      `${piece.repeat(Math.ceil(length / piece.length)).slice(0, length - 1)}\u0001`,
    ]),
    ['letters without a space', drawn(LETTERS)],
    ['words without a sense', drawn(MIXED)],
  ]);
}
