import { expect, it } from 'vitest';
import type { AgentProfile } from '#server/dialogue/contract';
import type { MessageRecord } from '#server/features/conversations/service';
import { MAX_MESSAGE_CHARACTERS } from '#shared/conversations';
import { customerTurn } from './customer-turn.ts';

const agent: AgentProfile = {
  id: 'agent',
  revision: '1',
  name: 'Robin',
  companyName: 'Lantern',
  personality: '',
  companyInfo: '',
  prompts: [],
  language: 'en',
};

const message = (changes: Partial<MessageRecord>): MessageRecord => ({
  id: 'message',
  conversationId: 'conversation',
  role: 'user',
  content: '',
  createdAt: new Date(0),
  clientMessageId: null,
  replyTo: null,
  responseId: null,
  interrupted: false,
  sentiment: null,
  sentimentScore: null,
  citations: null,
  outcome: null,
  state: null,
  topic: null,
  saidBy: null,
  authorId: null,
  ...changes,
});

/** Utterances that were called off before a reply was played. */
const calledOff = (texts: readonly string[]): MessageRecord[] =>
  texts.flatMap((content, n) => [
    message({ id: `said ${n}`, content }),
    message({ id: `reply ${n}`, role: 'assistant', replyTo: `said ${n}`, interrupted: true }),
  ]);

it('asks what was called off together with what goes on with it', () => {
  const turn = customerTurn(agent, calledOff(['How long', 'does it take']), 'to Canada?', {
    goesOn: true,
    joint: ' ',
  });
  expect(turn).toEqual({ agent, history: [], text: 'How long does it take to Canada?' });
});

it('asks no more at once than one message may say, and of that the last words', () => {
  const long = Array.from({ length: 20 }, (_, n) => `${n} `.repeat(2_000));
  const { text } = customerTurn(agent, calledOff(long), 'Is it open?', { goesOn: true, joint: ' ' });
  expect(text).toHaveLength(MAX_MESSAGE_CHARACTERS);
  expect(text).toMatch(/19 19 {2}Is it open\?$/);
});
