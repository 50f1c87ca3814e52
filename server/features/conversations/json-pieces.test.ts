import { expect, it } from 'vitest';
import type { ListedConversation } from '#shared/conversations';
import { conversationJson, conversationsJson } from './json-pieces.ts';

const at = '2026-11-22T12:00:00.000Z';
const aConversation = (messages: number): ListedConversation => ({
  _id: '018f0000-0000-7000-8000-000000000000',
  title: 'Delivery "to" Norway',
  agentName: 'Mia',
  metadata: { sentiment: 'neutral', duration: 1, created: at, updated: at },
  messages: Array.from({ length: messages }, (_, n) => ({
    _id: `message ${n}`,
    role: 'user',
    author: { kind: 'contact' },
    content: 'x'.repeat(8_000),
    timestamp: at,
  })),
});

/** The written text, and the work that others did meanwhile. */
async function written(pieces: AsyncIterable<string>) {
  let rounds = 0;
  let goesOn = true;
  const count = () => {
    rounds++;
    if (goesOn) setImmediate(count);
  };
  setImmediate(count);
  const all: string[] = [];
  for await (const piece of pieces) all.push(piece);
  goesOn = false;
  return { text: all.join(''), longest: Math.max(...all.map(({ length }) => length)), rounds };
}

it.each([0, 1, 50, 51, 1_000])('writes a conversation of %d messages a few at a time', async (messages) => {
  const conversation = aConversation(messages);
  const { text, longest, rounds } = await written(conversationJson(conversation));
  expect(JSON.parse(text)).toEqual(conversation);
  expect(longest).toBeLessThan(500_000);
  expect(rounds).toBeGreaterThanOrEqual(Math.ceil(messages / 50) - 1);
});

it('writes a list one conversation after the other', async () => {
  const { messages: _, ...summary } = aConversation(0);
  for (const list of [[], [summary], [aConversation(3), summary, aConversation(60)]])
    expect(JSON.parse((await written(conversationsJson(list))).text)).toEqual(list);
  const { rounds } = await written(conversationsJson(Array.from({ length: 20 }, () => aConversation(50))));
  expect(rounds).toBeGreaterThanOrEqual(19);
});
