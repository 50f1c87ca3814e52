import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  brokenProofs,
  type Result,
  type Row,
  readReport,
  readRows,
  testTitles,
} from '../scripts/lib/conformance.js';

const atRoot = (path: string) => new URL(`../${path}`, import.meta.url);
const rows = readRows(readFileSync(atRoot('docs/specification.md'), 'utf8'));

describe('the table of the specification', () => {
  it('has rows for every section, each with a number of its own', () => {
    expect(rows.length).toBeGreaterThan(170);
    const sections = new Set(rows.map(({ id }) => id.split('.')[0]));
    expect([...sections]).toEqual(['S1', 'S2', 'S3', 'S4', 'S5', 'S6', 'S7', 'S8', 'S9']);
    expect(rows.map(({ id }) => id).filter((id, index, all) => all.indexOf(id) !== index)).toEqual([]);
  });

  it('counts the numbers of a part without a gap', () => {
    const next = new Map<string, number>();
    for (const { id } of rows) {
      const [section, part, number] = id.split('.');
      const expected = (next.get(`${section}.${part}`) ?? 0) + 1;
      expect([id, Number(number)]).toEqual([id, expected]);
      next.set(`${section}.${part}`, expected);
    }
  });

  it('names a test for every requirement, or why there is none yet', () => {
    expect(rows.filter(({ proofs, later }) => proofs.length === 0 && later === null)).toEqual([]);
    const reasons = rows.flatMap(({ later }) => (later === null ? [] : [later]));
    expect(reasons.filter((reason) => !/^(speaking \(issue 4\)|live call \(issue 5\))/.test(reason))).toEqual(
      [],
    );
  });

  it('says where a requirement lives, in a file that is there', () => {
    expect(rows.filter(({ where, later }) => where.length === 0 && later === null)).toEqual([]);
    expect(rows.flatMap(({ where }) => where).filter((path) => !existsSync(atRoot(path)))).toEqual([]);
  });

  it('names only tests that are there', () => {
    const titles = new Map<string, string[]>();
    const titlesOf = (file: string) => {
      const known =
        titles.get(file) ?? (existsSync(atRoot(file)) ? testTitles(readFileSync(atRoot(file), 'utf8')) : []);
      titles.set(file, known);
      return known;
    };
    const missing = rows.flatMap(({ id, proofs }) =>
      proofs.filter(({ file, title }) => !titlesOf(file).includes(title)).map((proof) => ({ id, ...proof })),
    );
    expect(missing).toEqual([]);
  });
});

describe('reading the table', () => {
  it('takes files, titles and reasons apart', () => {
    const table = [
      '| Number | Requirement | Where | Proof |',
      '|---|---|---|---|',
      "| S2.login.1 | Heading 'Hi' | `web/a.tsx` | `web/a.test.tsx` › says hi · says ho<br>`e2e/b.test.ts` › is %s |",
      '| S2.call.1 | Speaking |  | Later: speaking (issue 4) |',
      '| S2.call.2 | Nothing |  |  |',
    ].join('\n');
    expect(readRows(table)).toEqual([
      {
        id: 'S2.login.1',
        requirement: "Heading 'Hi'",
        where: ['web/a.tsx'],
        proofs: [
          { file: 'web/a.test.tsx', title: 'says hi' },
          { file: 'web/a.test.tsx', title: 'says ho' },
          { file: 'e2e/b.test.ts', title: 'is %s' },
        ],
        later: null,
      },
      { id: 'S2.call.1', requirement: 'Speaking', where: [], proofs: [], later: 'speaking (issue 4)' },
      { id: 'S2.call.2', requirement: 'Nothing', where: [], proofs: [], later: null },
    ]);
  });
});

describe('reading test titles', () => {
  it.each([
    ["it('is plain', () => {})", 'is plain'],
    ['it("is \'quoted\'", async () => {})', "is 'quoted'"],
    ["it('isn\\'t escaped', f)", "isn't escaped"],
    ["test('is a test', f)", 'is a test'],
    ["it.each([1, ')', /* ( */ 'x'])('is %s', f)", 'is %s'],
    ["it.each([\n  ['a', () => ({})],\n])(\n  'is on its own line %s',\n  f)", 'is on its own line %s'],
    ["it.skipIf(!here)('is skipped', f)", 'is skipped'],
    ["it.skipIf(a()).each(b)('is both %i', f)", 'is both %i'],
  ])('finds the title in %s', (source, title) => {
    expect(testTitles(source)).toEqual([title]);
  });

  it.each(["unit('x', f)", "expect(screen.it('x', f))", 'const it = 1', "describe('x', f)", 'it(title, f)'])(
    'finds none in %s',
    (source) => {
      expect(testTitles(source)).toEqual([]);
    },
  );
});

describe('holding the table against what ran', () => {
  const row = (title: string): Row => ({
    id: 'S1.x.1',
    requirement: 'x',
    where: [],
    proofs: [{ file: 'a.test.ts', title }],
    later: null,
  });
  const ran = (title: string, status = 'passed', ancestors: string[] = []): Result => ({
    file: 'a.test.ts',
    title,
    status,
    ancestors,
  });

  it.each([
    ['passed', row('works'), [ran('works')]],
    ['passed in every run', row('works'), [ran('works'), ran('works')]],
    ['passed with every input', row('takes %s (%i)'), [ran('takes a (1)'), ran('takes b (2)')]],
    [
      'was skipped as its suite says',
      row('works'),
      [ran('works', 'skipped', ['a call (skipped where no Chromium is)'])],
    ],
    ['comes later', { ...row('x'), proofs: [], later: 'live call' }, []],
  ])('is content when a test %s', (_what, one, results) => {
    expect(brokenProofs([one], results)).toEqual([]);
  });

  it.each([
    ['is not named', { ...row('x'), proofs: [] }, [], 'S1.x.1 names no test.'],
    ['did not run', row('works'), [ran('works not')], 'did not run'],
    ['ran elsewhere only', row('works'), [{ ...ran('works'), file: 'b.test.ts' }], 'did not run'],
    ['failed', row('works'), [ran('works', 'failed')], 'failed'],
    ['failed in one of two runs', row('works'), [ran('works'), ran('works', 'failed')], 'failed'],
    ['failed with one input', row('takes %s'), [ran('takes a'), ran('takes b', 'failed')], '"takes b"'],
    ['was skipped', row('works'), [ran('works', 'skipped')], 'skipped without a reason'],
    [
      'failed in a suite that may be skipped',
      row('works'),
      [ran('works', 'failed', ['x (skipped where y)'])],
      'failed',
    ],
  ])('tells when a test %s', (_what, one, results, sentence) => {
    expect(brokenProofs([one], results)).toEqual([expect.stringContaining(sentence)]);
  });

  it('reads the reports of the runner', () => {
    const report = {
      testResults: [
        {
          name: '/home/me/sigma/web/a.test.ts',
          assertionResults: [{ title: 'works', ancestorTitles: ['a'], status: 'passed' }],
        },
      ],
    };
    const result = { file: 'web/a.test.ts', title: 'works', ancestors: ['a'], status: 'passed' };
    expect(readReport(report, '/home/me/sigma')).toEqual([result]);
    expect(readReport(report, '/home/me/sigma/')).toEqual([result]);
  });
});
