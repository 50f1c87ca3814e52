import { expect, it } from 'vitest';
import { createFakeRecognition } from './recognition/fake.ts';
import { replaceableRecognition, replaceableSynthesis } from './replaceable.ts';
import type { SynthesisEngine } from './synthesis/contract.ts';

const noFailure = (error: unknown) => {
  throw error;
};

/** A voice that answers its name in as many phrases as it is asked for. */
function aVoice(name: string): SynthesisEngine & { isClosed: boolean } {
  return {
    name,
    isClosed: false,
    status: () => ({ state: 'ready', message: `${name} is ready.` }),
    async *synthesize({ text }) {
      for (const word of text.split(' ')) {
        if (this.isClosed) throw new Error(`${name} is closed.`);
        yield { text: `${name} ${word}`, samples: new Float32Array(1), sampleRate: 16_000 };
      }
    },
    async close() {
      this.isClosed = true;
    },
  };
}

it('lets what is being said end where it began, and closes that one then', async () => {
  const [one, other] = [aVoice('one'), aVoice('other')];
  const { engine, replace } = replaceableSynthesis(one, noFailure);
  const said: string[] = [];
  for await (const { text } of engine.synthesize({ text: 'good morning', urgency: 'first' })) {
    said.push(text);
    if (said.length === 1) replace(other);
    expect(one.isClosed).toBe(false);
  }
  expect(said).toEqual(['one good', 'one morning']);
  expect(one.isClosed).toBe(true);
  expect([engine.name, engine.status().message]).toEqual(['other', 'other is ready.']);
  for await (const { text } of engine.synthesize({ text: 'hi', urgency: 'first' })) said.push(text);
  expect(said.at(-1)).toBe('other hi');
  await engine.close();
  expect(other.isClosed).toBe(true);
});

it('closes at once one that nobody waits for, also after somebody stopped listening', async () => {
  const [one, other, third] = [aVoice('one'), aVoice('other'), aVoice('third')];
  const { engine, replace } = replaceableSynthesis(one, noFailure);
  for await (const _phrase of engine.synthesize({ text: 'good morning', urgency: 'first' })) break;
  replace(other);
  expect(one.isClosed).toBe(true);
  replace(third);
  expect(other.isClosed).toBe(true);
  expect(engine.name).toBe('third');
});

it('hears with the ears it began with', async () => {
  let answer = (_words: string) => {};
  const words = new Promise<string>((resolve) => {
    answer = resolve;
  });
  const one = createFakeRecognition({ otherwise: () => words });
  const other = createFakeRecognition({ otherwise: 'from the other' });
  const { engine, replace } = replaceableRecognition(one, noFailure);
  const request = { samples: new Float32Array(1), urgency: 'final' as const };
  const early = engine.recognize(request);
  replace(other);
  expect(await engine.recognize(request)).toBe('from the other');
  answer('from the one');
  expect(await early).toBe('from the one');
  await expect(one.recognize(request)).rejects.toThrow('The ears are switched off.');
});

it('closes all of them with the server, and tells of one that could not be closed', async () => {
  const failures: unknown[] = [];
  const broken = { ...aVoice('one'), close: () => Promise.reject(new Error('It hangs.')) };
  const other = aVoice('other');
  const { engine, replace } = replaceableSynthesis(broken, (error) => failures.push(error));
  replace(other);
  await engine.close();
  expect([other.isClosed, failures]).toEqual([true, [new Error('It hangs.')]]);
});
