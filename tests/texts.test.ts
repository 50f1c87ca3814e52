import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import compile from 'icu-minify/compile';
import { describe, expect, it } from 'vitest';
import { looseTexts } from './support/loose-texts.ts';
import { isForTests } from './support/read-imports.ts';
import { root, sourceFiles } from './support/source-files.ts';

const TEXTS = 'web/src/texts/';
const page = sourceFiles('web/src').filter(
  ({ path }) => !isForTests(path.replace(/\.tsx?$/, '')) && !path.startsWith(TEXTS),
);

const indexHtml = readFileSync(join(root, 'web/index.html'), 'utf8');

interface Text {
  key: string;
  text: string;
}

function textsBelow(texts: unknown, key: string): Text[] {
  if (typeof texts === 'string') return [{ key, text: texts }];
  return Object.entries(texts ?? {}).flatMap(([name, below]) =>
    textsBelow(below, key === '' ? name : `${key}.${name}`),
  );
}

/** Of each part of the page, such as "rooms". Filled-in examples are no texts with a key. */
const parts = readdirSync(join(root, TEXTS, 'en'))
  .map((file) => file.replace(/\.ts$/, ''))
  .filter((part) => part !== 'agent-examples');

async function textsOf(part: string): Promise<Text[]> {
  const { [part]: texts }: Record<string, unknown> = await import(join(root, TEXTS, 'en', `${part}.ts`));
  return textsBelow(texts, '');
}

describe('the texts of the page', () => {
  it('stand in web/src/texts and nowhere else', () => {
    expect(page.length).toBeGreaterThan(250);
    expect(page.flatMap(looseTexts)).toEqual([]);
  });

  it('stand in index.html by their names alone', () => {
    const written = indexHtml.replaceAll(/\{\{\w+\}\}|<title>Sigma<\/title>/g, '');
    expect(written).not.toMatch(/>[^<]*\p{L}[^<]*</u);
    expect(written).not.toMatch(/(?:name="description" content|title|alt|aria-label)="[^"]*\p{L}/u);
  });

  it.each(parts)('can be compiled: %s', async (part) => {
    const texts = await textsOf(part);
    expect(texts.length).toBeGreaterThan(0);
    for (const { text } of texts) expect(() => compile(text), text).not.toThrow();
  });

  it.each(parts)('are all shown somewhere: %s', async (part) => {
    const users = page.filter(({ text }) => text.includes(`'#web/texts/${part}'`));
    const source = part === 'html' ? indexHtml : users.map(({ text }) => text).join('\n');
    const keys = new Set([...source.matchAll(/(?:'|\{\{)([\w.]+)(?:'|\}\})/g)].map(([, key]) => key));
    // Such as `engines.${engine}Loading`.
    const patterns = [...source.matchAll(/`([\w.]+\$\{\w+\}\w*)`/g)].map(
      ([, template = '']) => new RegExp(`^${template.replaceAll('.', '\\.').replace(/\$\{\w+\}/, '\\w+')}$`),
    );
    const unused = (await textsOf(part)).filter(
      ({ key }) => !keys.has(key) && !patterns.some((pattern) => pattern.test(key)),
    );
    expect(unused).toEqual([]);
  });
});

describe('the search for texts that stand elsewhere', () => {
  const loose = (text: string) => looseTexts({ path: 'a.tsx', text });

  it.each([
    ['const a = <p>Hello</p>;', ['a.tsx:1: Hello']],
    ['const a = (\n  <p>\n    {count} of them\n  </p>\n);', ['a.tsx:3: of them']],
    ['const a = <b>{is ? `on` : t("off")}</b>;', ['a.tsx:1: on']],
    ['const a = <img alt="a cat" />;', ['a.tsx:1: a cat']],
    ['const a = <Card text="Remove" />;', ['a.tsx:1: Remove']],
    ["toast.error('Not saved.');", ['a.tsx:1: Not saved.']],
    ["const names = { a: 'Agents' } as const;", ['a.tsx:1: Agents']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is read as source.
    ['const a = `${at} of ${length}`;', ['a.tsx:1: … of …']],
    ["const a = 'Back to ' + name;", ['a.tsx:1: Back to']],
    ["const kind = is ? 'open' : 'closed';\nconst a = <p>{kind}</p>;", ['a.tsx:1: open', 'a.tsx:1: closed']],
    ["const kinds = { a: 'open' } as const;\nconst a = <p title={kinds[kind]} />;", ['a.tsx:1: open']],
    ["const kindOf = (a) => a && 'open';\nconst a = <p>{kindOf(1)}</p>;", ['a.tsx:1: open']],
    [
      "function kindOf(a) {\n  if (a) return 'open';\n  return t('closed');\n}\nconst a = <p>{kindOf(1)}</p>;",
      ['a.tsx:2: open'],
    ],
  ])('finds %s', (text, found) => {
    expect(loose(text)).toEqual(found);
  });

  it.each([
    ['const a = <p className="flex gap-2">{t("a.b")} · ×</p>;'],
    ["const is = event.key === 'Escape' || path.startsWith('Page');"],
    ["logProblem('It was not saved.', error);"],
    ["throw new Error('There is no root.');"],
    ["const kind = is ? 'open' : 'closed';\nconst a = <p className={kind}>{t(kind)}</p>;"],
    ["type Kind = 'Agent';"],
    ['const a = <Logo title="Sigma" />;'],
    ["if (error.name === 'NotAllowedError') go('/agents');"],
  ])('lets %s be', (text) => {
    expect(loose(text)).toEqual([]);
  });
});
