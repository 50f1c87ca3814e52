import { describe, expect, it } from 'vitest';
import { quantitiesMeet } from './quantities.ts';

describe('a figure of the question falls into what a statement gives', () => {
  it.each([
    ["I'm 42, what would I pay?", 'Age 40 to 44: $19.50'],
    ['We cancel 20 days before.', '14–28 days before: half the price'],
    ['It is 30 days ago.', 'Within 30 days you get your money back.'],
    ['It weighs 5 kg', 'Parcels of up to 10 kg cost £4.'],
    ['I ordered for $80', 'Orders over $50 are sent free of charge.'],
    ['I ordered for $80', 'Between $50 and $100 delivery is £4.'],
    ['It costs £20', 'Anything from £10–25 is wrapped free.'],
    ['We are 12 people.', 'Groups of 10 or more people pay half.'],
    ['We are 12 people.', 'Groups of at least 10 people pay half.'],
    ['my son is 4', 'Children aged 5 and under travel free.'],
    ['a loan of 1,500', 'From 1,000 to 2,000: 5 %'],
    ['15 minutes late', 'Up to 20 mins late we hold your table.'],
  ])('%s – %s', (question, statement) => {
    expect(quantitiesMeet(question, statement)).toBe(true);
  });
});

describe('it does not', () => {
  it.each([
    ['outside the range', "I'm 47, what would I pay?", 'Age 40 to 44: $19.50'],
    ['at an open bound', 'I ordered for $50', 'Orders over $50 are sent free of charge.'],
    ['counting something else', 'We cancel 20 days before.', 'Stays of 14 to 28 nights are cheaper.'],
    ['in money against time', 'It costs $20', 'Within 30 days you get your money back.'],
    ['where the question tells none', 'How old must I be?', 'Age 40 to 44: $19.50'],
    ['where the statement gives a single figure', 'I am 42', 'It costs 42 pounds.'],
    ['in nothing', '', ''],
  ])('%s', (_, question, statement) => {
    expect(quantitiesMeet(question, statement)).toBe(false);
  });
});
