import { expect, it, vi } from 'vitest';
import type { ReadingEngine } from '#server/engines/reading/contract';
import { createFakeReading } from '#server/engines/reading/fake';
import { EngineError } from '#server/lib/engine-error';
import { during, Timeline } from '#server/telemetry/timeline';
import { PATIENT } from '../../../tests/support/engine-ready.ts';
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

const sure = 'Is our store open from 9 am to 6 pm?';
const unsure = 'Is there anywhere to put a car?';

/** The steps recorded in a turn with this reading. */
async function stepsWith(reading: ReadingEngine, text = unsure, companyInfo = agent.companyInfo) {
  const dialogue = createDialogue({ ...PATIENT, reading });
  const timeline = new Timeline();
  try {
    await during(timeline, async () => {
      const asked = { ...agent, companyInfo };
      await dialogue.complete(asked);
      const request = { agent: asked, history: [], text };
      for await (const _ of dialogue.respond(request, new AbortController().signal)) {
      }
    });
  } finally {
    await dialogue.close();
  }
  return timeline.steps.map(({ name }) => name);
}

it('looks closely only where a glance is not sure', async () => {
  const relevance = vi.fn(createFakeReading().relevance);
  await stepsWith({ ...createFakeReading(), relevance }, sure);
  expect(relevance).not.toHaveBeenCalled();
  await stepsWith({ ...createFakeReading(), relevance }, unsure);
  expect(relevance).toHaveBeenCalled();
});

it('looks closely at what has no vector yet, however sure its words are', async () => {
  const fake = createFakeReading();
  const relevance = vi.fn(fake.relevance);
  // Vectors come in batches, and the one with the opening hours never comes.
  const embed: ReadingEngine['embed'] = async (texts, options) => {
    if (texts.some((text) => text.includes('9 am')))
      throw new EngineError('The reader is busy.', { retryable: true });
    return fake.embed(texts, options);
  };
  const others = Array.from({ length: 20 }, (_, n) => `# Shelf ${n}\n\nThere are lamps on shelf ${n}.`);
  await stepsWith({ ...fake, embed, relevance }, sure, [...others, agent.companyInfo].join('\n\n'));
  expect(relevance).toHaveBeenCalled();
});

it('notes in its turn that there was no time for a closer look', async () => {
  const relevance = () =>
    Promise.reject(new EngineError('Others are waiting for what is read.', { retryable: true }));
  expect(await stepsWith({ ...createFakeReading(), relevance })).toContain('glance');
  expect(await stepsWith(createFakeReading())).not.toContain('glance');
});
