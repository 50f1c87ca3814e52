import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConversationPlayer } from './conversation-player.ts';
import type { Timeline, Turn } from './timeline.ts';
import type { Media } from './voice.ts';

/** An audio element that plays a test's recordings by the test's clock. */
class FakeMedia implements Media {
  preload = '';
  currentTime = 0;
  playbackRate = 1;
  defaultPlaybackRate = 1;
  duration = Number.NaN;
  paused = true;
  ended = false;
  readyState = 0;
  isStalled = false;
  #src = '';
  readonly #listeners = new Map<string, (() => void)[]>();

  get src() {
    return this.#src;
  }
  set src(address: string) {
    this.#src = address;
    this.readyState = 0;
    this.currentTime = 0;
    this.ended = false;
    const path = new URL(address).pathname;
    queueMicrotask(() => {
      if (address !== this.#src) return;
      const seconds = new URL(address).searchParams.has('expired') ? undefined : recordings[path];
      if (seconds === undefined) return this.#tell('error');
      this.duration = seconds;
      this.readyState = 4;
      this.#tell('loadedmetadata');
      if (!this.paused) this.#tell('playing');
    });
  }

  async play() {
    if (isForbidden) throw new DOMException('no', 'NotAllowedError');
    this.paused = false;
    if (this.readyState > 0) queueMicrotask(() => this.#tell('playing'));
  }
  pause() {
    this.paused = true;
  }
  load() {}
  removeAttribute() {
    this.#src = '';
    this.readyState = 0;
  }
  addEventListener(type: string, listener: () => void) {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
  }
  #tell(type: string) {
    for (const listener of this.#listeners.get(type) ?? []) listener();
  }

  advance(seconds: number) {
    if (this.paused || this.ended || this.readyState === 0 || this.isStalled) return;
    const real = Number.isFinite(this.duration) ? this.duration : streamed;
    this.currentTime = Math.min(real, this.currentTime + seconds * this.playbackRate);
    if (this.currentTime < real) return;
    this.ended = true;
    this.paused = true;
    this.#tell('ended');
  }
  get isPlaying() {
    return !this.paused && this.readyState > 0;
  }
}

/** Seconds of a recording whose file does not state its length. */
const streamed = 3;

/** Seconds of each recording. */
let recordings: Record<string, number>;
let isForbidden: boolean;
let media: FakeMedia[];
let player: ConversationPlayer;
let measured: [string, number][];
let renew: (id: string) => Promise<string | null>;
beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  recordings = { '/a': 2, '/b': 3, '/c': 2 };
  isForbidden = false;
  media = [];
  measured = [];
  renew = async () => null;
  player = new ConversationPlayer({
    createMedia: () => {
      const one = new FakeMedia();
      media.push(one);
      return one;
    },
    renew: (id) => renew(id),
    onMeasured: (id, seconds) => measured.push([id, seconds]),
    now: () => performance.now(),
  });
});
afterEach(() => {
  player.setSpeed(1);
  player.release();
  vi.useRealTimers();
});

const turn = (id: string, start: number, length: number, change: Partial<Turn> = {}): Turn => ({
  id,
  isCustomer: id === 'b',
  start,
  length,
  audioUrl: `/${id}`,
  isGuessed: false,
  isCut: false,
  ...change,
});
const timeline = (...turns: Turn[]): Timeline => ({
  turns,
  length: Math.max(...turns.map(({ start, length }) => start + length)),
  hasSound: turns.some(({ audioUrl }) => audioUrl),
});
/** a from 0 to 2, b from 2.5 to 5.5, c from 6 to 8. */
const three = () => timeline(turn('a', 0, 2), turn('b', 2.5, 3), turn('c', 6, 2));

const pass = async (seconds: number) => {
  for (let step = 0; step < Math.round(seconds * 20); step++) {
    for (const each of media) each.advance(0.05);
    await vi.advanceTimersByTimeAsync(50);
  }
};
const playingNow = () => media.filter((each) => each.isPlaying).map(({ src }) => new URL(src).pathname);
const state = () => {
  const { phase, at, turnId } = player.read();
  return { phase, at: Math.round(at * 10) / 10, turnId };
};

