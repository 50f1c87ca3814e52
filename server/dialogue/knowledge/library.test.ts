import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ReadingEngine } from '#server/engines/reading/contract';
import { createFakeReading } from '#server/engines/reading/fake';
import { openVectorFiles } from '#server/engines/reading/vector-files';
import { EngineError } from '#server/lib/engine-error';
import type { WorkerThread } from '#server/threads/worker-thread';
import type { AgentProfile } from '../contract.ts';
import type { KnowledgeMethods } from './knowledge.worker.ts';
import { type LibraryOptions, openLibrary, startSearcher } from './library.ts';

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

function open(reading: ReadingEngine | null = null, options: LibraryOptions = {}) {
  const library = openLibrary(reading, options);
  opened.push(() => library.close());
  const ask = async (of: AgentProfile, text = 'When are you open?') => {
    const [vector = null] = (await reading?.embed([text], { as: 'question' })) ?? [];
    const [result] = await library.search(of, [{ text, vector }], 3, new AbortController().signal);
    return result?.candidates ?? [];
  };
  /** The words of the best passage. */
  const hear = async (...args: Parameters<typeof ask>) =>
    (await ask(...args))[0]?.passage.statements.map(({ text }) => text).join(' ');
  return { library, ask, hear };
}

const agent = (companyInfo: string, revision = '1', id = 'mia'): AgentProfile => ({
  id,
  revision,
  name: 'Mia',
  companyName: 'Contoso',
  language: 'en',
  personality: 'Brief.',
  companyInfo,
  prompts: [],
});
const openFrom = (hour: string) => `# Opening hours\nWe are open daily from ${hour}.`;

