import { expect, it } from 'vitest';
import { aScope } from '../../../tests/factories.ts';
import type { SaidMessage } from './repository.ts';
import { Transcripts } from './transcripts.ts';

const messages = (from: number, count: number): SaidMessage[] =>
  Array.from({ length: count }, (_, n) => ({
    id: String(from + n).padStart(8, '0'),
    conversationId: 'c',
    role: 'user',
    content: 'When are you open?',
    createdAt: new Date(0),
    clientMessageId: null,
    replyTo: null,
    responseId: null,
    interrupted: false,
    sentiment: null,
    sentimentScore: null,
    citations: null,
    outcome: null,
    topic: null,
    saidBy: null,
    authorId: null,
  }));

it('reads everything once, in pieces, and lets others in between', async () => {
  const all = messages(0, 1_000);
  let pieces = 0;
  let inOneRound = 0;
  let most = 0;
  const transcripts = new Transcripts({
    async messagesOf(_userId, _ids, limit, after) {
      pieces++;
      most = Math.max(most, ++inOneRound);
      const from = after === null ? 0 : Number(after) + 1;
      return all.slice(from, from + limit);
    },
  });
  const rounds = setInterval(() => {}, 0);
  const round = () => {
    inOneRound = 0;
    if (!isDone) setImmediate(round);
  };
  let isDone = false;
  setImmediate(round);
  const read = await Promise.all(Array.from({ length: 10 }, () => transcripts.of(aScope('u'), ['c'])));
  isDone = true;
  clearInterval(rounds);
  for (const each of read) expect(each).toEqual(all);
  expect(pieces).toBe(50);
  expect(most).toBe(1);
});
