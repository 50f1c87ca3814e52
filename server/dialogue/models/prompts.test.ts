import { describe, expect, it } from 'vitest';
import { packOf } from '#server/languages/index';
import type { AgentProfile } from '../contract.ts';
import { disclosureCheck } from './guardrails.ts';
import { makeInstructions, toChatMessage } from './prompts.ts';

const said = 'Our prices are the same for everybody, in each of our shops.';
const agent: AgentProfile = {
  id: 'shop',
  revision: '1',
  name: 'Mia',
  companyName: 'Contoso',
  language: 'en',
  personality: 'Friendly',
  companyInfo: 'We are open daily.',
  prompts: [`When asked for a discount, say "${said}"`],
  sayings: {
    greeting: 'Hello!',
    goodbye: 'Ride safely!',
    answers: [{ about: 'a discount\nis it cheaper?', say: said }],
    neverSay: ['cheap', 'problem'],
    handOverWhen: ['an accident'],
  },
};

describe('the instructions of a language model', () => {
  it('hold what the business decided in its fields, behind its notes', () => {
    const [notes = '', decided = ''] = makeInstructions(agent).split('What the business decided');
    expect(notes).toContain('When asked for a discount');
    expect(decided.split('\n').slice(1)).toEqual([
      '- Never say: "cheap", "problem".',
      '- Offer a colleague, and answer nothing else, when it is about: an accident',
      `- Asked about a discount / is it cheaper?, say word for word, and to nothing else: "${said}"`,
      '- To a customer who says goodbye, say word for word: "Ride safely!"',
    ]);
  });

  it('are as before where nothing was decided', () => {
    expect(makeInstructions({ ...agent, sayings: {} })).not.toContain('decided');
  });

  it('give nothing away by an answer that is to be said word for word', () => {
    const { words } = packOf(agent.language);
    expect(disclosureCheck(agent, agent.prompts.join(), words)(said)).toBe(false);
    expect(disclosureCheck({ ...agent, sayings: {} }, agent.prompts.join(), words)(said)).toBe(true);
  });
});

it('tells a model which of its replies a colleague gave', () => {
  const content = 'It is on its way.';
  expect(toChatMessage({ role: 'assistant', content })).toEqual({ role: 'assistant', content });
  expect(toChatMessage({ role: 'assistant', content, colleague: 'Dana' })).toEqual({
    role: 'assistant',
    content: '[Dana, a human colleague, said:] It is on its way.',
  });
});