describe('a conversation that is played', () => {
  it('is heard turn after turn with its pauses, and stands at its beginning afterwards', async () => {
    player.setTimeline(three());
    const order: string[] = [];
    player.subscribe(() => {
      const { turnId } = player.read();
      if (turnId && order.at(-1) !== turnId) order.push(turnId);
    });
    player.play();
    await pass(1);
    expect([playingNow(), state()]).toEqual([['/a'], { phase: 'playing', at: 1, turnId: 'a' }]);
    await pass(1.3);
    expect(playingNow()).toEqual([]);
    await pass(1.2);
    expect(playingNow()).toEqual(['/b']);
    await pass(3);
    expect(playingNow()).toEqual(['/c']);
    await pass(3);
    expect(order).toEqual(['a', 'b', 'c']);
    expect(state()).toEqual({ phase: 'stopped', at: 0, turnId: null });
  });

  it('lets both be heard where one cut in, and goes on with the newer', async () => {
    player.setTimeline(timeline(turn('a', 0, 2, { isCut: true }), turn('b', 1.5, 3), turn('c', 5, 2)));
    player.play();
    await pass(1.8);
    expect(playingNow().sort()).toEqual(['/a', '/b']);
    expect(state().turnId).toBe('b');
    await pass(1);
    expect(playingNow()).toEqual(['/b']);
    await pass(3);
    expect(playingNow()).toEqual(['/c']);
    await pass(3);
    expect(state().phase).toBe('stopped');
  });

  it('fetches the next turn while one is heard', async () => {
    player.setTimeline(three());
    player.play();
    await pass(0.5);
    expect(media.map(({ src }) => new URL(src).pathname).sort()).toEqual(['/a', '/b']);
    expect(media).toHaveLength(2);
  });

  it('pauses and goes on where it was, also within a pause', async () => {
    player.setTimeline(three());
    player.play();
    await pass(1);
    player.toggle();
    await pass(5);
    expect([playingNow(), state()]).toEqual([[], { phase: 'stopped', at: 1, turnId: 'a' }]);
    player.toggle();
    await pass(1.2);
    expect(state().at).toBeCloseTo(2.2, 0);
    player.pause();
    await pass(2);
    player.play();
    await pass(1);
    expect(playingNow()).toEqual(['/b']);
  });

  it('passes a turn without sound in its beat, and shows it', async () => {
    player.setTimeline(timeline(turn('a', 0, 2), turn('b', 2.4, 0.6, { audioUrl: null }), turn('c', 3.4, 2)));
    player.play();
    await pass(2.7);
    expect([playingNow(), state().turnId]).toEqual([[], 'b']);
    await pass(1.2);
    expect(playingNow()).toEqual(['/c']);
  });

  it('waits while the network is slow', async () => {
    player.setTimeline(three());
    player.play();
    await pass(1);
    for (const each of media) each.isStalled = true;
    await pass(10);
    expect(state()).toMatchObject({ at: 1, turnId: 'a' });
    for (const each of media) each.isStalled = false;
    await pass(2);
    expect(playingNow()).toEqual(['/b']);
  });

  it('goes faster as a whole, and remembers it', async () => {
    player.setTimeline(three());
    player.setSpeed(2);
    player.play();
    await pass(1.5);
    expect(playingNow()).toEqual(['/b']);
    expect(media.find((each) => each.isPlaying)?.playbackRate).toBe(2);
    const other = new ConversationPlayer({
      createMedia: () => new FakeMedia(),
      renew,
      onMeasured: () => {},
    });
    expect(other.read().speed).toBe(2);
  });

  it('is not played at all without any sound', () => {
    player.setTimeline(timeline(turn('a', 0, 0.6, { audioUrl: null })));
    player.play();
    expect([state().phase, media]).toEqual(['stopped', []]);
  });

  it('falls silent when another one is played', async () => {
    player.setTimeline(three());
    player.play();
    await pass(0.5);
    const other = new ConversationPlayer({
      createMedia: () => new FakeMedia(),
      renew,
      onMeasured: () => {},
    });
    other.setTimeline(three());
    other.play();
    expect(player.read().phase).toBe('stopped');
    other.release();
  });

  it('stands ready where the browser allows no sound', async () => {
    isForbidden = true;
    player.setTimeline(three());
    player.play();
    await pass(0.2);
    expect(player.read().phase).toBe('stopped');
  });
});

