import { describe, expect, it } from 'vitest';
import { packOf } from '#server/languages/index';
import type { ActionInput } from '#shared/actions';
import { checkedValue, SaidValues, workOfAMessage } from './inputs.ts';

const language = packOf('en');
const input = (changes: Partial<ActionInput> = {}): ActionInput => ({
  name: 'order',
  label: 'order number',
  type: 'digits',
  required: true,
  ...changes,
});
const said = (text: string) => new SaidValues(text, language);

describe('what a message says for an input', () => {
  it('fits its pattern as a whole, as it is, in capitals or without its gaps', () => {
    const code = input({ type: 'text', pattern: '[A-Z]{2}\\d{4}' });
    expect(said('It is ab1234').for(code, true)).toBe('AB1234');
    expect(said('It is AB-1234').for(code, true)).toBe('AB1234');
    expect(said('It is AB12345').for(code, true)).toBeNull();
    expect(said('Order 4471, please').unasked([input({ pattern: '\\d{4}' })])).toEqual({ order: '4471' });
  });

  it('is none of two things that look alike', () => {
    const other = input({ name: 'invoice' });
    expect(said('It is 4471').unasked([input(), other])).toEqual({});
  });
});

describe('patterns that a business wrote', () => {
  /** Patterns that JavaScript's own engine would try for hours. */
  const slow = ['^(a+)+$', '(?:[A-Z\\d]+)+!', '(?:\\w*)*!', '([A-Z]|[A-Z\\d])*!'];

  it.each(slow)('such as %s hold nobody up', (pattern) => {
    const work = workOfAMessage();
    expect(checkedValue(input({ type: 'text', pattern }), 'A1'.repeat(240), work)).toBeNull();
    expect(work.left).toBeGreaterThan(0);
  });

  it('are tried no longer than a message is worth, however many there are and whatever it says', () => {
    const inputs = Array.from({ length: 240 }, (_, n) =>
      input({ name: `input${n}`, type: 'text', pattern: `(?:[A-Z\\d]+){1,${n + 1}}!` }),
    );
    const values = said(Array.from({ length: 260 }, (_, n) => `ABCDEFGHIJK${n}`).join(' '));
    const asked = inputs.map((each) => values.for(each, true));
    expect(asked.every((value) => value === null)).toBe(true);
    // Later patterns are not tried any more.
    expect(values.for(input({ type: 'text', pattern: 'ABCDEFGHIJK1' }), true)).toBeNull();
    expect(said('ABCDEFGHIJK1').for(input({ type: 'text', pattern: 'ABCDEFGHIJK1' }), true)).toBe(
      'ABCDEFGHIJK1',
    );
  });

  it('find what an agent with thirty actions of eight inputs is told', () => {
    const inputs = Array.from({ length: 240 }, (_, n) =>
      input({ name: `input${n}`, pattern: `${100 + n}\\d{3}` }),
    );
    const values = said('My number is 339471, and I called on 22 May about 3 lamps for 129 dollars.');
    expect(inputs.map((each) => values.for(each, false)).filter((value) => value !== null)).toEqual([
      '339471',
    ]);
  });
});
