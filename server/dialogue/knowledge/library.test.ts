import { afterEach, expect, it } from 'vitest';
import { createFakeEmbedding } from '#server/engines/embedding/fake';
import { type Library, openLibrary } from './library.ts';

let library: Library;
afterEach(() => library.close());

const agent = (companyInfo: string, revision = '1') => ({
  id: 'mia',
  revision,
  name: 'Mia',
  companyName: 'Contoso',
  personality: 'Brief.',
  companyInfo,
  prompts: [],
});
const question = { text: 'When are you open?', background: '', earlier: [], lastReply: '' };
const ask = async (of: ReturnType<typeof agent>) =>
  (await library.ask(of, [question], new AbortController().signal))[0]?.sentences.join(' ');

it('answers from the state that was indexed under a revision, whatever is handed in later', async () => {
  library = openLibrary(null);
  await library.prepare(agent('# Opening hours\nWe are open daily from 9 am.'));
  expect(await ask(agent('# Opening hours\nWe are open at night.'))).toMatch(/9 am/);
});

it('forgets a revision, so that it is indexed anew when it is asked again', async () => {
  library = openLibrary(createFakeEmbedding());
  await library.complete(agent('# Opening hours\nWe are open daily from 9 am.'));
  library.forget({ id: 'mia', revision: '1' });
  expect(await ask(agent('# Opening hours\nWe are open daily from 10 am.'))).toMatch(/10 am/);
  expect(await ask(agent('# Opening hours\nWe are open daily from 11 am.'))).toMatch(/10 am/);
});

it('forgets what is only being indexed, and nothing of other revisions', async () => {
  library = openLibrary(null);
  const kept = library.prepare(agent('# Opening hours\nWe are open daily from 8 am.', '2'));
  const dropped = library.prepare(agent('# Opening hours\nWe are open daily from 9 am.'));
  library.forget({ id: 'mia', revision: '1' });
  library.forget({ id: 'nobody', revision: '1' });
  await Promise.all([kept, dropped]);
  expect(await ask(agent('# Opening hours\nWe are open daily from 10 am.'))).toMatch(/10 am/);
  expect(await ask(agent('', '2'))).toMatch(/8 am/);
});

it('makes room for what is asked now, and indexes again what had to go', async () => {
  library = openLibrary(null, undefined, 1_000);
  const first = agent('# Opening hours\nWe are open daily from 9 am.', 'first');
  const newer = agent('# Opening hours\nWe are open daily from 8 am.', 'newer');
  await library.prepare(first);
  await library.prepare(newer);
  await library.prepare(agent('The store has a car park.\n'.repeat(36), 'long'));
  // Had it stayed, it would answer as before; what still has room does.
  const changed = '# Opening hours\nWe are open daily from 10 am.';
  expect(await ask({ ...newer, companyInfo: changed })).toMatch(/8 am/);
  expect(await ask({ ...first, companyInfo: changed })).toMatch(/10 am/);
});

it('answers a question whose index goes while it is on its way', async () => {
  library = openLibrary(null);
  const mia = agent('# Opening hours\nWe are open daily from 9 am.');
  await library.prepare(mia);
  const answer = ask(mia);
  library.forget(mia);
  expect(await answer).toMatch(/9 am/);
});
