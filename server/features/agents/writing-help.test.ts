import { expect, it } from 'vitest';
import type { AgentProfile } from '#server/dialogue/contract';
import { EngineError } from '#server/lib/engine-error';
import { untilAborted } from '#server/lib/wait';
import type { WritingHint } from '#shared/agents';
import { aScope } from '../../../tests/factories.ts';
import { door } from '../../../tests/support/scripted-engines.ts';
import { WritingHelp } from './writing-help.ts';

const vague: WritingHint = { kind: 'no-number', text: 'quickly', passages: ['It comes quickly.'] };
const signal = new AbortController().signal;
const text = { companyInfo: 'It comes quickly.' };

function help(
  review: (agent: AgentProfile, signal: AbortSignal) => AsyncIterable<WritingHint>,
  change: Partial<ConstructorParameters<typeof WritingHelp>[0]> = {},
) {
  const forgotten: string[] = [];
  const dialogue = { review, forget: ({ revision }: { revision: string }) => void forgotten.push(revision) };
  return { forgotten, help: new WritingHelp({ dialogue, profileFor: async () => null, ...change }) };
}

async function* untilStopped(_agent: AgentProfile, stopped: AbortSignal): AsyncGenerator<WritingHint> {
  yield vague;
  await untilAborted(new Promise(() => {}), stopped);
}

it('reads a text as a draft of nobody’s, with the documents of the saved agent, and forgets it', async () => {
  const read: AgentProfile[] = [];
  const documents = async () => [];
  const saved = { id: 'a', revision: '7', language: 'de', documents } as const;
  const { help: writing, forgotten } = help(
    async function* (agent) {
      read.push(agent);
      yield vague;
    },
    {
      profileFor: async ({ contactId }, agentId) =>
        contactId === 'ada' && agentId === 'a'
          ? { ...saved, name: '', companyName: '', personality: '', companyInfo: 'Old.', prompts: ['Never.'] }
          : null,
    },
  );
  expect(await writing.hints(aScope('ada'), { ...text, agentId: 'a' }, signal)).toEqual([vague]);
  expect(read).toMatchObject([
    { id: 'writing:ada', ...text, isDraft: true, language: 'de', prompts: [], documents },
  ]);
  expect(forgotten).toEqual([read[0]?.revision]);
});

it('answers what was found when its time is over', async () => {
  const { help: writing, forgotten } = help(untilStopped, { limitMs: 1 });
  expect(await writing.hints(aScope('ada'), text, signal)).toEqual([vague]);
  expect(forgotten).toHaveLength(1);
});

it('answers an earlier text with what was found when a newer one of the same user comes, and no other', async () => {
  const begun = door();
  let texts = 0;
  const { help: writing } = help(async function* (agent, stopped) {
    if (++texts === 2) begun.open();
    if (agent.companyInfo === 'Newer.') yield vague;
    else yield* untilStopped(agent, stopped);
  });
  const gone = new AbortController();
  const earlier = writing.hints(aScope('ada'), text, signal);
  const others = writing.hints(aScope('ben'), text, gone.signal);
  await begun.opened;
  const newer = writing.hints(aScope('ada'), { companyInfo: 'Newer.' }, signal);
  expect(await earlier).toEqual([vague]);
  expect(await newer).toEqual([vague]);
  gone.abort(new Error('The client went away.'));
  await expect(others).rejects.toThrow('The client went away.');
});

it('says when nothing can be read', async () => {
  const { help: writing } = help(async function* () {
    yield vague;
    throw new EngineError('The reader stopped.', { retryable: true });
  });
  await expect(writing.hints(aScope('ada'), text, signal)).rejects.toThrow('The reader stopped.');
});
