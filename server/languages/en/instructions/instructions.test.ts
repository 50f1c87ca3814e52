import { describe, expect, it } from 'vitest';
import { readInstructions } from './instructions.ts';

const read = (...prompts: string[]) => readInstructions(prompts);

describe('what a business told its agent', () => {
  it.each([
    ['Greet customers with "Good morning, Harbour Dental."', 'Good morning, Harbour Dental.'],
    [
      'Always start the call by saying: “Welcome to Nord! How can I help?”',
      'Welcome to Nord! How can I help?',
    ],
    ["Begin every conversation with 'Hi there, this is Mia.'", 'Hi there, this is Mia.'],
    ['Please answer the phone with "Oak & Ash, hello."', 'Oak & Ash, hello.'],
  ])('greets as told: %s', (prompt, greeting) => {
    expect(read('Be kind.', prompt)).toMatchObject({ greeting, goodbye: null, says: [] });
  });

  it.each([
    ['End each call with "Thank you, and drive safely."', 'Thank you, and drive safely.'],
    ['Say goodbye with "See you soon at the lake!"', 'See you soon at the lake!'],
  ])('parts as told: %s', (prompt, goodbye) => {
    expect(read(prompt)).toMatchObject({ greeting: null, goodbye });
  });

  it.each([
    [
      'When asked about opening hours, say "We are open. From nine."',
      'opening hours',
      'We are open. From nine.',
    ],
    [
      'If a customer asks for a discount, reply: "Our prices are fixed."',
      'a discount',
      'Our prices are fixed.',
    ],
    [
      'Say "The strike ends on Monday." when customers ask about late trains.',
      'late trains',
      'The strike ends on Monday.',
    ],
    [
      '- If the caller mentions the recall, always tell them "Stop using the heater."',
      'the recall',
      'Stop using the heater.',
    ],
    [
      'When customers ask about parking, tell them that there is a free car park behind the shop.',
      'parking',
      'There is a free car park behind the shop.',
    ],
    ["If asked for a discount, say that we don't give any.", 'a discount', "We don't give any."],
  ])('says word for word: %s', (prompt, when, text) => {
    expect(read(prompt).says).toEqual([{ when, text }]);
  });

  it.each([
    [
      'If the customer wants to cancel their contract, transfer them to a colleague.',
      ['cancel their contract'],
    ],
    ['Hand over to a human when the caller mentions a lawyer or the press.', ['a lawyer', 'the press']],
    ['Escalate to a manager if a guest complains about bed bugs.', ['bed bugs']],
    ['Transfer all questions about mortgages to a specialist.', ['questions about mortgages']],
    ['When somebody is injured, please hand over immediately.', ['is injured']],
  ])('hands over: %s', (prompt, handsOver) => {
    expect(read(prompt).handsOver).toEqual(handsOver);
  });

  it.each([
    ['Never mention our competitors.', ['competitors']],
    ['Do not say "cheap" or "problem".', ['cheap', 'problem']],
    ["Don't talk about politics or religion.", ['politics', 'religion']],
    ['Avoid the word "unfortunately".', ['unfortunately']],
    ['Avoid using the words "unfortunately" and "sadly".', ['unfortunately', 'sadly']],
  ])('never says: %s', (prompt, neverSays) => {
    expect(read(prompt).neverSays).toEqual(neverSays);
  });

  it.each([
    'Never promise a refund, a discount or a date that is not in the company information.',
    'Never mention prices unless you are asked.',
    'Offer that a colleague gets back to the customer when something is not covered.',
    'Transfer to a colleague if you are not sure.',
    'Answer in one to three short sentences.',
    'If a customer is late, tell them that they have to pay the full fee.',
    'When you are not sure, say that you will ask a colleague.',
    'The Leeds store is called "The Mill" and closes on Sundays.',
    'Use the name "Brightwater" and not "Brightwater Home GmbH".',
  ])('takes no more from a prompt than it says: %s', (prompt) => {
    expect(read(prompt)).toEqual({ greeting: null, goodbye: null, says: [], handsOver: [], neverSays: [] });
  });
});

describe('prompts that nobody meant well', () => {
  it.each([
    'if when '.repeat(500),
    'never say '.repeat(400),
    'hand over '.repeat(400),
    `${'transfer all '.repeat(300)} to`,
    '"'.repeat(4_000),
    `'a`.repeat(2_000),
    `When ${'asked, '.repeat(80)}say "x"`,
  ])('are read, too: %.30s', (prompt) => {
    expect(() => read(...Array.from({ length: 50 }, () => prompt))).not.toThrow();
  });
});
