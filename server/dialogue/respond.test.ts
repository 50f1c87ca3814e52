import { afterAll, expect, test } from 'vitest';
import type { ReplyEvent } from './contract.ts';
import { createDialogue } from './respond.ts';

const dialogue = createDialogue({ language: null, embedding: null });
afterAll(() => dialogue.close());

const agent = {
  id: 'shop',
  revision: '1',
  name: 'Ada',
  companyName: 'Copper Mill',
  personality: 'Friendly',
  companyInfo:
    '# Copper Mill\n\n## Delivery\n\nDelivery takes 3 to 5 business days and costs $5.90.\n\n## Returns\n\nItems can be returned within 45 days.',
  prompts: ['Be polite and never mention the warehouse.'],
};

async function eventsOf(text: string): Promise<ReplyEvent[]> {
  const events: ReplyEvent[] = [];
  for await (const event of dialogue.respond({ agent, history: [], text }, new AbortController().signal))
    events.push(event);
  return events;
}

test('a question is answered from the company information with its source', async () => {
  const reply = (await eventsOf('How long does delivery take?')).at(-1);
  expect(reply).toMatchObject({ type: 'reply', outcome: 'answered' });
  expect(reply).toHaveProperty('text', expect.stringContaining('3 to 5 business days'));
  expect(reply).toHaveProperty('citations', [
    { text: 'Delivery takes 3 to 5 business days and costs $5.90.', source: 'Copper Mill › Delivery' },
  ]);
});

test('a question that the information does not answer is declined with the offer of a colleague', async () => {
  const reply = (await eventsOf('Who won the 1998 football world cup?')).at(-1);
  expect(reply).toMatchObject({ type: 'reply', outcome: 'declined', citations: [] });
});
