import { describe, expect, it } from 'vitest';
import { refusalBehind } from '#shared/refusals/refusal';
import { refusals } from '#shared/refusals/refusals';
import { looseRefusals } from './support/loose-refusals.ts';
import { isForTests } from './support/read-imports.ts';
import { sourceFiles } from './support/source-files.ts';

const sources = [...sourceFiles('server'), ...sourceFiles('shared')].filter(
  ({ path }) => !isForTests(path.replace(/\.ts$/, '')) && !path.startsWith('shared/refusals/'),
);
const sentences = Object.entries(refusals).flatMap(([part, named]) =>
  Object.entries(named).map(([name, sentence]) => ({ key: `${part}.${name}`, sentence })),
);

describe('the sentences of refusals', () => {
  it('stand in shared/refusals and nowhere else', () => {
    expect(sources.length).toBeGreaterThan(600);
    expect(sources.flatMap(looseRefusals)).toEqual([]);
  });

  it('have keys in kebab case, and end like a sentence', () => {
    const odd = sentences.filter(
      ({ key, sentence }) => !/^[a-z]+\.[a-z]+(?:-[a-z]+)*$/.test(key) || !/[.}]$/.test(sentence),
    );
    // The specification says this one word for word.
    expect(odd.map(({ key }) => key)).toEqual(['calls.start-failed']);
  });

  it('are each said somewhere', () => {
    const source = sources.map(({ text }) => text).join('\n');
    const said = new Set([...source.matchAll(/'([a-z]+\.[a-z]+(?:-[a-z]+)*)'/g)].map(([, key]) => key));
    for (const [, what] of source.matchAll(/(?:notFound|missing)\('([a-z-]+)'\)/g))
      said.add(`missing.${what}`);
    // What is missing where nobody says what.
    said.add('missing.page');
    // Such as `scans.${what}-malicious`.
    const patterns = [...source.matchAll(/`([a-z]+\.[a-z-]*)\$\{\w+\}([a-z-]*)`/g)].map(
      ([, before, after]) => new RegExp(`^${before}[a-z-]+${after}$`),
    );
    const own = patterns.filter(({ source: pattern }) => !pattern.startsWith('^missing.'));
    expect(own.length).toBeGreaterThan(0);
    expect(sentences.filter(({ key }) => !said.has(key) && !own.some((each) => each.test(key)))).toEqual([]);
  });

  it('are each there once, so that a sentence leads back to its key', () => {
    const filled = sentences
      .filter(({ sentence }) => !/^\{\w+\}$/.test(sentence))
      .map(({ key, sentence }) => ({
        key,
        sentence: sentence.replaceAll(/\{\w+, number\}/g, '7').replaceAll(/\{\w+\}/g, 'A name'),
      }));
    expect(filled.filter(({ key, sentence }) => refusalBehind(sentence)?.key !== key)).toEqual([]);
  });
});

describe('the search for sentences that stand elsewhere', () => {
  const loose = (text: string) => looseRefusals({ path: 'a.ts', text });

  it.each([
    ["throw invalidInput('Write a message first.');", ['a.ts:1: Write a message first.']],
    ["new AppError('conflict', 409, 'Not now.');", ['a.ts:1: Not now.']],
    ["throw forbidden(is ? 'Enter it.' : 'Leave it.');", ['a.ts:1: Enter it.', 'a.ts:1: Leave it.']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is read as source.
    ['throw conflict(`There are ${max} of them.`);', ['a.ts:1: There are … of them.']],
    [
      "import { z } from 'zod';\nconst a = z.string('Send it.').min(1, 'Enter it.');",
      ['a.ts:2: Enter it.', 'a.ts:2: Send it.'],
    ],
    ["context.addIssue({ code: 'custom', message: 'Enter it.' });", ['a.ts:1: Enter it.']],
  ])('finds %s', (text, found) => {
    expect(loose(text)).toEqual(found);
  });

  it.each([
    ["throw invalidInput('conversations.message-missing', 'message');"],
    ["throw new Error('The database is gone.');"],
    ["import { z } from 'zod';\nconst a = z.enum(['Ada', 'Bob']);"],
  ])('lets %s be', (text) => {
    expect(loose(text)).toEqual([]);
  });
});
