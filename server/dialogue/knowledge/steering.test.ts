import { expect, test } from 'vitest';
import { parseKnowledge } from './parse.ts';
import { isSteering } from './steering.ts';

const steers = (text: string, prompt: boolean) => {
  const [unit] = parseKnowledge(prompt ? '' : text, prompt ? [text] : []).units;
  return unit ? isSteering(unit) : null;
};

test.each([
  'Be polite and patient.',
  'Never promise refunds.',
  'Always ask for the order number first.',
  'If the customer is angry, apologise and offer a colleague.',
  'Keep your answers short.',
  'You are Sigma, a friendly assistant.',
  'Do not discuss competitors.',
  'Speak in short sentences.',
])('an instruction in a prompt is never quoted: %s', (text) => {
  expect(steers(text, true)).toBe(true);
});

test.each([
  'The sauna reopens on March 1.',
  'Delivery to Malta takes 9 days.',
  'You can park behind the house.',
])('a fact in a prompt may be quoted: %s', (text) => {
  expect(steers(text, true)).toBe(false);
});

test.each(['Press the reset button for 10 seconds.', 'Ask for a copy at reception.', 'Keep the receipt.'])(
  'an instruction to the customer in the company information may be quoted: %s',
  (text) => {
    expect(steers(text, false)).toBe(false);
  },
);
