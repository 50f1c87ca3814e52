import { describe, expect, it } from 'vitest';
import { isCorrection } from './is-correction.ts';
import { valuesIn } from './spoken-values.ts';

/** A Sunday. */
const today = new Date(2026, 10, 22);
const first =
  (type: Parameters<typeof valuesIn>[1]['type'], isAsked = true) =>
  (text: string) =>
    valuesIn(text, { type, isAsked, today })[0] ?? null;

describe('valuesIn', () => {
  it.each([
    ['4471', '4471'],
    ['it is 44 71', '4471'],
    ['four four seven one', '4471'],
    ['Forty-four, seventy-one', '4471'],
    ['double four seven one', '4471'],
    ['triple oh seven', '0007'],
    ['four thousand four hundred and seventy-one', '4471'],
    ['nineteen eighty', '1980'],
    ['four hundred and twelve sixty', '41260'],
    ['two hundred three thousand', '203000'],
    ['two hundred, two hundred', '200200'],
    ['seven hundred', '700'],
    ['one moment please', null],
    ['it costs $4471', null],
    ['I have none', null],
  ])('digits: %s', (text, value) => expect(first('digits')(text)).toBe(value));

  it('names no more values than are worth comparing', () => {
    const text = Array.from({ length: 400 }, (_, n) => `AB${1_000 + n}`).join(', ');
    const values = valuesIn(text, { type: 'text', isAsked: false, today });
    expect(values[0]).toBe('AB1000');
    expect(values.length).toBeLessThan(30);
  });

  it.each([
    ['Where is order 4471?', '4471'],
    ['two weeks ago I bought 3 lamps', null],
  ])('digits that nobody asked for: %s', (text, value) => expect(first('digits', false)(text)).toBe(value));

  it.each([
    ['tomorrow', '2026-11-23'],
    ['on Sunday', '2026-11-29'],
    ['next Friday please', '2026-11-27'],
    ['the fifth of December', '2026-12-05'],
    ['May 3rd', '2027-05-03'],
    ['31.12.', '2026-12-31'],
    ['2026-02-30', null],
    ['5/6', null],
    ['in two weeks', '2026-12-06'],
    ['whenever', null],
  ])('dates: %s', (text, value) => expect(first('date')(text)).toBe(value));

  it.each([
    ['A B one two', 'AB12'],
    ["It's AB-12", 'AB-12'],
    ['because it arrived broken.', 'it arrived broken'],
  ])('words: %s', (text, value) => expect(first('text')(text)).toBe(value));

  it('addresses and numbers as they are said', () => {
    expect(first('email')('jo at lantern works dot test')).toBe('jo@lanternworks.test');
    expect(first('phone')('oh seven seven double nine one two three')).toBe('07799123');
  });
});

describe('isCorrection', () => {
  it('knows what takes something back', () => {
    expect(['no, 4472', 'sorry, I meant Friday', '4472'].map(isCorrection)).toEqual([true, true, false]);
  });
});
