import { describe, expect, it } from 'vitest';
import type { ShownMessage } from '../api.ts';
import { buildTimeline, turnAt } from './timeline.ts';

const start = Date.UTC(2026, 10, 20, 9, 0, 0);
let next = 0;
/** @param second time of storage, in seconds after the beginning */
const message = (role: 'user' | 'assistant', second: number, change: Partial<ShownMessage> = {}) => {
  next += 1;
  const shown: ShownMessage = {
    _id: `m${next}`,
    role,
    author: { kind: role === 'user' ? 'contact' : 'agent' },
    content: 'When are you open?',
    timestamp: new Date(start + second * 1_000).toISOString(),
    audioUrl: `/api/recordings/${next}`,
    audioDuration: 2,
    ...change,
  };
  return shown;
};
const silent = (role: 'user' | 'assistant', second: number): ShownMessage => {
  const { audioUrl: _url, audioDuration: _length, ...rest } = message(role, second);
  return rest;
};
const lay = (...messages: ShownMessage[]) => buildTimeline(messages, new Map());
/** Seconds between the end of one turn and the start of the next. */
const gap = (...messages: ShownMessage[]) => {
  const [one, other] = lay(...messages).turns;
  return Number(((other?.start ?? 0) - (one?.start ?? 0) - (one?.length ?? 0)).toFixed(3));
};

describe('the timeline of a conversation', () => {
  it('of nothing is empty', () => {
    expect(lay()).toEqual({ turns: [], length: 0, hasSound: false });
  });

  it('has every turn in its order, from the first to the end of the last', () => {
    const { turns, length, hasSound } = lay(
      message('assistant', 0),
      message('user', 5),
      message('assistant', 7),
    );
    expect(turns.map(({ start: at }) => Math.round(at * 10) / 10)).toEqual([0, 3, 5.7]);
    expect([length, hasSound]).toEqual([expect.closeTo(7.7), true]);
  });

  it('keeps a pause as it was, and shortens a long one', () => {
    // Stored when it was said: two seconds of speech that ended then.
    expect(gap(message('assistant', 0), message('user', 4.8))).toBe(0.8);
    expect(gap(message('assistant', 0), message('user', 60))).toBe(1.2);
  });

  it('lets a reply begin soon after its question, however long it took to be made', () => {
    expect(gap(message('user', 10), message('assistant', 13))).toBe(0.7);
    expect(gap(message('user', 10), message('assistant', 10.5))).toBe(0.5);
  });

  it('lets both talk at once where the customer cut in, and only there', () => {
    const reply = (change: object = {}) => message('assistant', 0, { audioDuration: 6, ...change });
    expect(gap(reply({ interrupted: true }), message('user', 7.5))).toBe(-0.5);
    expect(gap(reply({ interrupted: true }), message('user', 2))).toBe(-1);
    expect(gap(reply({ interrupted: true }), message('user', 8.1))).toBe(-0.25);
    expect(gap(reply({ interrupted: true }), message('user', 12))).toBe(1.2);
    expect(gap(reply(), message('user', 2))).toBe(0.35);
  });

  it('never lets a short word begin before what it interrupts', () => {
    const { turns } = lay(
      message('assistant', 0, { interrupted: true, audioDuration: 0.4 }),
      message('user', 0.3, { audioDuration: 0.3 }),
    );
    expect(turns[1]?.start).toBeCloseTo(0.25);
  });

  it('passes a turn without sound in a beat', () => {
    const { turns, hasSound } = lay(silent('assistant', 0), silent('user', 40));
    expect([turns[0]?.length, turns[1]?.start, hasSound]).toEqual([0.6, expect.closeTo(0.95), false]);
  });

  it('guesses a length that nobody knows until it is measured', () => {
    const unknown = message('user', 3);
    delete unknown.audioDuration;
    expect(lay(unknown).turns[0]).toMatchObject({ isGuessed: true, length: expect.closeTo(1.54) });
    const measured = buildTimeline([unknown], new Map([[unknown._id, 4.2]]));
    expect(measured.turns[0]).toMatchObject({ isGuessed: false, length: 4.2 });
  });

  it('goes on where a time is none', () => {
    expect(gap(message('user', 0, { timestamp: '?' }), message('assistant', 3))).toBe(0.35);
  });
});

it('finds the turn that is heard at a moment', () => {
  const timeline = lay(message('assistant', 0), message('user', 5), message('assistant', 7));
  expect([-1, 0, 1.9, 2.5, 3, 5.6, 5.8, 99].map((at) => turnAt(timeline, at))).toEqual([
    0, 0, 0, 0, 1, 1, 2, 2,
  ]);
  expect(turnAt(lay(), 0)).toBe(0);
});
