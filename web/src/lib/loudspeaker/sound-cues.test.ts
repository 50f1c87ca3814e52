import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeSoundContext } from './fake-sound-context.ts';
import { type CueContext, createCuePlayer } from './sound-cues.ts';

interface Struck {
  hertz: number;
  from: number;
  until: number;
}

/** An audio output that records notes. Seconds on its clock. */
class FakeCueContext extends FakeSoundContext implements CueContext {
  readonly notes: Struck[] = [];
  suspended = 0;

  async suspend() {
    this.suspended += 1;
  }

  createOscillator() {
    const note = { hertz: 0, from: 0, until: 0 };
    this.notes.push(note);
    return {
      connect: () => {},
      disconnect: () => {},
      frequency: {
        setValueAtTime: (hertz: number) => {
          note.hertz = hertz;
        },
      },
      start: (when: number) => {
        note.from = when;
      },
      stop: (when: number) => {
        note.until = when;
      },
    };
  }
}

let context: FakeCueContext;
let made: number;
const player = () =>
  createCuePlayer(() => {
    made += 1;
    return context;
  });

beforeEach(() => {
  vi.useFakeTimers();
  context = new FakeCueContext();
  made = 0;
});
afterEach(() => vi.useRealTimers());

const rises = () => (context.notes.at(-1)?.hertz ?? 0) > (context.notes.at(0)?.hertz ?? 0);

describe('a cue', () => {
  it.each([
    ['joined', true],
    ['unmuted', true],
    ['muted', false],
    ['ended', false],
  ] as const)('%s is heard, short, soft, and goes the right way', async (cue, isRising) => {
    context.currentTime = 7;
    await player()(cue);
    expect(rises()).toBe(isRising);
    for (const { from, until } of context.notes) {
      expect(from).toBeGreaterThanOrEqual(7);
      expect(until).toBeLessThanOrEqual(7.5);
    }
    expect(Math.max(...context.fades.map(({ value }) => value))).toBeLessThanOrEqual(0.1);
    expect(context.fades.at(-1)?.value).toBe(0);
  });

  it('opens the audio device for the first one and lets go of it afterwards', async () => {
    const play = player();
    expect(made).toBe(0);
    await play('joined');
    await play('muted');
    expect([made, context.suspended]).toEqual([1, 0]);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(context.suspended).toBe(1);
  });

  it('that the browser allows only later is not heard late', async () => {
    context.state = 'suspended';
    let allow = () => {};
    context.resume = () =>
      new Promise((resolve) => {
        allow = resolve;
      });
    const playing = player()('joined');
    await vi.advanceTimersByTimeAsync(1_000);
    allow();
    await playing;
    expect(context.notes).toEqual([]);
  });

  it('fails nothing where there is no sound at all', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const play = createCuePlayer(() => {
      throw new Error('no audio device');
    });
    await expect(play('ended')).resolves.toBeUndefined();
  });
});
