import { expect, it } from 'vitest';
import { initialTalkState, type TalkState } from '../speech/talk-state.ts';
import {
  type FloorAction,
  type FloorPhase,
  type FloorState,
  floorPhase,
  floorReducer,
  initialFloorState,
} from './floor-state.ts';

const listening: TalkState = { ...initialTalkState, mode: 'hands-free', phase: 'open' };
const replyStarts: FloorAction = { type: 'reply-started', replyId: 'a' };
const sentenceStarts: FloorAction = { type: 'sentence-started', replyId: 'a', index: 0 };
const sentenceEnds: FloorAction = { type: 'sentence-ended', replyId: 'a', index: 0 };
const replyEnds: FloorAction = { type: 'reply-ended', replyId: 'a' };
const held = (isHeld: boolean): FloorAction => ({ type: 'held', held: isHeld });
const speech = { talk: { ...listening, isSpeaking: true } };
const silence = { talk: listening };
const committed = { floor: { waiting: true } };
const answered = { floor: { waiting: false } };

type Step = FloorAction | { talk: TalkState } | { floor: Partial<FloorState> };

/** The phases of a turn, without repeats. */
function phases(...steps: Step[]): FloorPhase[] {
  let floor = initialFloorState;
  let talk = listening;
  const seen: FloorPhase[] = [];
  for (const step of [silence, ...steps]) {
    if ('talk' in step) talk = step.talk;
    else if ('floor' in step) floor = { ...floor, ...step.floor };
    else floor = floorReducer(floor, step);
    const phase = floorPhase(floor, talk);
    if (seen.at(-1) !== phase) seen.push(phase);
  }
  return seen;
}

it.each<[string, Step[], FloorPhase[]]>([
  [
    'spoken, answered and heard to its end',
    [speech, silence, committed, replyStarts, sentenceStarts, answered, sentenceEnds, replyEnds],
    ['open', 'candidate', 'open', 'taken', 'speaking', 'taken', 'open'],
  ],
  [
    'held by a back-channel, which releases it',
    [replyStarts, sentenceStarts, held(true), speech, silence, held(false), replyEnds],
    ['open', 'taken', 'speaking', 'held', 'speaking', 'open'],
  ],
  [
    'held, then interrupted: the customer goes on',
    [replyStarts, sentenceStarts, held(true), speech, replyEnds, held(false), silence],
    ['open', 'taken', 'speaking', 'held', 'candidate', 'open'],
  ],
  [
    'called off before anything of the reply was heard',
    [committed, speech, held(true), replyStarts, replyEnds, held(false), silence, answered],
    ['open', 'taken', 'candidate', 'held', 'candidate', 'taken', 'open'],
  ],
  [
    'silent: a browser that allows no sound does not think for ever',
    [committed, replyStarts, answered, { type: 'sound-blocked', blocked: true }],
    ['open', 'taken', 'open'],
  ],
])('follows a turn that is %s', (_case, steps, expected) => {
  expect(phases(...steps)).toEqual(expected);
});

it('gives the floor to who presses the button, and takes what they said when they are done', () => {
  const button: TalkState = { ...listening, mode: 'push-to-talk' };
  const pressed = { talk: button };
  const spoken = { talk: { ...button, isSpeaking: true } };
  const released = { talk: { ...button, phase: 'finishing' as const } };
  expect(phases(committed, pressed, spoken, released)).toEqual([
    'open',
    'taken',
    'open',
    'candidate',
    'taken',
  ]);
});

it('forgets nothing of another reply when one ends', () => {
  const speaking = [replyStarts, sentenceStarts].reduce(floorReducer, initialFloorState);
  const another = { replyId: 'b', index: 0 };
  expect(floorReducer(speaking, { type: 'reply-ended', ...another })).toMatchObject({ voicing: 'a' });
  expect(floorReducer(speaking, { type: 'sentence-ended', ...another })).toBe(speaking);
});
