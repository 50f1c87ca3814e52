import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importCycles } from './support/import-cycles.ts';
import { brokenImportRules } from './support/import-rules.ts';
import { readImports } from './support/read-imports.ts';
import { root, sourceFiles } from './support/source-files.ts';
import { unusedExports } from './support/unused-exports.ts';

/** What tells how things are; a decision tells how they were on its day. */
const documentsIn = (folder: string) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => posix.join(folder, name));

describe('the house', () => {
  const sources = ['shared', 'server', 'web/src', 'scripts', 'examples', 'tests'].flatMap(sourceFiles);
  const files = sources.map(readImports);
  /** The build uses the texts of `index.html`, and exports nothing that others import. */
  const vite = { path: 'vite.config.ts', text: readFileSync(join(root, 'vite.config.ts'), 'utf8') };
  const build = { ...readImports(vite), exports: [] };

  it('keeps every rule of "Who may import whom"', () => {
    expect(brokenImportRules(files)).toEqual([]);
  });

  it('has no files that import each other in a circle, not even for a type', () => {
    expect(importCycles(files)).toEqual([]);
  });

  it('exports nothing that nobody uses', () => {
    expect(unusedExports([...files, build])).toEqual([]);
  });

  it('has no clock that is collected as garbage before it rings', () => {
    const forgotten = sources.filter(
      ({ path, text }) =>
        path.startsWith('server/') &&
        !path.endsWith('.test.ts') &&
        text.replace(/\/\*[\s\S]*?\*\//g, '').includes('AbortSignal.timeout('),
    );
    expect(forgotten.map(({ path }) => `${path}: timeLimit of server/lib/wait.ts rings for certain`)).toEqual(
      [],
    );
  });

  it('has every file and folder that its documents name', () => {
    const documents = [
      'README.md',
      'ARCHITECTURE.md',
      'CONTRIBUTING.md',
      'SECURITY.md',
      ...documentsIn('docs'),
    ];
    const gone = documents.flatMap((document) =>
      [...readFileSync(join(root, document), 'utf8').matchAll(/`([\w./-]+)`/g)]
        .map(([, name = '']) => name)
        .filter((name) => /^(?:shared|server|web|scripts|examples|tests|docs|weights)\//.test(name))
        .filter((name) => !existsSync(join(root, name)))
        .map((name) => `${document} names ${name}`),
    );
    expect(gone).toEqual([]);
  });

  it('lists every decision, and each has its context, decision and consequences', () => {
    const index = readFileSync(join(root, 'docs/decisions/README.md'), 'utf8');
    const incomplete = documentsIn('docs/decisions')
      .filter((document) => !document.endsWith('/README.md'))
      .flatMap((document) => {
        const text = readFileSync(join(root, document), 'utf8');
        const lacks = ['Context', 'Decision', 'Consequences'].filter(
          (part) => !new RegExp(`^## ${part}\\b`, 'm').test(text),
        );
        const place = index.includes(`(${posix.basename(document)})`) ? [] : ['a line in the index'];
        return [...lacks, ...place].map((part) => `${document} lacks ${part}`);
      });
    expect(incomplete).toEqual([]);
  });

  it('was really read', () => {
    const edges = files.flatMap(({ path, imports }) => imports.map(({ target }) => `${path} → ${target}`));
    expect(edges.length).toBeGreaterThan(400);
    expect(edges).toEqual(
      expect.arrayContaining([
        'server/app/main.ts → server/app/app',
        'server/app/parts/calls.ts → server/features/turns/service',
        'server/features/accounts/repository.ts → drizzle-orm',
        'server/features/accounts/common-passwords.ts → @zxcvbn-ts/language-common',
      ]),
    );
  });

  it('has no file of the server outside of its folders', () => {
    expect(files.map(({ path }) => path).filter((path) => /^server\/[^/]+$/.test(path))).toEqual([]);
  });

  it('has no barrel: a file that only passes on what others export', () => {
    const barrels = sources.filter(({ text }) => {
      const statements = text
        .replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
        .split(';')
        .map((s) => s.trim())
        .filter(Boolean);
      return (
        statements.length > 0 &&
        statements.every((s) => /^export\s+(?:type\s+)?(?:\*|\{[^}]*\})\s*(?:as\s+\w+\s+)?from\b/.test(s))
      );
    });
    expect(barrels.map(({ path }) => path)).toEqual([]);
  });
});

describe('the check of the rules', () => {
  const broken = (path: string, text: string) => brokenImportRules([readImports({ path, text })]);

  it.each([
    ['shared/agents.ts', "import { v7 } from 'uuid'", 'shared imports zod and nothing else.'],
    ['shared/agents.ts', "import { join } from 'node:path'", "Node's modules exist on the server only."],
    ['shared/agents.ts', "import { x } from '#server/lib/errors'", 'web and server meet only in shared.'],
    ['web/src/lib/api.ts', "import { x } from '#server/lib/errors'", 'web and server meet only in shared.'],
    [
      'web/src/lib/api.ts',
      "import { x } from '../../../server/lib/errors.ts'",
      'web and server meet only in shared.',
    ],
    ['server/lib/errors.ts', "import { x } from '#web/lib/api'", 'web and server meet only in shared.'],
    [
      'server/http/server.ts',
      "import { x } from '#server/app/app'",
      'http may import http, engines, database, telemetry, settings, threads, lib, shared, not app.',
    ],
    ['server/database/open.ts', "import { x } from '#server/features/agents/service'", 'not features.'],
    ['server/engines/language/index.ts', "import { x } from '#server/dialogue/contract'", 'not dialogue.'],
    ['server/dialogue/respond.ts', "import { x } from '#server/features/turns/service'", 'not features.'],
    ['server/dialogue/respond.ts', "import { db } from '#server/database/open'", 'not database.'],
    [
      'server/lib/errors.ts',
      "import { x } from '../http/server.ts'",
      'lib may import lib, shared, not http.',
    ],
    [
      'server/features/turns/service.ts',
      "import { x } from '#server/features/agents/repository'",
      'a feature reaches another one only through its service.ts.',
    ],
    [
      'server/features/turns/service.ts',
      "import { x } from '#server/features/floor/floor'",
      'a feature reaches another one only through its service.ts.',
    ],
    [
      'server/features/channels/page/socket.ts',
      "import { x } from '#server/features/channels/room/answers'",
      'a feature reaches another one only through its service.ts.',
    ],
    [
      'server/features/turns/service.ts',
      "import { x } from '../agents/demo-agent.ts'",
      'a feature reaches another one only through its service.ts.',
    ],
    [
      'server/features/turns/service.ts',
      "import { x } from '#server/engines/synthesis/piper'",
      'an engine is seen from outside only through its contract.ts.',
    ],
    [
      'server/engines/participants/index.ts',
      "import { x } from '#server/engines/weights/download'",
      'an engine is seen from outside only through its contract.ts.',
    ],
    [
      'server/features/turns/service.ts',
      "import { x } from '#server/dialogue/respond'",
      'features see the dialogue only through its contract.ts.',
    ],
    [
      'server/dialogue/respond.ts',
      "import { x } from '#server/languages/en/words'",
      'a language is chosen by languages/index.ts; nobody else knows which there are.',
    ],
    [
      'server/languages/de/index.ts',
      "import { x } from '../en/words.ts'",
      'a language is chosen by languages/index.ts; nobody else knows which there are.',
    ],
    [
      'server/languages/en/words.ts',
      "import { x } from '#server/dialogue/contract'",
      'languages may import languages, shared, not dialogue.',
    ],
    [
      'server/features/channels/page/socket.ts',
      "import { x } from '#server/realtime/rates'",
      'features see the real-time channel only through its feature.ts.',
    ],
    [
      'server/features/agents/routes.ts',
      "import { x } from './repository.ts'",
      'routes and sockets ask their service, never a repository.',
    ],
    [
      'server/features/agents/service.ts',
      "import { agents } from '#server/database/schema'",
      'only a repository.ts sees the database.',
    ],
    [
      'server/features/agents/service.ts',
      "import type { Db } from '#server/database/open'",
      'only a repository.ts sees the database.',
    ],
    ['server/features/agents/service.ts', "import { eq } from 'drizzle-orm'", 'used elsewhere only'],
    ['server/features/agents/service.ts', "import { sql } from 'drizzle-orm/pg-core'", 'used elsewhere only'],
    ['server/features/agents/repository.ts', "import pg from 'pg'", 'used elsewhere only'],
    ['server/features/turns/voice.ts', "import sherpa from 'sherpa-onnx-node'", 'used elsewhere only'],
    [
      'server/dialogue/respond.ts',
      "import OpenAI from 'openai'",
      'no rule in tests/support/import-rules.ts says which folder may use this package.',
    ],
    [
      'server/engines/language/openai.ts',
      'const key = process.env.KEY',
      'only server/lib/environment.ts does',
    ],
    ['server/engines/language/openai.ts', 'const { env } = process', 'only server/lib/environment.ts does'],
    [
      'server/engines/language/openai.ts',
      "import { env } from 'node:process'",
      'only server/lib/environment.ts does',
    ],
    [
      'server/engines/language/openai.ts',
      "const key = process['env'].KEY",
      'only server/lib/environment.ts does',
    ],
    [
      'server/app/app.ts',
      "import { createFake } from '#server/engines/language/fake'",
      'the product uses nothing that is made for tests.',
    ],
    [
      'server/app/app.ts',
      "import { aUser } from '../../tests/factories.ts'",
      'the product uses nothing that is made for tests.',
    ],
    [
      'web/src/features/calls/call.tsx',
      "import { x } from '../agents/api'",
      'web features never import each other; pages compose them.',
    ],
    ['web/src/features/calls/call.tsx', "import { Page } from '#web/app/pages/home'", 'not web app.'],
    ['web/src/ui/button.tsx', "import { x } from '#web/features/calls/api'", 'not web features.'],
    ['web/src/lib/api.ts', "import { x } from '#web/ui/button'", 'not web ui.'],
    ['web/src/lib/use-draft.ts', "sessionStorage.setItem('draft', text)", "the browser's storage"],
    ['web/src/ui/field.tsx', 'window.localStorage.text = text', "the browser's storage"],
    ['web/src/ui/field.tsx', 'document.cookie = text', "the browser's storage"],
    [
      'server/new/thing.ts',
      "import { x } from '#server/lib/errors'",
      'this file belongs to no part of the house',
    ],
  ])('finds that %s may not: %s', (path, text, why) => {
    expect(broken(path, text)).toEqual([expect.stringContaining(why)]);
    expect(broken(path, text)[0]).toContain(path);
  });

  it.each([
    "import type { x } from '#server/app/app'",
    "export { x } from '#server/app/app'",
    "export * from '#server/app/app'",
    "const x = await import('#server/app/app')",
    "const x: import('#server/app/app').X = 1",
    "const x = require('../app.ts')",
    "import '../app.ts'",
  ])('finds an import however it is written: %s', (text) => {
    expect(broken('server/http/x.ts', text)).toHaveLength(1);
  });

  it.each([
    [
      'server/http/x.ts',
      "// import { x } from '#server/app/app'\nconst text = \"import x from '#server/app/app'\"",
    ],
    ['server/lib/environment.ts', 'const env = process.env'],
    ['web/src/lib/sealed-storage.ts', 'sessionStorage.getItem(place)'],
    [
      'server/http/idempotency/repository.ts',
      "import { eq } from 'drizzle-orm'; import type { Db } from '#server/database/open'",
    ],
    [
      'server/features/turns/service.ts',
      "import type { A } from '#server/features/agents/service'; import { b } from './turn.ts'",
    ],
    [
      'server/features/agents/service.test.ts',
      "import { eq } from 'drizzle-orm'; import { aUser } from '../../../tests/factories.ts'",
    ],
    [
      'server/engines/participants/index.ts',
      "import type { Weights } from '#server/engines/weights/contract'",
    ],
    [
      'web/src/app/pages/home.tsx',
      "import { x } from '#web/features/calls/api'; import { y } from '#shared/agents'",
    ],
    ['web/src/features/calls/api.ts', "import { useQuery } from '@tanstack/react-query'"],
  ])('lets %s do what it may', (path, text) => {
    expect(broken(path, text)).toEqual([]);
  });
});

/** A made-up house: its files by their paths. */
const house = (files: Record<string, string>) =>
  Object.entries(files).map(([path, text]) => readImports({ path, text }));

describe('the check for circles', () => {
  it('finds one of types, and tells the shortest way round', () => {
    const files = house({
      'server/a.ts': "import { b } from './b.ts'; export const a = b;",
      'server/b.ts': "import type { C } from '#server/c'; export const b: C = 1;",
      'server/c.ts': "import './a.ts'; import './d.ts'; export type C = number;",
      'server/d.ts': "export { e } from './e.ts';",
      'server/e.ts': "export const e = (await import('./c.ts')).C;",
    });
    expect(importCycles(files)).toEqual([
      'server/a → server/b → server/c → server/a',
      'server/d → server/e → server/c → server/d',
    ]);
  });

  it('finds a file that imports itself', () => {
    expect(importCycles(house({ 'server/a.ts': "import { a } from './a.ts'; export { a };" }))).toEqual([
      'server/a → server/a',
    ]);
  });

  it('lets two files import a third', () => {
    const files = house({
      'server/a.ts': "import './b.ts'; import './c.ts';",
      'server/b.ts': "import './c.ts';",
      'server/c.ts': "import 'node:path'; import './not-here.ts';",
    });
    expect(importCycles(files)).toEqual([]);
  });
});

describe('the check for exports that nobody uses', () => {
  it.each([
    'export const x = 1;',
    'export const { y: x } = z;',
    'export const [x = 1] = z;',
    'export function x() { return x; }',
    'export class x {}',
    'export interface x {}',
    'export type x = 1; type y = x;',
    'const y = 1; export { y as x };',
    "export { y as x } from 'zod';",
  ])('finds that no other file uses x: %s', (text) => {
    expect(unusedExports(house({ 'server/a.ts': text }))).toEqual([
      'server/a.ts exports x: no other file uses it.',
    ]);
  });

  it('finds a default export', () => {
    expect(unusedExports(house({ 'web/src/a.tsx': 'export default function Page() {}' }))).toEqual([
      'web/src/a.tsx exports default: no other file uses it.',
    ]);
  });

  it('finds what a test keeps alive by itself', () => {
    const files = house({
      'server/a.ts': 'export const dead = 1; export const alive = 2; const b = alive;',
      'server/a.test.ts': "import { alive, dead } from './a.ts';",
    });
    expect(unusedExports(files)).toEqual(['server/a.ts exports dead: only tests use it.']);
  });

  it.each([
    "import { x } from '#server/a';",
    "import type { x } from '../server/a.ts';",
    "import { x as y } from '#server/a';",
    "export { x as y } from '#server/a'; import { y } from './b.ts';",
    "import * as a from '#server/a';",
    "export * from '#server/a';",
    "const { x } = await import('#server/a');",
    "let y: import('#server/a').x;",
    "let y: import('#server/a').x.z;",
  ])('lets x be used: %s', (text) => {
    const files = house({ 'server/a.ts': 'export const x = 1;', 'scripts/b.ts': text });
    expect(unusedExports(files)).toEqual([]);
  });

  it('lets tests share what is made for them', () => {
    const files = house({
      'server/fake.ts': 'export const fake = 1;',
      'server/a.test.ts': "import { fake } from './fake.ts';",
    });
    expect(unusedExports(files)).toEqual([]);
  });
});
