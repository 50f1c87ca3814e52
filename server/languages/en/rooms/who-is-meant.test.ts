import { describe, expect, it } from 'vitest';
import type { Meant, SaidInRoom } from '../../contract.ts';
import { leavesItOpen, whoIsMeant } from './who-is-meant.ts';

const among = (text: string, more: Partial<SaidInRoom> = {}) =>
  whoIsMeant({ text, agentName: 'Sigma', otherNames: ['Bob Miller'], agentJustSaid: null, ...more });

describe('who is meant in a room', () => {
  it.each(['What are your opening hours?', 'Hm.', 'I think so.', ''])(
    'is the agent when nobody else is there: "%s"',
    (text) => expect(among(text, { otherNames: [] })).toBe('answer'),
  );

  it.each<[string, Meant]>([
    ['Sigma, when do you open?', 'answer'],
    ['Hey Sigma what does shipping cost', 'answer'],
    ['Okay, sigma. Can you help us?', 'answer'],
    ['Can you help us with that, Sigma?', 'answer'],
    ['What do you think Sigma', 'answer'],
    ['Sigma?', 'answer'],
    ['Thanks Sigma.', 'answer'],
    ['Sigmar, when do you open?', 'answer'],
    ['Cigma, are you there?', 'answer'],
    ['Sigma said the shipping is free.', 'stay-silent'],
    ['Sigma is quite good, I find.', 'stay-silent'],
    ["Let's ask Sigma.", 'stay-silent'],
    ['I have heard a lot about Sigma', 'stay-silent'],
    ["That was Sigma's answer.", 'stay-silent'],
  ])('knows its name from talk about it: "%s"', (text, meant) => expect(among(text)).toBe(meant));

  it.each(['Bob, what do you think?', 'What would you do, Bob?', 'Hey Bob can you see that'])(
    'leaves alone what is said to somebody else by name: "%s"',
    (text) => expect(among(text)).toBe('stay-silent'),
  );

  it.each([
    'When do you open on Saturdays?',
    'What does the shipping cost',
    'I would like to return my order.',
    'Could someone tell me about the warranty?',
    'Well, how long is the warranty?',
  ])('may be the agent in a question to nobody in particular: "%s"', (text) =>
    expect(among(text)).toBe('if-unanswered'),
  );

  it.each([
    'I bought mine last year.',
    'Yeah, exactly.',
    'How are you?',
    'Can you hear me?',
    'What do you think?',
    'We should leave soon.',
    '',
  ])('is not the agent in talk among people: "%s"', (text) => expect(among(text)).toBe('stay-silent'));

  it.each<[string, string, Meant]>([
    ['Which order is it about?', 'The blue one from last week.', 'answer'],
    ['We open at nine.', 'And on Sundays?', 'answer'],
    ['We open at nine.', 'Thanks.', 'answer'],
    ['We open at nine.', 'So we could meet there before lunch and look at the sofas.', 'stay-silent'],
    ['Which order is it about?', 'Bob, do you have the number?', 'stay-silent'],
  ])('goes on with whom the agent was just talking to: "%s" "%s"', (agentJustSaid, text, meant) =>
    expect(among(text, { agentJustSaid })).toBe(meant),
  );
});

describe('a question that others leave open', () => {
  it.each(["I don't know.", 'Hm, good question.', 'No idea', "I'm not sure either.", 'Hmm.'])(
    '"%s"',
    (text) => expect(leavesItOpen(text)).toBe(true),
  );

  it.each(['At nine, I think.', "I don't know why they are always late with everything here.", 'Yes.'])(
    'is answered by "%s"',
    (text) => expect(leavesItOpen(text)).toBe(false),
  );
});
