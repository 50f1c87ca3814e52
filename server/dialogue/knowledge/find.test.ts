import { expect, it } from 'vitest';
import { EngineError } from '#server/engines/engine-error';
import type { ReadingEngine } from '#server/engines/reading/contract';
import { createFakeReading } from '#server/engines/reading/fake';
import { during, Timeline } from '#server/timeline';
import { createDialogue } from '../respond.ts';

const agent = {
  id: 'mia',
  revision: '1',
  name: 'Mia',
  companyName: 'Contoso',
  personality: 'Brief.',
  companyInfo: '# Opening hours\n\nOur store is open from 9 am to 6 pm.\n\n# Parking\n\nParking is free.',
  prompts: [],
  language: 'en',
};

/** What a turn notes that is answered with this reading. */
async function stepsWith(reading: ReadingEngine) {
  const dialogue = createDialogue({ reading });
  const timeline = new Timeline();
  try {
    await during(timeline, async () => {
      const request = { agent, history: [], text: 'When is your store open?' };
      for await (const _ of dialogue.respond(request, new AbortController().signal)) {
      }
    });
  } finally {
    await dialogue.close();
  }
  return timeline.steps.map(({ name }) => name);
}

it('notes in its turn that likeness alone answered', async () => {
  const relevance = () =>
    Promise.reject(new EngineError('Others are waiting for what is read.', { retryable: true }));
  expect(await stepsWith({ ...createFakeReading(), relevance })).toContain('glance');
  expect(await stepsWith(createFakeReading())).not.toContain('glance');
});
