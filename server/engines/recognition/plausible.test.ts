import { describe, expect, it } from 'vitest';
import { plausibleWords } from './plausible.ts';

describe('plausibleWords', () => {
  it.each([
    ['I would like to return something.', 8, 2.4],
    ['Hello.', 2, 0.3],
    ['No, no, no, no!', 8, 1.5],
    ['It is 5 5 5, 0 1 9 9.', 15, 3],
    ["'Cause I don't need it.", 9, 1.4],
    ['Very, very good, very, very good.', 12, 3],
  ])('leaves what a person says: %s', (text, tokens, seconds) => {
    expect(plausibleWords(text, tokens, seconds)).toBe(text);
  });

  it('refuses what nobody could say in that time', () => {
    expect(plausibleWords('one of the one of the one of the other', 60, 2)).toBeNull();
  });

  it('refuses a number that runs in circles, and leaves one that somebody had time to say three times', () => {
    const number = 'My number is 079-446-218-079-446-218-079-446-218-';
    expect(plausibleWords(number, 41, 4.7)).toBeNull();
    expect(plausibleWords(number, 41, 12)).toBe(number);
    expect(plausibleWords('My number is 079-446-218-079.', 41, 4.7)).toBe('My number is 079-446-218-079.');
  });

  it.each([
    [
      "If you are new. It's not going to work for you. It's not going to work for you. It's not going to work for you.",
      "If you are new. It's not going to work for you.",
    ],
    ['I, I, I, I, I, I, I, I', 'I,'],
    ['and so on and so on and so on and so on and so on and so on and then', 'and so on and then'],
  ])('leaves one of a phrase that runs in circles: %s', (text, left) => {
    expect(plausibleWords(text, 20, 8)).toBe(left);
  });

  it.each([
    ['Do you ship to Canada? Do you ship to Canada?', 14, 1.5, 'Do you ship to Canada?'],
    ['Are the batteries included? Are the batteries', 12, 1.5, 'Are the batteries included?'],
    ['Thank you. That helped. Thank you. That helped. Thank you.', 18, 2.4, 'Thank you. That helped.'],
    ['Are you there? Are you there?', 8, 2.4, 'Are you there? Are you there?'],
    ['The blue one, not the red one.', 14, 1.8, 'The blue one, not the red one.'],
  ])('leaves once what was said twice in too short a time: %s', (text, tokens, seconds, left) => {
    expect(plausibleWords(text, tokens, seconds)).toBe(left);
  });

  it.each([
    ['"Where is it?"', 'Where is it?'],
    ["'Where is it?'", 'Where is it?'],
    [' Where  is it? ', 'Where is it?'],
    ['...', ''],
    ['', ''],
    ['♪ ♪', ''],
  ])('writes %j as %j', (text, written) => {
    expect(plausibleWords(text, 5, 2)).toBe(written);
  });
});
