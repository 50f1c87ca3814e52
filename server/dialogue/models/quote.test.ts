import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createFakeLanguage } from '#server/engines/language/fake';
import { createReading } from '#server/engines/reading/index';
import { engineReady } from '../../../tests/support/engine-ready.ts';
import type { WholeReply } from '../contract.ts';
import { createDialogue } from '../respond.ts';

const rejectedBy = (signal: AbortSignal | undefined, never: Promise<never>) =>
  Promise.race([
    never,
    new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
  ]);

describe('a sentence of a model that may not be said', () => {
  const reading = createReading({});
  const agent = {
    id: 'boats',
    revision: '1',
    name: 'Ada',
    companyName: 'Copper Mill Boats',
    language: 'en',
    personality: 'Plain',
    companyInfo: `# Hire
A rowing boat for four costs 14 euros an hour.
Dogs may come along on rowing boats, not on sailing boats.
# Weather
In a storm warning all boats come back. After that what you paid beyond it is refunded, except for sailing boats.
# Payment
We take cards alone, no cash.`,
    prompts: ['Never mention cash.'],
  };
  let says = '';
  const model = createFakeLanguage(() => says);
  /** Delays the check of the model's own sentence. */
  let hang: Promise<never> | null = null;
  const dialogue = createDialogue({
    models: () => [model],
    reading: {
      ...reading,
      relevance: (question, texts, options) =>
        hang && says.includes(question)
          ? rejectedBy(options?.signal, hang)
          : reading.relevance(question, texts, options),
    },
  });
  beforeAll(async () => {
    await engineReady(reading);
    await dialogue.complete(agent);
  });
  afterAll(async () => {
    await dialogue.close();
    await reading.close();
  });

  async function replyTo(text: string, words: string): Promise<WholeReply> {
    says = words;
    for await (const event of dialogue.respond({ agent, history: [], text }, new AbortController().signal))
      if (event.type === 'reply') return event;
    throw new Error('There was no reply.');
  }

  it('gives way to what the business says of the same, where it would have stood', async () => {
    const reply = await replyTo(
      'Can I take my dog in a rowing boat?',
      'Thanks for asking. Yes, dogs are always free on every boat. Is there anything else?',
    );
    expect(reply.text).toBe(
      'Thanks for asking. Dogs may come along on rowing boats, not on sailing boats. Is there anything else?',
    );
    expect(reply.outcome).toBe('answered');
    expect(reply.citations).toMatchObject([{ text: expect.stringContaining('Dogs may come along') }]);
  });

  it('is one that leaves out a condition; in other words the same is said', async () => {
    const question = 'What happens in a storm warning?';
    const { text } = await replyTo(question, 'If a storm warning comes, every hire is refunded in full.');
    expect(text).toContain('except for sailing boats');
    const paraphrase = 'Once there is a storm warning, every boat has to come back.';
    expect((await replyTo(question, paraphrase)).text).toContain(paraphrase);
  });

  it('is looked at as soon as it may be whole', async () => {
    const looks: string[] = [];
    const looking = createDialogue({
      models: () => [
        createFakeLanguage(async function* () {
          yield { type: 'text', text: 'A rowing boat for four costs 14 euros an hour.' };
          await vi.waitFor(() => expect(looks).toEqual(['A rowing boat for four costs 14 euros an hour.']));
          yield { type: 'text', text: ' Anything else?' };
          yield { type: 'end', reason: 'done', usage: { input: 1, output: 1 } };
        }),
      ],
      reading: {
        ...reading,
        entailment(sentence, evidence, options) {
          looks.push(sentence);
          return reading.entailment(sentence, evidence, options);
        },
      },
    });
    await looking.complete(agent);
    const turn = { agent, history: [], text: 'What does a rowing boat cost?' };
    const sentences: string[] = [];
    for await (const event of looking.respond(turn, new AbortController().signal))
      if (event.type === 'sentence') sentences.push(event.text);
    expect(sentences).toEqual(['A rowing boat for four costs 14 euros an hour.', 'Anything else?']);
    expect(looks).toHaveLength(1);
    await looking.close();
  });

  it('is not quoted twice', async () => {
    const { text, citations } = await replyTo(
      'Can I take my dog in a rowing boat?',
      'Dogs always travel free on any boat. Every dog is guaranteed a place on all boats.',
    );
    expect(text.match(/not on sailing boats/g)).toHaveLength(1);
    expect(text).not.toMatch(/free|guaranteed/);
    expect(citations).toHaveLength(1);
  });

  it('is left out, and a colleague offered, where the business says nothing of what was asked', async () => {
    const reply = await replyTo(
      'Do you repair bicycles?',
      'We repair every bicycle for free in an hour, guaranteed.',
    );
    expect(reply.text).toContain('colleague');
    expect(reply.outcome).toBe('declined');
  });

  it('ends a reply that grows too long as any other sentence does', async () => {
    const words = ['lovely', 'splendid', 'great', 'gladly', 'fine', 'super', 'nice', 'cool', 'good', 'well'];
    const before = words.map((word) => `Sure, ${word}.`).join(' ');
    const after = words.map((word) => `Oh, ${word}.`).join(' ');
    const { text } = await replyTo(
      'What about a storm warning, and what do I pay back?',
      `${before} In a storm every boat is always free and the money is guaranteed back in full. ${after}`,
    );
    expect(text).toContain('Sure, well.');
    expect(text).not.toContain('Oh, splendid.');
  });

  it('is left out where looking for a quotation takes too long', async () => {
    hang = new Promise(() => {});
    const sentence = 'Yes, dogs are always free on every boat.';
    const { text } = await replyTo('Can I take my dog in a rowing boat?', `Thanks for asking. ${sentence}`);
    hang = null;
    expect(text).toMatch(/^Thanks for asking\. /);
    expect(text).not.toContain('free');
  });

  it('is not quoted where the business never wants it said', async () => {
    const { text } = await replyTo('How can I pay?', 'You can always pay in cash.');
    expect(text).not.toMatch(/cash/i);
  });
});
