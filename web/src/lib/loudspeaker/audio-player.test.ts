import { beforeEach, describe, expect, it, vi } from 'vitest';
import { AudioPlayer, type PlayerEvent } from './audio-player.ts';
import { clip, FakeSoundContext, settle } from './fake-sound-context.ts';

let context: FakeSoundContext;
let events: PlayerEvent[];
/** Replies that have started. */
let started: string[];
let player: AudioPlayer;

beforeEach(() => {
  context = new FakeSoundContext();
  events = [];
  started = [];
  player = new AudioPlayer(
    (event) => (event.type === 'reply-started' ? started.push(event.replyId) : events.push(event)),
    { createContext: () => context },
  );
});

const told = () => events.map((event) => ('index' in event ? `${event.type} ${event.index}` : event.type));

describe('the order of sentences', () => {
  it('plays them end to end', async () => {
    player.add('reply', 0, clip(1), false, true);
    player.add('reply', 1, clip(2), true, true);
    await settle();
    const [first, second] = context.played;
    expect(first?.startsAt).toBeCloseTo(0.015);
    expect(second?.startsAt).toBeCloseTo((first?.startsAt ?? 0) + (first?.duration ?? 0));
    await context.advance(4);
    expect(told()).toEqual([
      'sentence-started 0',
      'sentence-ended 0',
      'sentence-started 1',
      'sentence-ended 1',
      'reply-ended',
    ]);
  });

  it('holds back a sentence that came too early', async () => {
    player.add('reply', 1, clip(2), true, true);
    await settle();
    expect(context.played).toEqual([]);
    player.add('reply', 0, clip(1), false, true);
    await settle();
    expect(context.played.map((each) => each.duration)).toEqual([1, 2]);
  });

  it('starts a late sentence at once, not in the past', async () => {
    player.add('reply', 0, clip(1), false, true);
    await settle();
    await context.advance(5);
    player.add('reply', 1, clip(1), true, true);
    await settle();
    expect(context.played[1]?.startsAt).toBeCloseTo(5.015);
    expect(told()).toEqual(['sentence-started 0', 'sentence-ended 0', 'sentence-started 1']);
  });

  it('passes over a sentence without sound and one that cannot be decoded', async () => {
    vi.spyOn(console, 'warn').mockReturnValue();
    player.add('reply', 0, null, false, true);
    player.add('reply', 1, new Uint8Array([1, 2, 3]), false, true);
    player.add('reply', 2, clip(1), true, true);
    await settle();
    await context.advance(2);
    expect(told()).toEqual(['sentence-started 2', 'sentence-ended 2', 'reply-ended']);
  });

  it('ends a reply without any sound', async () => {
    player.add('reply', 0, null, true, true);
    await settle();
    expect(told()).toEqual(['reply-ended']);
    expect(context.played).toEqual([]);
  });

  it('plays one reply after the other, and gives up on one whose end never comes', async () => {
    player.add('first', 0, clip(1), false, true);
    player.add('second', 0, clip(1), true, true);
    await settle();
    expect(context.played).toHaveLength(1);
    await context.advance(3);
    expect(started).toEqual(['first', 'second']);
    expect(events).toContainEqual({ type: 'reply-ended', replyId: 'first' });
    expect(events).toContainEqual({ type: 'reply-ended', replyId: 'second' });
  });

  it('ends a reply with what is there when nothing more will come', async () => {
    player.add('reply', 0, clip(1), false, true);
    await settle();
    player.expectNoMore();
    await settle();
    expect(told()).toEqual(['sentence-started 0']);
    await context.advance(2);
    expect(told()).toEqual(['sentence-started 0', 'sentence-ended 0', 'reply-ended']);
  });

  it('cuts the silence at the edges, but leaves a breath between two sentences', async () => {
    player.add('reply', 0, clip(1, { before: 0.3, after: 0.8 }), true, true);
    await settle();
    expect(context.played[0]?.offset).toBeCloseTo(0.28);
    expect(context.played[0]?.duration).toBeCloseTo(1.24);
  });
});

