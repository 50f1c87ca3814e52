import { expect, test } from 'vitest';
import { readPersona } from './persona.ts';

const of = (personality: string) => readPersona({ personality, prompts: [] });

test('the tone is read from the personality', () => {
  expect(of('Elegant and formal').tone).toBe('formal');
  expect(of('Playful, loves a joke').tone).toBe('playful');
  expect(of('Warm and friendly').tone).toBe('friendly');
  expect(of('Answers questions').tone).toBe('plain');
});

test('what it shall not be does not count', () => {
  expect(of('Friendly, never formal').tone).toBe('friendly');
  expect(of('Informal and relaxed').tone).toBe('friendly');
});

test('brevity and formality shape the wording', () => {
  expect(of('Brief and direct').brief).toBe(true);
  expect(of('Formal').contractions).toBe(false);
});