describe('seeking', () => {
  it('goes into any turn at any place, while it plays and before', async () => {
    player.setTimeline(three());
    player.seek(7);
    expect([state(), media]).toEqual([{ phase: 'stopped', at: 7, turnId: 'c' }, []]);
    player.play();
    await pass(0.2);
    expect(playingNow()).toEqual(['/c']);
    player.seek(3.5);
    await pass(0.1);
    expect(playingNow()).toEqual(['/b']);
    expect(media.find((each) => each.isPlaying)?.currentTime).toBeCloseTo(1.05, 1);
    player.seek(-4);
    await pass(0.1);
    expect(playingNow()).toEqual(['/a']);
  });

  it('plays from a turn that was chosen', async () => {
    player.setTimeline(three());
    player.playTurn('b', 1);
    await pass(0.2);
    expect([playingNow(), state()]).toEqual([['/b'], { phase: 'playing', at: 3.7, turnId: 'b' }]);
    player.playTurn('gone');
    expect(state().turnId).toBe('b');
  });

  it('steps from turn to turn, and back to the beginning of this one first', async () => {
    player.setTimeline(three());
    player.seek(4.5);
    player.step(-1);
    expect(state().at).toBe(2.5);
    player.step(-1);
    expect(state().at).toBe(0);
    player.step(-1);
    expect(state().at).toBe(0);
    player.step(1);
    player.step(1);
    expect(state().turnId).toBe('c');
    player.step(1);
    expect(state().at).toBe(8);
  });
});

describe('a recording', () => {
  it('whose link has expired is heard by a new one, from where it was', async () => {
    renew = async (id) => `/${id}?signature=new`;
    player.setTimeline(timeline(turn('a', 0, 2, { audioUrl: '/a?expired' }), turn('b', 2.5, 3)));
    player.playTurn('a', 1);
    await pass(0.2);
    const one = media.find((each) => each.isPlaying);
    expect([one?.src, one?.currentTime]).toEqual([
      expect.stringContaining('/a?signature=new'),
      expect.closeTo(1.2, 1),
    ]);
    expect(player.read().failed.size).toBe(0);
  });

  it('that has gone is passed over, told, and tried again when it is asked for', async () => {
    delete recordings['/b'];
    renew = async (id) => `/${id}?signature=new`;
    player.setTimeline(three());
    player.play();
    await pass(2.8);
    expect([...player.read().failed]).toEqual(['b']);
    await pass(1);
    expect(playingNow()).toEqual(['/c']);
    recordings['/b'] = 3;
    player.playTurn('b');
    await pass(0.2);
    expect([playingNow(), player.read().failed.size]).toEqual([['/b'], 0]);
  });

  it('tells its real length', async () => {
    player.setTimeline(timeline(turn('a', 0, 5), turn('b', 5.5, 3)));
    player.play();
    await pass(0.1);
    expect(measured).toContainEqual(['a', 2]);
  });

  it('that does not say its length is heard to its end before the next begins', async () => {
    recordings['/a'] = Number.POSITIVE_INFINITY;
    player.setTimeline(timeline(turn('a', 0, 1, { isGuessed: true }), turn('b', 1.5, 3)));
    player.play();
    await pass(2.5);
    expect(playingNow()).toEqual(['/a']);
    await pass(1.2);
    expect(measured).toContainEqual(['a', 3]);
    expect(playingNow()).toEqual(['/b']);
  });

  it('keeps its place when the conversation was loaded again and turned out longer before it', async () => {
    player.setTimeline(three());
    player.playTurn('b', 1);
    await pass(0.2);
    player.setTimeline(timeline(turn('a', 0, 4), turn('b', 4.5, 3), turn('c', 8, 2)));
    await pass(0.2);
    expect([playingNow(), state()]).toEqual([['/b'], { phase: 'playing', at: 5.9, turnId: 'b' }]);
  });
});
