import { logProblem } from '#web/lib/log';
import { type Timeline, type Turn, turnAt } from './timeline.ts';
import { type Media, Voice } from './voice.ts';

export interface PlayerState {
  phase: 'stopped' | 'loading' | 'playing';
  /** Seconds on the timeline. */
  at: number;
  /** The turn being played, or at which playing stopped; null before the first. */
  turnId: string | null;
  speed: number;
  /** Turns whose recording cannot be played: they are skipped. */
  failed: ReadonlySet<string>;
}

interface PlayerOptions {
  createMedia: () => Media;
  /** A new address for a turn's recording whose link has expired; null if it is gone. */
  renew: (turnId: string) => Promise<string | null>;
  /** Called with the real length of a recording, in seconds. */
  onMeasured: (turnId: string, seconds: number) => void;
  /** Milliseconds. */
  now?: () => number;
}

const TICK_MS = 50;
/** Going back this soon after a turn's beginning goes to the one before. Seconds. */
const JUST_BEGUN = 1.5;

const silence: Timeline = { turns: [], length: 0, hasSound: false };

/** Only one conversation plays at a time. */
let playing: ConversationPlayer | null = null;
/** The listener's speed, remembered while the page is open. */
let likedSpeed = 1;

/**
 * Plays a conversation turn by turn along its timeline: pauses follow the clock, turns their own sound, so that display
 * and sound agree even on a slow network. Two voices suffice, since an interruption is not interrupted in turn; the
 * free one loads the next turn.
 */
export class ConversationPlayer {
  readonly #options: PlayerOptions;
  readonly #now: () => number;
  readonly #listeners = new Set<() => void>();
  #voices: Voice[] = [];
  #timeline = silence;
  #state: PlayerState = { phase: 'stopped', at: 0, turnId: null, speed: likedSpeed, failed: new Set() };
  #ticking: ReturnType<typeof setInterval> | undefined;
  #tickedAt = 0;
  /** Index of the last turn begun since the last jump. */
  #begun = -1;

