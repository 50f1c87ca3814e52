import { describe, expect, test } from 'vitest';
import { isNameable, namedTopic, tells } from './headings.ts';

describe('what tells nothing by itself', () => {
  test.each([
    'Contact Us',
    'Find Out More',
    'Opening Times',
    'How to find us',
    'What do I bring?',
    'Gallery',
  ])('%s', (written) => expect(tells(written)).toBe(false));

  test.each([
    'Open daily from nine.',
    'We are closed',
    'Every 20 minutes or as required',
    'desk@lantern.example',
    'Monday 8:00 - 5:00 pm',
    'Bring a coat and boots',
    'No dogs on the upper deck in summer please',
  ])('but this does: %s', (written) => expect(tells(written)).toBe(true));
});

describe('what can be named as meant', () => {
  test.each([
    'late returns',
    'how to change your password',
    'lost card',
    'parking',
    'opening hours in August',
  ])('%s', (topic) => expect(isNameable(topic)).toBe(true));

  test.each([
    'for most travelers',
    'although funny and warm',
    'we invoice as standard',
    'all you pay is your deposit',
    'payment in full must accompany your order',
    'o. box 950 Fowler',
    'category 8: accounts',
    'year old’s',
    'items not',
    'whether you must be home',
    'additional information',
    'problem',
    '',
  ])('not %s', (topic) => expect(isNameable(topic)).toBe(false));
});

test.each([
  ['lost card', 'the lost card'],
  ['late returns', 'late returns'],
  ['parking', 'parking'],
  ['how to sign up', 'how to sign up'],
  ['VIP lounge', 'VIP lounge'],
  ['your first visit', 'your first visit'],
])('%s is said as %s', (topic, named) => {
  expect(namedTopic(topic)).toBe(named);
});
