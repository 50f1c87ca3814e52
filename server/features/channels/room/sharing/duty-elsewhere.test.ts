import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MemoryState } from '#server/engines/shared-state/memory';
import { MortalState } from '../../../../../tests/support/mortal-state.ts';
import { DutyElsewhere } from './duty-elsewhere.ts';

const SILENT_MS = 3_000;
const room = { roomName: 'lobby', agent: null, holder: null, people: ['ada'], expected: ['bob'] };
const duty = { rooms: [room], free: 19, kept: 5, earsWaitMs: 700 };

/** In memory, messages arrive after current work. No time passes. */
const heard = () => new Promise<void>((resolve) => queueMicrotask(resolve));

let here: MortalState;
let there: MortalState;
let elsewhere: DutyElsewhere;
let teller: DutyElsewhere;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const memory = new MemoryState();
  [here, there] = [new MortalState(memory), new MortalState(new MemoryState(memory))];
  elsewhere = new DutyElsewhere({ sharedState: here, silentMs: SILENT_MS });
  teller = new DutyElsewhere({ sharedState: there, silentMs: SILENT_MS });
  teller.tell(duty);
  await heard();
});
afterEach(() => void vi.useRealTimers());

it('knows what another instance has, until it says otherwise', async () => {
  expect(elsewhere.earsWaitMs('lobby')).toBe(700);
  expect([elsewhere.roomsWith('ada', 'kitchen'), elsewhere.roomsWith('ada', 'lobby')]).toEqual([1, 0]);
  expect([elsewhere.awaiting('bob', 'kitchen'), elsewhere.awaiting('bob', 'lobby')]).toEqual([['lobby'], []]);
  expect(elsewhere.free).toEqual({ free: 19, kept: 5 });
  teller.tell({ ...duty, rooms: [] });
  await heard();
  expect(elsewhere.room('lobby')).toBeNull();
});

it('takes an instance that has fallen silent for gone, once', () => {
  vi.advanceTimersByTime(SILENT_MS);
  expect(elsewhere.forgetGone()).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(elsewhere.forgetGone()).toEqual([room]);
  expect([elsewhere.room('lobby'), elsewhere.forgetGone()]).toEqual([null, []]);
});

it('takes nobody for gone while nobody can be heard, nor before they had time to speak again', () => {
  here.isAway = true;
  vi.advanceTimersByTime(60_000);
  expect([elsewhere.forgetGone(), elsewhere.room('lobby')]).toEqual([[], null]);
  here.isAway = false;
  vi.advanceTimersByTime(SILENT_MS);
  expect([elsewhere.forgetGone(), elsewhere.room('lobby')]).toEqual([[], room]);
  vi.advanceTimersByTime(1);
  expect(elsewhere.forgetGone()).toEqual([room]);
});
