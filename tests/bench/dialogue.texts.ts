import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const folder = fileURLToPath(new URL('answers', import.meta.url));

/** Texts of businesses, one after another, and as their branches, so that no passage occurs twice. */
export function businessText(characters: number): string {
  const files = readdirSync(folder).filter((file) => file.endsWith('.md'));
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8'));
  const copies: string[] = [];
  for (let branch = 0, length = 0; length < characters; branch++) {
    const copy = texts.map((text, at) =>
      [`# Branch ${branch}-${at}`, text.replace(/^(#+ .*)$/gm, `$1, branch ${branch}`)].join('\n\n'),
    );
    copies.push(...copy);
    length += copy.join('\n\n').length;
  }
  return copies.join('\n\n').slice(0, characters);
}

const THINGS = ['valve', 'kettle', 'hinge', 'lamp', 'filter', 'pump', 'cable', 'shelf', 'mirror', 'switch'];
const LOOKS = ['blue', 'brass', 'small', 'spare', 'heavy', 'round', 'plain', 'long', 'matt', 'light'];
const TOWNS = ['Leeds', 'Porto', 'Graz', 'Lyon', 'Turku', 'Cork', 'Gent', 'Malmö', 'Basel', 'Brno'];
const pick = (list: readonly string[], n: number) => list[n % list.length] ?? '';
const part = (n: number) =>
  `${pick(LOOKS, n)} ${pick(THINGS, Math.floor(n / 10))} ${pick(TOWNS, n * 7)} ${1_000 + n}`;

/** One table of many rows. */
export function tableText(characters: number): string {
  const head = '# Parts\n\n| Part | Price | Delivery | Store |\n| --- | --- | --- | --- |\n';
  const rows: string[] = [];
  for (let n = 0, length = head.length; length < characters; n++) {
    const row = `| ${part(n)} | £${(n % 97) + 1}.50 | ${(n % 13) + 1} days | ${pick(TOWNS, n)} |\n`;
    rows.push(row);
    length += row.length;
  }
  return (head + rows.join('')).slice(0, characters);
}

/** Sections of one sentence each. */
export const sectionsText = (sections: number): string =>
  Array.from(
    { length: sections },
    (_, n) =>
      `## ${part(n)}\n\nThe ${part(n)} costs £${(n % 97) + 1}.50, is delivered in ${(n % 13) + 1} days and may be sent back within ${(n % 60) + 7} days.`,
  ).join('\n\n');

/** Questions for the demo company. */
export const demoQuestions = (): string[] =>
  z
    .object({ questions: z.array(z.object({ q: z.string() })) })
    .parse(JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8')))
    .questions.map(({ q }) => q);
