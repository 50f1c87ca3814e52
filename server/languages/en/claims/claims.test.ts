import { describe, expect, it } from 'vitest';
import { claims } from './claims.ts';

const figures = (text: string) =>
  claims.figuresIn(text).map(({ value, unit }) => (unit ? `${value} ${unit}` : value));

describe('figures', () => {
  it.each([
    ['You have thirty days.', ['30 day']],
    ['Within 30 business days', ['30 day']],
    ['3–5 working days', ['3 day', '5 day']],
    ['three to five days', ['3 day', '5 day']],
    ['$1,299.00 or €5', ['1299 dollar', '5 euro']],
    ['4.50 dollars', ['4.5 dollar']],
    ['20% off', ['20 percent']],
    ['two hundred and fifty people', ['250 person']],
    ['twenty-four hours', ['24 hour']],
    ['one of our colleagues', []],
    ['one day', ['1 day']],
    ['at 9 am', ['9 am']],
    ['order 4471', ['4471']],
    ['two three four', ['2', '3', '4']],
    ['forty five thousand', ['45000']],
    ['no numbers', []],
  ])('%s', (text, expected) => {
    expect(figures(text)).toEqual(expected);
  });
});

describe('names', () => {
  it.each([
    ['We ship to France and Spain.', ['france', 'spain']],
    ['Ask for Ms. O’Brien', ['ms', 'o’brien']],
    ['Write to Help@Acme.com or see acme.com/help', ['help@acme.com', 'acme.com/help']],
    ['We are closed on Sunday.', ['sunday']],
    ["That's all I know, I'm afraid.", []],
    ['Delivery is free.', []],
  ])('%s', (text, expected) => {
    expect(claims.namesIn(text)).toEqual(expected);
  });
});

it.each([
  ["I've refunded your order.", true],
  ['I will send you a voucher.', true],
  ['I can just cancel it for you.', true],
  ['I can help you with that.', false],
  ['I will pass this on to a colleague.', false],
  ["I'll gladly explain it.", false],
  ['You can cancel it online.', false],
])('deeds of its own: %s', (sentence, expected) => {
  expect(claims.actsItself(sentence)).toBe(expected);
});

it.each([
  ['We will refund you.', ['refund']],
  ['Our team can replace it.', ['replac']],
  ["We'll be glad to help.", []],
])('undertakings: %s', (sentence, expected) => {
  expect(claims.undertakingsIn(sentence)).toEqual(expected);
});

it.each([
  ['Returns are free.', true],
  ['Is it damaged?', false],
  ['How can I help you', false],
  ["I don't have that information.", false],
  ['Thanks for asking!', false],
  ["I'm sorry to hear that.", false],
  ["I'm afraid we are closed on Sundays.", true],
  ["I'm afraid I can't say.", false],
  ['Sorry, we only deliver within the town.', true],
  ["I'm not sure of the times, but the bus stops at our door.", true],
  ["I'm sorry, I don't have that, but a colleague can get back to you.", false],
  ["I'm not able to look it up, but I can confirm that your fine is cancelled.", true],
  ["As an automated assistant, I can't see your order.", false],
  ["Whether we have it in blue, I can't say.", false],
  ['If you are late you pay a fee.', true],
  ['When all of it is used, the speed drops.', true],
])('statements: %s', (sentence, expected) => {
  expect(claims.isStatement(sentence)).toBe(expected);
});
