import { afterEach, expect, it, vi } from 'vitest';
import type { AgentProfile, AnswerPair } from '#server/dialogue/contract';
import type { ReadingEngine } from '#server/engines/reading/contract';
import { createFakeReading } from '#server/engines/reading/fake';
import { createDialogue, type GroundedDialogue } from './respond.ts';

const hours = '# Opening hours\n\nOur store is open from 9 am to 6 pm.';
const parking = '# Parking\n\nParking behind the store costs 2 dollars.';
/** More passages than are read for one question. */
const rest = ['vans', 'trucks', 'scooters', 'tandems', 'trailers', 'coaches']
  .map((what) => `# Parking for ${what}\n\nParking for ${what} costs a dollar more.`)
  .join('\n\n');
const now: AgentProfile = {
  id: 'mia',
  revision: '1',
  name: 'Mia',
  companyName: 'Contoso',
  personality: 'Brief.',
  companyInfo: [parking, rest, hours].join('\n\n'),
  prompts: [],
  language: 'en',
};
const draftOf = (change: Partial<AgentProfile>): AgentProfile => ({
  ...now,
  id: 'draft',
  isDraft: true,
  basedOn: now,
  ...change,
});
const later = draftOf({ companyInfo: now.companyInfo.replace('9 am', '10 am') });

let dialogue: GroundedDialogue;
afterEach(() => dialogue.close());

function over(changes: Partial<ReadingEngine> = {}) {
  const reading = { ...createFakeReading(), ...changes };
  const embed = vi.spyOn(reading, 'embed');
  const relevance = vi.spyOn(reading, 'relevance');
  dialogue = createDialogue({ reading });
  return { reading, embed, relevance };
}

const signal = () => new AbortController().signal;
// Words that a fast path is not sure of.
const open = { text: 'When is your store open on Whitsun?', history: [] };
const park = { text: 'And for leaving a car with you, what would parking cost somebody?', history: [] };

async function compare(after: AgentProfile, ...questions: (typeof open)[]): Promise<(AnswerPair | null)[]> {
  const pairs: (AnswerPair | null)[] = [];
  for await (const pair of dialogue.compare(now, after, questions, signal())) pairs.push(pair);
  return pairs;
}

it('gives both answers where they differ, and reads nothing for questions that the change leaves alone', async () => {
  const { relevance } = over();
  const [first, second] = await compare(later, open, park);
  expect([first?.before.text, first?.after.text]).toEqual([
    expect.stringContaining('9 am'),
    expect.stringContaining('10 am'),
  ]);
  expect(second).toBeNull();
  expect(new Set(relevance.mock.calls.map(([question]) => question))).toEqual(new Set([open.text]));
});

it('looks for what was asked before, too, where the answer may lean on it and a glance alone would not', async () => {
  const store = ['Sundays', 'Mondays', 'Tuesdays', 'Fridays', 'holidays', 'Saturdays']
    .map((day) => `# Store on ${day}\n\nOur store is open on ${day} from 10 am to 4 pm.`)
    .join('\n\n');
  const bicycles = '# Bicycles\n\nBicycles may be taken by train.';
  const both = { ...now, companyInfo: `${store}\n\n${bicycles}` };
  const changed = draftOf({ basedOn: both, companyInfo: both.companyInfo.replace('by train', 'by ferry') });
  const leaning = {
    text: 'And is it open on Sundays, the store?',
    history: [{ role: 'user', content: 'May bicycles be taken by train?' }] as const,
  };
  const { relevance } = over({ relevance: async (_question, texts) => texts.map(() => -8) });
  for await (const _ of dialogue.compare(both, changed, [leaning], signal())) {
  }
  expect(relevance).toHaveBeenCalled();
});

it('stands behind every turn of a call', async () => {
  const { embed, relevance } = over();
  await compare(later, open);
  for (const [, options] of embed.mock.calls) expect(options).toMatchObject({ urgency: 'index' });
  for (const [, , options] of relevance.mock.calls) expect(options).toMatchObject({ urgency: 'index' });
});

it('makes vectors for what is new alone', async () => {
  const { embed } = over();
  await dialogue.complete(now);
  embed.mockClear();
  await compare(later, park);
  const passages = embed.mock.calls.filter(([, options]) => options?.as !== 'question');
  expect(passages.flatMap(([texts]) => texts)).toEqual([expect.stringContaining('10 am')]);
});

it('answers every question where the agent would speak in another way', async () => {
  const { relevance } = over();
  await compare(draftOf({}), park);
  expect(relevance).not.toHaveBeenCalled();
  await compare(draftOf({ revision: '2', prompts: ['Always be formal and polite.'] }), park);
  expect(relevance).toHaveBeenCalled();
});

it('sees what the agent is told to say word for word', async () => {
  over();
  const plain = { ...park, text: 'What does parking behind the store cost?' };
  const told = draftOf({ prompts: ['When asked about parking, say "Please park at the church."'] });
  const [first, second] = await compare(told, plain, open);
  expect(first?.before.text).toContain('2 dollars');
  expect(first?.after.text).toBe('Please park at the church.');
  expect(second).toBeNull();
});

it('fails rather than take what could not be read for a change', async () => {
  over({ relevance: () => Promise.reject(new Error('The reader stopped.')) });
  await expect(compare(later, open)).rejects.toThrow('The reader failed. Please try again in a moment.');
});

it('stops when nobody waits any more', async () => {
  const gone = new AbortController();
  over({
    relevance: async () => {
      gone.abort(new Error('gone'));
      return [];
    },
  });
  const comparing = dialogue.compare(now, later, [open], gone.signal)[Symbol.asyncIterator]();
  await expect(comparing.next()).rejects.toThrow('gone');
});
