import { expect, test } from 'vitest';
import type { DialogueMessage } from '../contract.ts';
import { type DialogueState, stateFrom } from './state.ts';

const user = (content: string): DialogueMessage => ({ role: 'user', content });
const said = (content: string, state?: unknown): DialogueMessage => ({ role: 'assistant', content, state });

const kept: DialogueState = {
  version: 1,
  question: 'Do you repair lamps? And old ones?',
  own: 'And old ones?',
  about: null,
  told: ['We repair lamps.'],
  section: 'Repairs',
  isFocused: true,
  pending: {
    is: 'choice',
    question: 'lamps',
    options: [{ label: 'repairs', passages: [2, 3] }],
  },
  contact: { name: 'Anna', phone: '07700 900417' },
  open: null,
  isHandedOver: true,
  further: null,
  unanswered: 1,
  known: {},
  isPersonal: false,
};

test('the state that came with the latest reply is taken up, also after a journey as JSON', () => {
  expect(stateFrom([user('a'), said('b', kept), user('c')])).toEqual(kept);
  expect(stateFrom([said('a', kept), said('b', JSON.parse(JSON.stringify(kept)))])).toEqual(kept);
});

test('an older one does not come back', () => {
  expect(stateFrom([said('a', kept), user('And now?'), said('b')]).pending).toBeNull();
});

test.each([
  [undefined],
  [null],
  [{}],
  ['choice'],
  [{ ...kept, version: 2 }],
  [{ ...kept, pending: { is: 'x' } }],
])('without one, or with one it does not know, it goes by what was said: %j', (state) => {
  const after = stateFrom([user('Do you repair lamps?'), said('Yes.', state), user('And old ones?')]);
  expect(after).toMatchObject({
    question: 'Do you repair lamps? And old ones?',
    own: 'And old ones?',
    pending: null,
    contact: {},
    isHandedOver: false,
  });
});

test('at the start nothing is known', () => {
  expect(stateFrom([])).toMatchObject({ question: null, own: null, told: [], section: null, unanswered: 0 });
  expect(stateFrom([said('Welcome.')])).toMatchObject({ question: null, own: null });
});

test('of a long talk little is kept', () => {
  const { question, own } = stateFrom([user('x'.repeat(8_000))]);
  expect(question).toHaveLength(400);
  expect(own).toHaveLength(300);
});
