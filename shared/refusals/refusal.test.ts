import { expect, it } from 'vitest';
import { refusal, refusalBehind, sentenceOf } from './refusal.ts';

it('says a sentence by its key', () => {
  expect(sentenceOf('conversations.message-missing')).toBe('Write a message first.');
});

it('fills in text as it is, and numbers as they are written in English', () => {
  expect(sentenceOf(refusal('accounts.provider-refused', { provider: 'Ada’s {max}' }))).toBe(
    'Ada’s {max} did not let you in. Try again.',
  );
  expect(sentenceOf(refusal('agents.company-info-too-long', { max: 200_000 }))).toBe(
    'Use company information of at most 200,000 characters.',
  );
  expect(sentenceOf(refusal('common.text-quota', { millions: 0.02 }))).toContain(' 0.02 million ');
});

it.each([
  ['accounts.name-missing' as const],
  [refusal('agents.company-info-too-long', { max: 200_000 })],
  [refusal('common.field-missing', { name: 'parts.1."on"' })],
  [refusal('calls.sample-rate', { min: 8_000, max: 96_000 })],
  [refusal('actions.input-unknown-in-answer', { name: 'order', field: '{answer.order}' })],
  [refusal('documents.full', { documents: 1_000, millions: 20 })],
])('finds the key and the values behind a sentence: %j', (reason) => {
  expect(refusalBehind(sentenceOf(reason))).toEqual(
    typeof reason === 'string' ? { key: reason, values: {} } : reason,
  );
});

it.each([
  [''],
  ['Invalid input: expected string, received undefined'],
  ['Use a limit from 1 to many.'],
  ['The field "a" is missing'],
  ['The field "a" is missing. And more.'],
])('finds nothing behind other texts: %s', (text) => {
  expect(refusalBehind(text)).toBeNull();
});

it('takes no longer than in proportion to the text', () => {
  expect(refusalBehind(`There is no input called ${'. Write '.repeat(100_000)}`)).toBeNull();
});
