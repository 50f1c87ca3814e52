import { afterAll, expect, test } from 'vitest';
import { ordinary } from '../../../tests/support/ordinary.ts';
import type { AgentProfile, WholeReply } from '../contract.ts';
import { createDialogue } from '../respond.ts';

const house: AgentProfile = {
  id: 'house',
  revision: '1',
  language: 'en',
  name: 'Ada',
  companyName: 'Linden House',
  personality: 'Plain and clear',
  companyInfo: '',
  prompts: [],
};
const dialogue = createDialogue({ reading: null });
afterAll(() => dialogue.close());

test('an ordinary question is looked up whatever words it has, and met with what was found', async () => {
  const asked = ordinary('questions');
  const refused: string[] = [];
  for (const [n, text] of asked.entries()) {
    const answer = `The answer is ${text.replace(/[?.]/g, '')} number ${n}.`;
    const agent = { ...house, id: `q${n}`, companyInfo: `## ${text}\n\n${answer}` };
    const reply = await replyTo(text, agent);
    if (!/^(?:answered|offered|asked-back)$/.test(reply.outcome)) refused.push(`${text} ${reply.text}`);
    dialogue.forget(agent);
  }
  expect(refused).toEqual([]);
});

async function replyTo(text: string, agent: AgentProfile): Promise<WholeReply> {
  for await (const event of dialogue.respond({ agent, history: [], text }, new AbortController().signal))
    if (event.type === 'reply') return event;
  throw new Error('There was no reply.');
}