describe('stopping', () => {
  it('fades out within 30 ms and says how much of the reply was heard', async () => {
    player.add('reply', 0, clip(1, { before: 0.1 }), false, true);
    player.add('reply', 1, clip(2), false, true);
    player.add('reply', 2, clip(2), true, true);
    await settle();
    await context.advance(2);
    const position = player.stop();
    // The whole first sentence with its silence, and the played part of the second.
    expect(position).toMatchObject({ replyId: 'reply', index: 1 });
    expect(position?.playedMs).toBeCloseTo(1_100 + (2_000 - 1_035), -1);
    expect(position?.fraction).toBeCloseTo(0.48, 1);
    expect(context.fades.at(-1)).toEqual({ value: 0, time: 2.03 });
    expect(
      context.played.every((each) => each.stoppedAt === 2.03 || each.startsAt + each.duration <= 2.03),
    ).toBe(true);
    expect(told().at(-1)).toBe('reply-ended');
  });

  it('plays nothing of it that comes later', async () => {
    player.add('reply', 0, clip(1), false, true);
    await settle();
    player.stop();
    player.add('reply', 1, clip(1), true, false);
    await settle();
    expect(context.played).toHaveLength(1);
    expect(player.position()).toBeNull();
  });

  it('forgets a sentence that was being decoded', async () => {
    player.add('reply', 0, clip(1), true, true);
    player.stop();
    await settle();
    expect(context.played).toEqual([]);
  });

  it('counts what has left the loudspeaker, not what was sent to it', async () => {
    context.outputLatency = 0.2;
    player.add('reply', 0, clip(2), true, true);
    await settle();
    await context.advance(1.015);
    expect(player.position()?.playedMs).toBe(800);
  });

  it('has heard nothing when nothing plays', () => {
    expect(player.stop()).toBeNull();
    expect(events).toEqual([]);
  });
});

describe('hearing a reply again', () => {
  it('plays it from its beginning in place of what is playing', async () => {
    player.add('old', 0, clip(1), true, true);
    await settle();
    await context.advance(2);
    player.add('new', 0, clip(5), true, true);
    await settle();
    player.replay('old');
    await settle();
    expect(events.slice(-2)).toEqual([
      { type: 'reply-ended', replyId: 'new' },
      { type: 'sentence-started', replyId: 'old', index: 0 },
    ]);
    expect(context.played.at(-1)).toMatchObject({ duration: 1, stoppedAt: null });
  });

  it('knows what can be heard again, played or not', async () => {
    player.add('silent', 0, null, true, true);
    player.add('kept', 0, clip(1), true, false);
    await settle();
    expect(player.canReplay('silent')).toBe(false);
    expect(player.canReplay('kept')).toBe(true);
    expect(player.canReplay('unknown')).toBe(false);
    expect(context.played).toEqual([]);
  });
});

describe('a browser that refuses sound', () => {
  it('says so, waits, and plays from the beginning once it is allowed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    context.state = 'suspended';
    player.add('reply', 0, clip(1), true, true);
    await settle();
    expect(context.played).toEqual([]);
    vi.advanceTimersByTime(1_000);
    expect(events).toEqual([{ type: 'sound-blocked', blocked: true }]);
    player.unlock();
    context.setState('running');
    await settle();
    expect(events.slice(1)).toEqual([
      { type: 'sound-blocked', blocked: false },
      { type: 'sentence-started', replyId: 'reply', index: 0 },
    ]);
  });

  it('says nothing when sound starts a moment later', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    context.state = 'suspended';
    player.add('reply', 0, clip(1), true, true);
    await settle();
    vi.advanceTimersByTime(100);
    context.setState('running');
    await settle();
    vi.advanceTimersByTime(1_000);
    expect(told()).toEqual(['sentence-started 0']);
  });

  it('takes the complaint back when what was to be heard is stopped', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    context.state = 'suspended';
    player.add('reply', 0, clip(1), true, true);
    await settle();
    vi.advanceTimersByTime(1_000);
    player.stop();
    expect(events).toEqual([
      { type: 'sound-blocked', blocked: true },
      { type: 'sound-blocked', blocked: false },
      { type: 'reply-ended', replyId: 'reply' },
    ]);
  });
});

