import { describe, expect, it } from 'vitest';
import { sentenceOf } from '#shared/refusals/refusal';
import { matchesWhole, patternProblem, type Work } from './linear-pattern.ts';
import { seededRandom } from './seeded-random.ts';

const plenty = (): Work => ({ left: Number.MAX_SAFE_INTEGER });
const byJavaScript = (pattern: string, value: string) => new RegExp(`^(?:${pattern})$`, 'u').test(value);

/** Characters with a special meaning in patterns. */
const characters = [
  ...'aAbzZ09_- ./$^[]|é',
  'ß',
  '😀',
  '\n',
  '\r',
  '\t',
  '\v',
  '\u00a0',
  '\u2028',
  '\ufeff',
  '\b',
];

/** Random whole values to test. */
function valuesOf(random: () => number): string[] {
  const pick = () => characters[Math.floor(random() * characters.length)] ?? '';
  return ['', ...Array.from({ length: 12 }, (_, n) => Array.from({ length: 1 + (n % 5) }, pick).join(''))];
}

/** A random pattern that both engines support. */
function patternOf(random: () => number, depth = 0): string {
  const of = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const item = () =>
    of([
      'a-z',
      '0-9',
      'A',
      'b',
      '_',
      '\\d',
      '\\W',
      '\\s',
      '\\S',
      '\\-',
      '\\]',
      '\\b',
      ' ',
      '[',
      '.',
      '$',
      '\\p{L}',
      '\\P{Lu}',
      'é',
      '😀',
      '\\u{1F600}',
      '\\x41',
    ]);
  const atom = (): string => {
    const kind = Math.floor(random() * 12);
    if (kind < 5) return of(['a', 'A', 'b', 'z', '0', '9', '_', '-', ' ', 'é', 'ß', '😀']);
    if (kind < 8)
      return of([
        '.',
        '\\d',
        '\\D',
        '\\w',
        '\\W',
        '\\s',
        '\\S',
        '\\p{L}',
        '\\p{Lu}',
        '\\p{Script=Latin}',
        '\\p{Decimal_Number}',
        '\\.',
        '\\/',
        '\\$',
        '\\t',
        '\\n',
        '\\v',
        '\\u0061',
        '\\u{e9}',
        '\\ud83d\\ude00',
        '\\x5f',
        '\\cJ',
        '\\x00',
      ]);
    if (kind < 10)
      return `[${of(['', '', '^'])}${Array.from({ length: Math.floor(random() * 4) }, item).join('')}]`;
    if (depth > 2) return 'b';
    return `${of(['(', '(?:', `(?<n${Math.floor(random() * 1e9)}>`])}${patternOf(random, depth + 1)})`;
  };
  const piece = () => {
    if (random() < 0.08) return of(['^', '$', '\\b', '\\B']);
    return atom() + of(['', '', '', '*', '+', '?', '{2}', '{1,3}', '{2,}', '*?', '+?', '??', '{0,2}?']);
  };
  const sequence = () => Array.from({ length: Math.floor(random() * 4) }, piece).join('');
  return Array.from({ length: random() < 0.3 ? 2 : 1 }, sequence).join('|');
}

describe('matchesWhole', () => {
  it.each([
    ['\\d{4}', ['4471'], ['447', '44710', 'a4471', '4471\n']],
    ['[A-Z]{2}-?\\d{2,4}', ['AB-12', 'AB1234'], ['ab-12', 'AB--12', 'AB12345']],
    ['^\\d+$', ['1', '22'], ['', 'a', '1 ']],
    ['red|blue', ['red', 'blue'], ['redblue', 'red|blue', '']],
    ['(?<year>\\d{4})', ['2026'], ['26']],
    ['[^\\s@]+@[^\\s@]+', ['a@b'], ['a b@c', '@']],
    ['\\p{L}+', ['größe'], ['a1']],
    ['[[:alpha:]', ['[', ':', 'a'], ['b', 'a]']],
    ['[]', [], ['', 'a']],
    ['[^]', ['a', '\n'], ['']],
    ['', [''], ['a']],
  ])('of %s as JavaScript understands it', (pattern, those, others) => {
    for (const value of those) expect([value, matchesWhole(pattern, value, plenty())]).toEqual([value, true]);
    for (const value of others)
      expect([value, matchesWhole(pattern, value, plenty())]).toEqual([value, false]);
  });

  it('agrees with JavaScript on whatever both know', () => {
    const random = seededRandom(20261126);
    let compared = 0;
    for (let time = 0; time < 800; time++) {
      const pattern = patternOf(random);
      expect([pattern, patternProblem(pattern)]).toEqual([pattern, null]);
      for (const value of valuesOf(random)) {
        compared++;
        const said = [pattern, value, matchesWhole(pattern, value, plenty())];
        expect(said).toEqual([pattern, value, byJavaScript(pattern, value)]);
      }
    }
    expect(compared).toBeGreaterThan(10_000);
  });

  it.each([
    '^(a+)+$',
    '(?:a|a)*',
    '(?:a|aa)+',
    '(.*)*!',
    '([a-z]+)*\\d',
    '(?:a?){200}a{200}',
    '(?:\\w*\\w*)*!',
  ])('takes as many steps for %s as its length allows, and no more', (pattern) => {
    const work = { left: 600_000 };
    matchesWhole(pattern, `${'a'.repeat(499)}!`, work);
    expect(work.left).toBeGreaterThan(0);
  });

  it('matches nothing once its work is done', () => {
    const work = { left: 10_000 };
    expect(matchesWhole('[a-z]{1,20}', 'abc', work)).toBe(true);
    let times = 0;
    while (matchesWhole('[a-z]{1,20}', 'abc', work)) times++;
    expect(times).toBeLessThan(200);
    expect(matchesWhole('a', 'a', { left: 0 })).toBe(false);
  });
});

describe('patternProblem', () => {
  it.each([
    ['(?=a)b', 'lookarounds'],
    ['(?!a)b', 'lookarounds'],
    ['(?<=a)b', 'lookarounds'],
    ['(?<!a)b', 'lookarounds'],
    ['(a)\\1', 'backreferences'],
    ['(?<n>a)\\k<n>', 'backreferences'],
    ['\\d{1,2000}', 'fewer repetitions'],
    ['(?:a{50}){50}', 'fewer repetitions'],
    ['((((a?){10}){10}){10})', 'fewer repetitions'],
    ['.{0,900}'.repeat(20), 'fewer repetitions'],
    ['\\p{Script_Extensions=Greek}', 'property'],
    ['(', 'not a regular expression'],
    ['\\ud83d', 'not a regular expression'],
  ])('says of %s why it cannot be used', (pattern, why) => {
    const problem = patternProblem(pattern);
    expect(problem && sentenceOf(problem)).toContain(why);
    expect(matchesWhole(pattern, 'a', plenty())).toBe(false);
  });

  it.each(['\\d{4}', '.{1,500}', "[\\p{L} '-]{2,60}", '[A-Z]{2}\\d{2}[A-Z0-9]{11,30}', '\\p{Script=Greek}+'])(
    'has nothing against %s',
    (pattern) => expect(patternProblem(pattern)).toBeNull(),
  );
});
