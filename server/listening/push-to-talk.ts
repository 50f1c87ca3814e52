import { VOICE_FRAME_SAMPLES } from '#server/engines/voice-activity/contract';
import type { TurnTaking, TurnTakingListener, TurnTakingOptions } from './contract.ts';
import { Partials } from './partials.ts';
import { RecentSound, toMs, toSamples } from './sound.ts';
import { newCaller, sentenceOf, Transcription } from './transcription.ts';
import { VoicedFrames } from './voiced-frames.ts';

/** The longest push-to-talk utterance. */
const LONGEST = toSamples(600_000);
const PRE_ROLL = toSamples(300);
const POST_ROLL = toSamples(300);
const ONSET_FRAMES = 4;
const PARTIAL_EVERY = toSamples(700);
/**
 * A stretch is recognised at a pause after this length, or at its quietest moment when it becomes too long.
 */
const STRETCH = toSamples(8_000);
const STRETCH_PAUSE = toSamples(320);
const LONGEST_STRETCH = toSamples(20_000);
/** After this much silence, the words so far are recognised, however few, and further silence is dropped. */
const SETTLED_PAUSE = toSamples(1_000);

const TOO_LONG = 'You can speak for 10 minutes at a time. What you said until now was taken.';

/**
 * Turn-taking with a button: the customer says when they have finished. Silence costs nothing, and sound is
 * kept only for seconds.
 */
export class PushToTalk implements TurnTaking {
  readonly #options: TurnTakingOptions;
  readonly #frames: VoicedFrames;
  readonly #sound = new RecentSound();
  readonly #hearing = new AbortController();
  readonly #transcription: Transcription;
  readonly #partials: Partials;
  #voicedInRow = 0;
  /** Whether the customer is speaking, including pauses of up to a second. */
  #speaking = false;
  #startedAt: number | null = null;
  #endedAt = 0;
  #stretch: Promise<unknown> | null = null;
  #full = false;
  #ending: Promise<void> | null = null;
  #closed = false;

  constructor(options: TurnTakingOptions) {
    this.#options = options;
    this.#transcription = new Transcription({
      recognition: options.recognition,
      language: options.language,
      caller: newCaller(),
      sound: this.#sound,
      from: 0,
      signal: this.#hearing.signal,
    });
    const source = { sound: this.#sound, transcription: this.#transcription };
    this.#partials = new Partials(source, PARTIAL_EVERY, (text) => {
      if (text !== '' && !this.#ending && !this.#full) this.#tell((listener) => listener.partial(text));
    });
    this.#frames = new VoicedFrames(options.voiceActivity.open(), {
      frame: (samples, isVoiced) => this.#frame(samples, isVoiced),
      overrun: () =>
        this.#tell((listener) =>
          listener.failed('Sound comes faster than it can be understood; part of it was left out.', false),
        ),
      failed: (error) =>
        this.#tell((listener) => {
          this.close();
          listener.failed(sentenceOf(error), true);
        }),
    });
  }

  get waitingMs(): number {
    return this.#frames.waitingMs;
  }

  accept(samples: Float32Array): void {
    if (!this.#ending && !this.#full) this.#frames.accept(samples);
  }

  /** With a button nothing is interrupted: the page stops the agent's voice when it is pressed. */
  agentSays(): void {}

  end(): Promise<void> {
    this.#ending ??= this.#finish();
    return this.#ending;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#frames.close();
    this.#hearing.abort();
    this.#sound.forgetBefore(this.#sound.end);
  }

  async #finish(): Promise<void> {
    await this.#frames.drain();
    if (this.#full) return;
    await this.#tellUtterance();
    this.close();
  }

  #tell(tell: (listener: TurnTakingListener) => void): void {
    if (!this.#closed) tell(this.#options.listener);
  }

  #frame(samples: Float32Array, isVoiced: boolean): Promise<void> | undefined {
    if (this.#full) return;
    this.#sound.append(samples);
    const now = this.#sound.end;
    this.#voicedInRow = isVoiced ? this.#voicedInRow + 1 : 0;
    if (now >= LONGEST) {
      this.#full = true;
      return this.#tellUtterance().then(() =>
        this.#tell((listener) => {
          this.close();
          listener.failed(TOO_LONG, true);
        }),
      );
    }
    if (!this.#speaking) {
      if (this.#voicedInRow < ONSET_FRAMES) {
        this.#sound.forgetBefore(now - PRE_ROLL - ONSET_FRAMES * VOICE_FRAME_SAMPLES);
        return;
      }
      const startedAt = now - this.#voicedInRow * VOICE_FRAME_SAMPLES;
      this.#startedAt ??= startedAt;
      this.#transcription.skipTo(Math.max(startedAt - PRE_ROLL, this.#sound.start));
      this.#speaking = true;
      this.#partials.after();
      this.#tell((listener) => listener.speaking(true));
    }
    if (isVoiced) this.#endedAt = now;
    return this.#followSpeech(now);
  }

  #followSpeech(now: number): Promise<void> | undefined {
    const silence = now - this.#endedAt;
    const open = now - this.#transcription.openFrom;
    if (silence >= SETTLED_PAUSE) {
      this.#speaking = false;
      this.#tell((listener) => listener.speaking(false));
      return this.#closeStretch(this.#endedAt + POST_ROLL);
    }
    if (open >= STRETCH && silence >= STRETCH_PAUSE)
      return this.#closeStretch(this.#endedAt + STRETCH_PAUSE / 2);
    if (open >= LONGEST_STRETCH)
      return this.#closeStretch(this.#sound.quietest(now - toSamples(3_000), now - toSamples(200)));
    if (silence === 0) this.#partials.follow();
    return;
  }

  /** One stretch at a time: if recognition is behind, the sound waits. */
  async #closeStretch(upTo: number): Promise<void> {
    this.#partials.drop();
    const before = this.#stretch;
    const stretch = this.#transcription.closeStretch(upTo);
    this.#stretch = stretch;
    this.#sound.forgetBefore(upTo);
    await before;
    this.#tellLoss();
    // Its sound has been copied; its text is shown with the next stretch.
    void stretch.then(() => this.#tellLoss());
    this.#partials.after(0);
  }

  #tellLoss(): void {
    const loss = this.#transcription.takeLoss();
    if (loss !== null) this.#tell((listener) => listener.failed(sentenceOf(loss), false));
  }

  async #tellUtterance(): Promise<void> {
    this.#partials.drop();
    if (this.#startedAt === null || this.#closed) return;
    const open = this.#speaking
      ? Math.min(this.#sound.end, this.#endedAt + POST_ROLL)
      : this.#transcription.openFrom;
    let text = '';
    try {
      ({ whole: text } = await this.#transcription.read(open, 'final', this.#hearing.signal));
    } catch (error) {
      // The text recognised so far is still useful.
      if (this.#hearing.signal.aborted) return;
      this.#tell((listener) => listener.failed(sentenceOf(error), false));
      text = await this.#transcription.read(this.#transcription.openFrom, 'final', this.#hearing.signal).then(
        ({ whole }) => whole,
        () => '',
      );
    }
    this.#tellLoss();
    const startedAtMs = toMs(this.#startedAt);
    const endedAtMs = toMs(this.#endedAt);
    this.#tell((listener) => {
      if (/[\p{L}\p{N}]/u.test(text))
        listener.utterance({
          text,
          samples: null,
          startedAtMs,
          endedAtMs,
          waitedMs: toMs(this.#sound.end) - endedAtMs,
          continues: false,
        });
      if (this.#speaking) listener.speaking(false);
    });
    this.#speaking = false;
  }
}
