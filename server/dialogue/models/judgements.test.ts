import { expect, it, vi } from 'vitest';
import { Judgements } from './judgements.ts';

it('judges a sentence once, by what was told at the first', async () => {
  const check = vi.fn(async (sentence: string) => (sentence.includes('free') ? 'made up' : null));
  const open = vi.fn(async () => check);
  const judgements = new Judgements(open);
  const early = judgements.reasonAgainst('It is free.');
  expect(await judgements.reasonAgainst('It is free.')).toBe('made up');
  expect(await early).toBe('made up');
  expect(await judgements.reasonAgainst('It is blue.')).toBeNull();
  expect(check).toHaveBeenCalledTimes(2);
  expect(open).toHaveBeenCalledOnce();
});

it('judges anew once more was told', async () => {
  let told = 'nothing';
  const judgements = new Judgements(async () => {
    const known = told;
    return async () => known;
  });
  expect(await judgements.reasonAgainst('It is free.')).toBe('nothing');
  told = 'something';
  expect(await judgements.reasonAgainst('It is free.')).toBe('nothing');
  judgements.forget();
  expect(await judgements.reasonAgainst('It is free.')).toBe('something');
});

it('tells whoever waits what went wrong, and nobody else', async () => {
  const judgements = new Judgements(() => Promise.reject(new Error('gone')));
  void judgements.reasonAgainst('It is free.');
  await expect(judgements.reasonAgainst('It is free.')).rejects.toThrow('gone');
});