it('measures how loud the voice is, and silence while nothing plays', async () => {
  context.loudness = 0.1;
  expect(player.level()).toBe(0);
  player.add('reply', 0, clip(1), true, true);
  await settle();
  expect(player.level()).toBeCloseTo(0.5);
  context.loudness = 1;
  expect(player.level()).toBe(1);
});

it('lets a call go on as text where there is no audio output', async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  const mute = new AudioPlayer((event) => events.push(event), {
    createContext: () => {
      throw new Error('no audio hardware');
    },
  });
  mute.unlock();
  mute.add('reply', 0, clip(1), true, true);
  await settle();
  expect(events).toEqual([]);
  expect(mute.canReplay('reply')).toBe(false);
  expect(mute.stop()).toBeNull();
});

it('gives the loudspeaker back for good', async () => {
  player.add('reply', 0, clip(1), true, true);
  await settle();
  await player.close();
  expect(context.isClosed).toBe(true);
  player.add('reply', 1, clip(1), true, true);
  player.unlock();
  await settle();
  expect(context.played).toHaveLength(1);
});

describe('pausing for somebody who speaks', () => {
  it('falls silent at once and goes on a little before where it was', async () => {
    player.add('reply', 0, clip(4), false, true);
    player.add('reply', 1, clip(2), true, true);
    await settle();
    await context.advance(1.015);
    player.hold();
    expect(context.fades.slice(-2)).toEqual([
      { value: 1, time: 1.015 },
      { value: 0, time: 1.045 },
    ]);
    expect(context.played.map((each) => each.stoppedAt)).toEqual([1.045, 1.045]);
    await context.advance(10);
    expect(told()).toEqual(['sentence-started 0']);
    player.release();
    const [, , rest, next] = context.played;
    expect(rest?.startsAt).toBeCloseTo(11.03);
    expect(rest?.offset).toBeCloseTo(0.94);
    expect(rest?.duration).toBeCloseTo(3.06);
    expect(next?.startsAt).toBeCloseTo(11.03 + 3.06);
    expect(next?.duration).toBe(2);
    await context.advance(6);
    expect(told()).toEqual([
      'sentence-started 0',
      'sentence-ended 0',
      'sentence-started 1',
      'sentence-ended 1',
      'reply-ended',
    ]);
  });

  it('counts as heard what was heard until then, however long the pause', async () => {
    player.add('reply', 0, clip(4), true, true);
    await settle();
    await context.advance(1.015);
    player.hold();
    await context.advance(5);
    expect(player.position()?.playedMs).toBe(1_000);
    expect(player.stop()).toEqual({
      replyId: 'reply',
      playedMs: 1_000,
      index: 0,
      fraction: expect.closeTo(0.25),
    });
    expect(told()).toEqual(['sentence-started 0', 'reply-ended']);
  });

  it('counts no pause as heard once it has gone on', async () => {
    player.add('reply', 0, clip(4), true, true);
    await settle();
    await context.advance(1.015);
    player.hold();
    await context.advance(5);
    player.release();
    await context.advance(1.015);
    expect(player.stop()?.playedMs).toBeCloseTo(1_940, -1);
  });

  it('begins nothing while somebody speaks', async () => {
    player.hold();
    player.add('reply', 0, clip(1), true, true);
    await settle();
    expect([context.played, started]).toEqual([[], []]);
    player.release();
    await settle();
    expect(started).toEqual(['reply']);
    expect(context.played).toHaveLength(1);
  });

  it('takes a sentence that came meanwhile', async () => {
    player.add('reply', 0, clip(2), false, true);
    await settle();
    await context.advance(1.015);
    player.hold();
    player.add('reply', 1, clip(1), true, true);
    await settle();
    player.release();
    await settle();
    await context.advance(5);
    expect(told().at(-1)).toBe('reply-ended');
    expect(told()).toContain('sentence-ended 1');
  });

  it('is over with a stop, for what comes next', async () => {
    player.add('first', 0, clip(2), true, true);
    await settle();
    player.hold();
    player.stop();
    player.add('second', 0, clip(1), true, true);
    await settle();
    expect(started).toEqual(['first', 'second']);
  });
});
