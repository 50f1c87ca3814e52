import { describe, expect, test } from 'vitest';
import { AgentEcho } from './agent-echo.ts';

const ECHO = 1e-4;
const ROOM = 3e-7;

/** The agent alone speaks for this long, in frames of 32 ms. */
function afterHearing(power: number, seconds: number, echo = new AgentEcho()): AgentEcho {
  for (let frame = 0; frame < seconds * 31.25; frame++) echo.hear(power);
  return echo;
}

describe("the agent's voice in the microphone", () => {
  test('covers nothing, and rules nothing out, until it is known', () => {
    const echo = afterHearing(ECHO, 0.5);
    expect(echo.covers(ECHO)).toBe(false);
    expect(echo.cannotBe(1)).toBe(false);
  });

  test('covers what is no louder, and no customer who is', () => {
    const echo = afterHearing(ECHO, 2);
    expect(echo.covers(ECHO * 2)).toBe(true);
    expect(echo.covers(ECHO * 10)).toBe(false);
  });

  test('with headphones covers no speech, and speech cannot be it', () => {
    const echo = afterHearing(ROOM, 2);
    expect(echo.covers(1e-4)).toBe(false);
    expect(echo.cannotBe(1e-4)).toBe(true);
  });

  test('is not learned from the beginning of speech, before anybody knew that it was some', () => {
    const echo = afterHearing(ROOM, 2);
    for (let frame = 0; frame < 9; frame++) echo.hear(1e-2);
    echo.forgetUnsettled();
    expect(echo.covers(1e-3)).toBe(false);
  });

  test('is not learned from a cough or a door', () => {
    const echo = afterHearing(ROOM, 4);
    for (let frame = 0; frame < 10; frame++) echo.hear(1e-2);
    afterHearing(ROOM, 0.5, echo);
    expect(echo.covers(1e-3)).toBe(false);
  });

  test('is forgotten once the agent has spoken for four seconds without it', () => {
    const echo = afterHearing(ECHO, 4);
    afterHearing(ROOM, 4.5, echo);
    expect(echo.covers(ECHO)).toBe(false);
  });

  test('is known at once from what turned out to be it, and from what is louder', () => {
    const echo = afterHearing(ROOM, 4);
    echo.learn([ECHO, ECHO / 2, ECHO]);
    expect(echo.covers(ECHO)).toBe(true);
    echo.learn([ECHO / 100]);
    expect(echo.covers(ECHO)).toBe(true);
    echo.learn([]);
    expect(echo.covers(ECHO)).toBe(true);
  });
});