  constructor(options: PlayerOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly read = (): PlayerState => this.#state;

  get timeline(): Timeline {
    return this.#timeline;
  }

  /** Sets a conversation, or an update of it with more turns, other lengths or newer links. Playing continues. */
  setTimeline(timeline: Timeline): void {
    const { at, turnId } = this.#state;
    const before = this.#timeline.turns.find(({ id }) => id === turnId);
    const after = timeline.turns.find(({ id }) => id === turnId);
    this.#timeline = timeline;
    this.#begun = timeline.turns.findIndex(({ id }) => id === turnId);
    const moved = before && after ? after.start + (at - before.start) : at;
    this.#change({ at: Math.min(Math.max(0, moved), timeline.length) });
  }

  toggle(): void {
    if (this.#state.phase === 'stopped') this.play();
    else this.pause();
  }

  /** Continues where it stopped; after the end from the beginning. */
  play(): void {
    if (!this.#timeline.hasSound) return;
    if (playing !== this) playing?.pause();
    playing = this;
    this.#unlock();
    const { at } = this.#state;
    this.#enter(at >= this.#timeline.length - 0.05 ? 0 : at);
    this.#tickedAt = this.#now();
    this.#ticking ??= setInterval(() => this.#tick(), TICK_MS);
  }

  pause(): void {
    this.#halt();
    this.#change({ phase: 'stopped' });
  }

  /** @param seconds on the timeline */
  seek(seconds: number): void {
    const at = Math.min(Math.max(0, seconds), this.#timeline.length);
    if (this.#state.phase === 'stopped') this.#place(at);
    else this.#enter(at);
  }

  /** Plays from a moment. @param seconds on the timeline; its end plays nothing */
  playFrom(seconds: number): void {
    this.seek(seconds);
    if (this.#state.phase === 'stopped' && this.#state.at < this.#timeline.length - 0.05) this.play();
  }

  /** Plays from a turn. @param offset seconds from its beginning */
  playTurn(turnId: string, offset = 0): void {
    const turn = this.#timeline.turns.find(({ id }) => id === turnId);
    if (!turn) return;
    if (this.#state.failed.has(turnId)) this.#change({ failed: without(this.#state.failed, turnId) });
    this.#place(turn.start + Math.min(Math.max(0, offset), turn.length));
    this.play();
  }

  /** To the next turn, or to the beginning of this one, or of the one before if this one has just begun. */
  step(direction: 1 | -1): void {
    const { turns, length } = this.#timeline;
    const place = turnAt(this.#timeline, this.#state.at);
    const hasJustBegun = this.#state.at - (turns[place]?.start ?? 0) < JUST_BEGUN;
    const target = direction === 1 ? place + 1 : hasJustBegun ? place - 1 : place;
    this.seek(target < 0 ? 0 : (turns[target]?.start ?? length));
  }

  setSpeed(speed: number): void {
    likedSpeed = speed;
    for (const voice of this.#voices) voice.setSpeed(speed);
    this.#change({ speed });
  }

  /** Stops and releases every recording; it may be played again. */
  release(): void {
    this.pause();
    for (const voice of this.#voices) voice.release();
    this.#voices = [];
    if (playing === this) playing = null;
  }

  /** Phones allow later sound only from elements started by the person's own action. */
  #unlock(): void {
    if (this.#voices.length > 0) return;
    this.#voices = [1, 2].map(
      () =>
        new Voice(this.#options.createMedia(), {
          renew: (turn) => this.#options.renew(turn.id),
          onLength: (turn, seconds) => this.#options.onMeasured(turn.id, seconds),
          onFailed: (turn) => this.#passOver(turn),
          onForbidden: (error) => {
            logProblem('A recording did not play.', error);
            this.pause();
          },
        }),
    );
  }

  /** Starts the turns at a moment; two if they overlap. In a turn that already plays, only seeks. */
  #enter(at: number): void {
    const { turns } = this.#timeline;
    const place = turnAt(this.#timeline, at);
    const wanted = [turns[place - 1], turns[place]].filter(
      (turn) => turn && this.#isAudible(turn) && turn.start <= at && at < turn.start + turn.length,
    );
    for (const voice of this.#voices)
      if (!wanted.some((turn) => turn?.id === voice.turn?.id)) voice.release();
    this.#begun = place;
    for (const turn of wanted) if (turn) this.#begin(turn, at - turn.start);
    this.#place(at);
    this.#change({ phase: this.#voices.some(({ isWaiting }) => isWaiting) ? 'loading' : 'playing' });
  }

  #begin(turn: Turn, offset: number): void {
    const voice =
      this.#voices.find((each) => each.turn?.id === turn.id) ??
      this.#voices.find((each) => !each.isBusy) ??
      this.#voices.find((each) => each !== this.#leading());
    voice?.play(turn, offset, this.#state.speed);
  }

  #tick(): void {
    const now = this.#now();
    const passed = (now - this.#tickedAt) / 1_000;
    this.#tickedAt = now;
    const { turns, length } = this.#timeline;
    const leading = this.#leading();
    for (const voice of this.#voices) if (voice !== leading && voice.hasEnded) voice.release();
    // An interrupted turn may end after the interruption has: time does not go back to it.
    const at = Math.max(this.#state.at, this.#nextMoment(leading, passed));

    const next = turns[this.#begun + 1];
    const mustWait = leading?.isBusy === true && this.#turnOf(leading)?.isGuessed === true;
    if (next && at >= next.start && !mustWait) {
      this.#begun += 1;
      if (this.#isAudible(next)) this.#begin(next, 0);
      this.#place(next.start);
    } else if (!next && !leading?.isBusy && at >= length) {
      this.#halt();
      this.#change({ phase: 'stopped', at: 0, turnId: null });
      return;
    } else {
      this.#place(at);
      this.#fetchNext(leading);
    }
    this.#change({ phase: this.#voices.some(({ isWaiting }) => isWaiting) ? 'loading' : 'playing' });
  }

  /** The voice that plays the newest turn. */
  #leading(): Voice | undefined {
    return this.#voices
      .filter(({ isBusy }) => isBusy)
      .reduce<Voice | undefined>(
        (newest, voice) => ((newest?.turn?.start ?? -1) > (voice.turn?.start ?? 0) ? newest : voice),
        undefined,
      );
  }

  /** The turn of a voice on the current timeline. */
  #turnOf(voice: Voice | undefined): Turn | undefined {
    return voice?.turn ? this.#timeline.turns.find(({ id }) => id === voice.turn?.id) : undefined;
  }

  /** The position: that of the newest turn's sound; in a pause, advanced by the passed time. */
  #nextMoment(leading: Voice | undefined, passed: number): number {
    const turn = this.#turnOf(leading);
    if (!leading || !turn) return this.#state.at + passed * this.#state.speed;
    if (!leading.hasEnded) return turn.start + leading.at;
    if (turn.isGuessed) this.#options.onMeasured(turn.id, leading.at);
    leading.release();
    return turn.start + turn.length;
  }

  /** The free voice loads the next turn while the other one plays. */
  #fetchNext(leading: Voice | undefined): void {
    if (!leading || leading.isWaiting) return;
    const next = this.#timeline.turns
      .slice(this.#begun + 1, this.#begun + 4)
      .find((turn) => this.#isAudible(turn));
    const free = this.#voices.find(({ isBusy }) => !isBusy);
    if (next && free && free.turn?.id !== next.id) free.prepare(next);
  }

  #passOver(turn: Turn): void {
    this.#change({ failed: new Set([...this.#state.failed, turn.id]) });
    if (this.#state.phase !== 'stopped' && this.#state.turnId === turn.id) {
      const now = this.#timeline.turns.find(({ id }) => id === turn.id);
      if (now) this.#place(now.start + now.length);
    }
  }

  #isAudible({ audioUrl, id }: Turn): boolean {
    return audioUrl !== null && !this.#state.failed.has(id);
  }

  /** Stops the sound in place. */
  #halt(): void {
    clearInterval(this.#ticking);
    this.#ticking = undefined;
    for (const voice of this.#voices) voice.pause();
  }

  #place(at: number): void {
    const clipped = Math.min(Math.max(0, at), this.#timeline.length);
    this.#change({ at: clipped, turnId: this.#timeline.turns[turnAt(this.#timeline, clipped)]?.id ?? null });
  }

  #change(change: Partial<PlayerState>): void {
    const keys = Object.keys(change) as (keyof PlayerState)[];
    if (keys.every((key) => this.#state[key] === change[key])) return;
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

const without = (ids: ReadonlySet<string>, id: string) => new Set([...ids].filter((each) => each !== id));