function deferred() {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** The fake reader, which records the texts that an index had it read. */
function listening({ ready = Promise.resolve() }: { ready?: Promise<unknown> } = {}) {
  const fake = createFakeReading();
  const indexed: string[] = [];
  const reading: ReadingEngine = {
    ...fake,
    async embed(texts, options) {
      if (options?.urgency === 'index') {
        await ready;
        indexed.push(...texts);
      }
      return fake.embed(texts, options);
    },
  };
  return { reading, indexed };
}

describe('the library', () => {
  it('answers from the state that was indexed under a revision, whatever is handed in later', async () => {
    const { library, hear } = open();
    await library.prepare(agent(openFrom('9 am')));
    expect(await hear(agent(openFrom('midnight')))).toMatch(/9 am/);
  });

  it('forgets a revision, so that it is indexed anew when it is asked again', async () => {
    const { library, hear } = open(createFakeReading());
    await library.complete(agent(openFrom('9 am')));
    library.forget({ id: 'mia', revision: '1' });
    expect(await hear(agent(openFrom('10 am')))).toMatch(/10 am/);
    expect(await hear(agent(openFrom('11 am')))).toMatch(/10 am/);
  });

  it('forgets what is only being indexed, and nothing of other revisions', async () => {
    const { library, hear } = open();
    const kept = library.prepare(agent(openFrom('8 am'), '2'));
    const dropped = library.prepare(agent(openFrom('9 am')));
    library.forget({ id: 'mia', revision: '1' });
    library.forget({ id: 'nobody', revision: '1' });
    await Promise.all([kept, dropped]);
    expect(await hear(agent(openFrom('10 am')))).toMatch(/10 am/);
    expect(await hear(agent('', '2'))).toMatch(/8 am/);
  });

  it('makes room for what is asked now, and indexes again what had to go', async () => {
    const { library, hear } = open(null, { maxCharacters: 1_000 });
    const first = agent(openFrom('9 am'), 'first');
    const newer = agent(openFrom('8 am'), 'newer');
    await library.prepare(first);
    await library.prepare(newer);
    await library.prepare(agent('The store has a car park.\n'.repeat(36), 'long'));
    // A kept index would give the old answer; the others that fit still do.
    expect(await hear({ ...newer, companyInfo: openFrom('10 am') })).toMatch(/8 am/);
    expect(await hear({ ...first, companyInfo: openFrom('10 am') })).toMatch(/10 am/);
  });

  it('drops large ones for a large one, and keeps the small ones of others', async () => {
    const { library, hear } = open(null, { maxCharacters: 6_400 });
    const small = agent(openFrom('9 am'), 'small');
    const parks = 'The store has a car park.\n'.repeat(120);
    const large = (revision: string) => agent(`${openFrom('8 am')}\n# Parking\n${parks}`, revision);
    await library.prepare(small);
    for (const revision of ['1', '2', '3']) await library.prepare(large(revision));
    expect(await hear({ ...small, companyInfo: openFrom('10 am') })).toMatch(/9 am/);
    expect(await hear({ ...large('2'), companyInfo: openFrom('10 am') })).toMatch(/8 am/);
    expect(await hear({ ...large('1'), companyInfo: openFrom('10 am') })).toMatch(/10 am/);
  });

  it('drops small ones where there are too many', async () => {
    const { library, hear } = open();
    for (let n = 0; n <= 64; n++) await library.prepare(agent(openFrom('9 am'), String(n)));
    expect(await hear(agent(openFrom('10 am'), '1'))).toMatch(/9 am/);
    expect(await hear(agent(openFrom('10 am'), '0'))).toMatch(/10 am/);
  });

  it('says how much of an index is still to be read', async () => {
    const fake = createFakeReading();
    const asked: (readonly [number, number | undefined])[] = [];
    const { library } = open({
      ...fake,
      embed(texts, options) {
        asked.push([texts.length, options?.following]);
        return fake.embed(texts, options);
      },
    });
    await library.complete(
      agent(Array.from({ length: 20 }, (_, n) => `# Shop ${n}\nIt opens at ${n}.`).join('\n')),
    );
    const all = asked.reduce((sum, [texts]) => sum + texts, 0);
    expect(all).toBeGreaterThan(16);
    let read = 0;
    for (const [texts, following] of asked) {
      read += texts;
      expect(following).toBe(all - read);
    }
  });

  it('answers a question whose index goes while it is on its way', async () => {
    const { library, hear } = open();
    const mia = agent(openFrom('9 am'));
    await library.prepare(mia);
    const answer = hear(mia);
    library.forget(mia);
    expect(await answer).toMatch(/9 am/);
  });

  it('answers a question during which its thread dies, and goes on with another', async () => {
    const threads: WorkerThread<KnowledgeMethods>[] = [];
    const { library, ask, hear } = open(createFakeReading(), {
      startThread(onExit) {
        const thread = startSearcher(onExit);
        threads.push(thread);
        return thread;
      },
    });
    const mia = agent(openFrom('9 am'));
    await library.complete(mia);
    const answer = hear(mia);
    await threads[0]?.terminate();
    expect(await answer).toMatch(/9 am/);
    await library.complete(mia);
    expect((await ask(mia))[0]?.likeness).toBeGreaterThan(0);
    expect(threads).toHaveLength(2);
  });

  it('finds by words alone until there are vectors, and by meaning as soon as there are', async () => {
    const { promise: ready, resolve: getReady } = deferred();
    const { reading } = listening({ ready });
    const { library, ask } = open({
      ...reading,
      status: () => ({ state: 'loading', message: 'The reader is being loaded.' }),
    });
    const mia = agent(openFrom('9 am'));
    await library.prepare(mia);
    expect(await ask(mia)).toMatchObject([{ likeness: 0, coverage: 1 }]);
    // It was loading when the agent was prepared; indexing completes without another request.
    getReady();
    await library.complete(mia);
    expect((await ask(mia))[0]?.likeness).toBeGreaterThan(0.3);
  });

  it('goes on by words when vectors cannot be made, says so, and tries again', async () => {
    const { reading, indexed } = listening();
    const warn = vi.fn();
    let isBroken = true;
    const { library, ask } = open(
      {
        ...reading,
        embed: (texts, options) =>
          isBroken && options?.urgency === 'index'
            ? Promise.reject(new EngineError('The reader failed.', { retryable: true }))
            : reading.embed(texts, options),
      },
      { logger: { warn } },
    );
    const mia = agent(openFrom('9 am'));
    await library.complete(mia);
    expect(await ask(mia)).toMatchObject([{ likeness: 0, coverage: 1 }]);
    expect(warn).toHaveBeenCalledWith(
      { err: expect.any(EngineError) },
      'Vectors of an agent could not be made',
    );
    isBroken = false;
    await library.complete(mia);
    expect(indexed).toHaveLength(1);
    expect((await ask(mia))[0]?.likeness).toBeGreaterThan(0.3);
  });

  it('gives up on purpose, without a word, when an agent goes or everything ends', async () => {
    const warn = vi.fn();
    const endless: ReadingEngine = {
      ...createFakeReading(),
      embed: (_, options) =>
        new Promise((_, reject) => {
          options?.signal?.addEventListener('abort', () => reject(options.signal?.reason));
        }),
    };
    const { library } = open(endless, { logger: { warn } });
    const mia = agent(openFrom('9 am'));
    const ben = agent(openFrom('8 am'), '1', 'ben');
    const [forgotten, closed] = [library.complete(mia), library.complete(ben)];
    await Promise.all([library.prepare(mia), library.prepare(ben)]);
    library.forget(mia);
    await forgotten;
    await library.close();
    await closed;
    expect(warn).not.toHaveBeenCalled();
  });
});

describe('vectors that are kept', () => {
  let folder: string;
  let vectorsDir: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sigma-library-'));
    vectorsDir = join(folder, 'vectors');
    opened.push(() => rm(folder, { recursive: true, force: true }));
  });
  const files = () => readdir(vectorsDir).catch(() => []);

  const sections = (...prices: string[]) =>
    prices.map((price, n) => `# Kettle ${n}\n\nKettle ${n} costs ${price}.`).join('\n\n');

  /** One run of the server: the texts read for this agent, and the index's answer. */
  async function run(mia: AgentProfile, question = 'What does kettle 1 cost?') {
    const { reading, indexed } = listening();
    const { library, ask } = open(reading, { kept: openVectorFiles(vectorsDir) });
    await library.complete(mia);
    const [best] = await ask(mia, question);
    await library.close();
    return { indexed, best };
  }

  it('outlive a restart: nothing is read anew, and all is found as before', async () => {
    const mia = agent(sections('£20', '£30', '£40'));
    const first = await run(mia);
    expect(first.indexed).toHaveLength(3);
    expect(await files()).toHaveLength(1);
    const second = await run(mia);
    expect(second.indexed).toEqual([]);
    expect(second.best?.passage).toEqual(first.best?.passage);
    expect(second.best?.likeness).toBeCloseTo(first.best?.likeness ?? 0, 3);
    expect(second.best?.likeness).toBeGreaterThan(0.3);
  });

  it('make an edit read only what changed', async () => {
    await run(agent(sections('£20', '£30', '£40')));
    const edited = await run(agent(sections('£20', '£35', '£40', '£50'), '2'), 'What does kettle 3 cost?');
    expect(edited.indexed.map((text) => text.match(/£\d+/)?.[0])).toEqual(['£35', '£50']);
    expect(edited.best?.passage.statements[0]?.text).toContain('£50');
    // Deleted texts are deleted from the file, too.
    expect((await run(agent(sections('£20', '£30')))).indexed).toHaveLength(1);
  });

  it('are made anew for another engine, and when their file is gone or broken', async () => {
    const mia = agent(sections('£20', '£30'));
    await run(mia);
    const { reading, indexed } = listening();
    const { library } = open({ ...reading, revision: 'fake 2' }, { kept: openVectorFiles(vectorsDir) });
    await library.complete(mia);
    expect(indexed).toHaveLength(2);
    await rm(vectorsDir, { recursive: true });
    expect((await run(mia)).indexed).toHaveLength(2);
  });

  it('go with their agent, and with no other', async () => {
    const { reading } = listening();
    const { library, hear } = open(reading, { kept: openVectorFiles(vectorsDir) });
    const mia = agent(sections('£20'));
    await library.complete(mia);
    await library.complete(agent(sections('£30'), '1', 'ben'));
    expect(await files()).toHaveLength(2);
    await library.forgetAgent('mia');
    await library.forgetAgent('nobody');
    expect(await files()).toHaveLength(1);
    expect(await hear({ ...mia, companyInfo: sections('£21') }, 'What does kettle 0 cost?')).toContain('£21');
  });

  it('are kept of what was read already when an edit comes in between', async () => {
    const { reading, indexed } = listening();
    const { library } = open(reading, { kept: openVectorFiles(vectorsDir) });
    const prices = Array.from({ length: 40 }, (_, n) => `£${n + 100}`);
    const mia = agent(sections(...prices));
    const filling = library.complete(mia);
    await expect.poll(() => indexed.length).toBeGreaterThan(0);
    library.forget(mia);
    await filling;
    await library.complete(agent(sections(...prices, '£5'), '2'));
    expect(new Set(indexed).size).toBe(41);
    expect(indexed).toHaveLength(41);
  });

  it('are made once of a text that stands in several places', async () => {
    const twice = agent('# Parking\n\nThe car park is free.\n\n# Parking\n\nThe car park is free.');
    const { indexed, best } = await run(twice, 'Is the car park free?');
    expect(indexed).toHaveLength(1);
    expect(best?.likeness).toBeGreaterThan(0.3);
  });

  it.each([
    ['made', (isBusy: { reading: Promise<void>; writing: Promise<void> }) => isBusy.reading],
    ['written', (isBusy: { reading: Promise<void>; writing: Promise<void> }) => isBusy.writing],
  ])('do not come back when their agent is deleted while they are being %s', async (_, busy) => {
    const { promise: reading, resolve: startReading } = deferred();
    const { promise: writing, resolve: startWriting } = deferred();
    const files = openVectorFiles(vectorsDir);
    const fake = listening().reading;
    const { library, hear } = open(
      {
        ...fake,
        embed(...args) {
          startReading();
          return fake.embed(...args);
        },
      },
      {
        kept: {
          ...files,
          save(...args) {
            startWriting();
            return files.save(...args);
          },
        },
      },
    );
    const mia = agent(sections('£20'));
    const done = library.complete(mia);
    await busy({ reading, writing });
    library.forget(mia);
    await library.forgetAgent('mia');
    await done;
    // A call that still continues.
    expect(await hear(mia, 'What does kettle 0 cost?')).toContain('£20');
    await library.complete(mia);
    expect(await readdir(vectorsDir).catch(() => [])).toEqual([]);
  });

  it('are none of an agent that is still being written', async () => {
    await run({ ...agent(sections('£20')), isDraft: true });
    expect(await files()).toEqual([]);
    // Stored vectors are neither read for a draft nor replaced by it.
    await run(agent(sections('£20', '£30')));
    expect((await run({ ...agent(sections('£20'), '2'), isDraft: true })).indexed).toHaveLength(1);
    expect((await run(agent(sections('£20', '£30')))).indexed).toEqual([]);
  });

  it('say so when they cannot be removed, and nothing else fails', async () => {
    const warn = vi.fn();
    const { library } = open(listening().reading, {
      kept: { ...openVectorFiles(vectorsDir), forget: () => Promise.reject(new Error('EACCES')) },
      logger: { warn },
    });
    await library.forgetAgent('mia');
    expect(warn).toHaveBeenCalledOnce();
  });
});
