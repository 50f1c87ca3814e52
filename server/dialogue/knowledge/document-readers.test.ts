import { setImmediate as settle } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { AgentProfile } from '../contract.ts';
import { DocumentReaders } from './document-readers.ts';

const agent = (ownerId: string, id: string, characters: number): AgentProfile => ({
  id,
  ownerId,
  revision: '1',
  name: 'Mia',
  companyName: id,
  personality: '',
  companyInfo: id.padEnd(characters),
  prompts: [],
  language: 'en',
});

/** Threads that read documents when the test says so. */
function someReaders() {
  const begun: string[] = [];
  const reading: (() => void)[] = [];
  let threads = 0;
  const readers = new DocumentReaders(() => {
    threads++;
    return {
      read: async ({ information }) => {
        begun.push(information.trim());
        await new Promise<void>((resolve) => reading.push(resolve));
        return new Uint8Array();
      },
      readDocuments: async () => [],
      show: async () => ({ headings: [], texts: [] }),
      readDraft: async () => ({ withoutNumber: [], contradictions: [], usualQuestions: [] }),
      terminate: async () => {},
    };
  });
  const finishOne = async () => {
    reading.shift()?.();
    await settle();
  };
  return { readers, begun, finishOne, threads: () => threads };
}

it('reads a page at once while the twenty books of another business are read', async () => {
  const { readers, begun, finishOne, threads } = someReaders();
  const books = Array.from({ length: 20 }, (_, n) => readers.read(agent('theirs', `book ${n}`, 200_000)));
  await settle();
  expect(begun).toEqual(['book 0']);
  const page = readers.read(agent('mine', 'page', 2_000));
  await settle();
  expect(begun).toEqual(['book 0', 'page']);

  // Another account's book is next, not behind nineteen.
  const novel = readers.read(agent('mine', 'novel', 200_000));
  await finishOne();
  expect(begun.slice(2)).toEqual(['novel']);
  for (let n = 0; n < 21; n++) await finishOne();
  await Promise.all([...books, page, novel]);
  expect(begun).toHaveLength(22);
  expect(threads()).toBe(2);
  await readers.close();
});
