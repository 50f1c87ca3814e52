import { beforeEach, describe, expect, it } from 'vitest';
import { Loudspeaker } from './loudspeaker.ts';

let nowMs: number;
let loudspeaker: Loudspeaker;
beforeEach(() => {
  nowMs = 5_000;
  loudspeaker = new Loudspeaker(() => nowMs);
});

describe('what was heard of a reply', () => {
  it('is the time it played, pauses left out', () => {
    loudspeaker.begin('a');
    nowMs += 700;
    loudspeaker.pause();
    nowMs += 10_000;
    expect(loudspeaker.heardMs).toBe(700);
    loudspeaker.resume();
    nowMs += 300;
    expect(loudspeaker.heardMs).toBe(1_000);
  });

  it('begins anew with another reply, and goes on with the same', () => {
    loudspeaker.begin('a');
    nowMs += 700;
    loudspeaker.begin('a');
    expect(loudspeaker.heardMs).toBe(700);
    loudspeaker.begin('b');
    expect([loudspeaker.responseId, loudspeaker.heardMs]).toEqual(['b', 0]);
  });

  it('is nothing once it has ended', () => {
    loudspeaker.begin('a');
    loudspeaker.end();
    expect([loudspeaker.responseId, loudspeaker.heardMs]).toEqual([null, 0]);
  });

  it('still counts when a page tells that its paused voice has ended, until it is let go on', () => {
    loudspeaker.begin('a');
    nowMs += 700;
    loudspeaker.pause();
    loudspeaker.end();
    expect([loudspeaker.responseId, loudspeaker.heardMs]).toEqual(['a', 700]);
    loudspeaker.resume();
    expect(loudspeaker.responseId).toBeNull();
  });
});
