import { LONGEST_WAIT_MS, type TurnJudgementEngine } from '#server/engines/turn-judgement/contract';
import { VOICE_FRAME_SAMPLES } from '#server/engines/voice-activity/contract';
import type { ExpectedAnswer } from '#server/languages/turn-taking';
import { AgentVoice } from './agent-voice.ts';
import { Contests } from './contests.ts';
import type { TurnTaking, TurnTakingListener, TurnTakingOptions } from './contract.ts';
import { CallExperience } from './experience.ts';
import { Partials } from './partials.ts';
import { Pauses } from './pauses.ts';
import { meanPower, RecentSound, toMs, toSamples } from './sound.ts';
import { hasWords, newSpeech, type Pause, type Speech } from './speech.ts';
import type { Stream } from './stream.ts';
import { newCaller, sentenceOf, Transcription } from './transcription.ts';
import { VoicedFrames } from './voiced-frames.ts';

/** Kept before the first voiced frame: a detector notices vowels, and "f" and "th" come before them. */
const PRE_ROLL = toSamples(300);
/** Kept before the first word that is louder than the echo. */
const PRE_ROLL_OVER_ECHO = toSamples(128);
/** Kept after the last voiced frame in a recording. */
const POST_ROLL = toSamples(200);
/** Voiced frames in a row that begin speech: four are 128 ms, longer than a click. */
const ONSET_FRAMES = 4;
/**
 * Over the agent's voice, or just before it, one frame is enough: the agent must pause at once, and a false
 * alarm costs half a second.
 */
const ONSET_FRAMES_OVER_AGENT = 1;
/** Voiced frames in a row that end a pause; one or two are a breath or a noise. */
const RESUME_FRAMES = 3;
/**
 * Silence after which recognition of a possibly complete utterance begins; shorter gaps occur inside words.
 */
const FIRST_PAUSE = toSamples(64);
/** New speech between two partial transcripts. */
const PARTIAL_EVERY = toSamples(600);
/** A stretch without a pause is cut at a quiet moment. */
const LONGEST_STRETCH = toSamples(20_000);
/** An utterance that does not end is taken as it is. */
const LONGEST_UTTERANCE = toSamples(60_000);
/** Longest wait for a judge at the end of the stream, in milliseconds: without sound there is no clock. */
const LAST_JUDGEMENT_MS = 500;

/** Turn-taking without a button: finds utterances, decides when they end, and who has the floor. */
export class HandsFree implements TurnTaking {
  readonly #options: TurnTakingOptions;
  readonly #frames: VoicedFrames;
  readonly #sound = new RecentSound();
  readonly #agent: AgentVoice;
  readonly #experience = new CallExperience();
  readonly #caller = newCaller();
  readonly #contests: Contests;
  readonly #pauses: Pauses;
  #speech: Speech | null = null;
  #voicedInRow = 0;
  /** Sound before this position cannot belong to a new utterance. */
  #takenUpTo = 0;
  #ending = false;
  #closed = false;

  constructor(options: TurnTakingOptions, judgement: TurnJudgementEngine) {
    this.#options = options;
    this.#agent = new AgentVoice(this.#sound, options.language);
    const stream = this.#shared(judgement);
    this.#contests = new Contests(stream);
    this.#pauses = new Pauses(stream, this.#contests);
    this.#frames = new VoicedFrames(options.voiceActivity.open(), {
      frame: (samples, isVoiced) => this.#frame(samples, isVoiced),
      overrun: () =>
        this.#tell((listener) =>
          listener.failed('Sound comes faster than it can be understood; part of it was left out.', false),
        ),
      failed: (error) => this.#fail(error),
    });
  }

  get waitingMs(): number {
    return this.#frames.waitingMs;
  }

  accept(samples: Float32Array): void {
    if (!this.#ending) this.#frames.accept(samples);
  }

  agentSays(text: string | null, expects: ExpectedAnswer | null = null): void {
    if (this.#closed) return;
    if (!text) {
      if (this.#agent.isAudible) this.#agent.fallSilent();
      else this.#expectNoReply();
      return;
    }
    this.#agent.says(text, expects);
    // The agent begins to speak while the customer does: decide now who has the floor.
    if (this.#speech && !this.#speech.contest) this.#contest(this.#speech);
  }

  async end(): Promise<void> {
    if (this.#ending || this.#closed) return;
    this.#ending = true;
    await this.#frames.drain();
    while (this.#speech && !this.#closed) {
      const speech = this.#speech;
      const pause = speech.pause ?? this.#pauses.begin(speech);
      await pause.recognized;
      const { judged } = pause;
      await soon(judged);
      if (this.#speech !== speech || speech.pause !== pause || pause.judged !== judged) continue;
      if (speech.contest) this.#dismiss(speech);
      else this.#take(speech);
    }
    this.close();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#frames.close();
    if (this.#speech) this.#finish(this.#speech);
    this.#sound.forgetBefore(this.#sound.end);
  }

  #shared(judgement: TurnJudgementEngine): Stream {
    return {
      language: this.#options.language,
      sound: this.#sound,
      agent: this.#agent,
      experience: this.#experience,
      judgement,
      voicedInRow: () => this.#voicedInRow,
      follows: (speech) => this.#speech === speech,
      tell: (tell) => this.#tell(tell),
      announce: (speech) => this.#announce(speech),
      take: (speech) => this.#take(speech),
      dismiss: (speech) => this.#dismiss(speech),
    };
  }

  #tell(tell: (listener: TurnTakingListener) => void): void {
    if (!this.#closed) tell(this.#options.listener);
  }

  #fail(error: unknown): void {
    const message = sentenceOf(error);
    this.#tell((listener) => {
      this.close();
      listener.failed(message, true);
    });
  }

  /** The agent is not speaking and no reply is coming, so nothing is interrupted. */
  #expectNoReply(): void {
    this.#agent.expectNoReply();
    const speech = this.#speech;
    if (speech?.contest && !speech.overAgent) this.#contests.callOff(speech, speech.contest);
  }

  #frame(samples: Float32Array, isVoiced: boolean): Promise<void> | undefined {
    this.#sound.append(samples);
    this.#voicedInRow = isVoiced ? this.#voicedInRow + 1 : 0;
    this.#contests.hearFrame(samples, this.#speech);
    if (this.#speech) return this.#followSpeech(this.#speech, samples);
    const onset = this.#agent.hasTheFloor ? ONSET_FRAMES_OVER_AGENT : ONSET_FRAMES;
    if (this.#voicedInRow >= onset) this.#beginSpeech();
    else this.#sound.forgetBefore(this.#sound.end - PRE_ROLL - ONSET_FRAMES * VOICE_FRAME_SAMPLES);
    return;
  }

  #beginSpeech(): void {
    const sound = this.#sound;
    const now = sound.end;
    const startedAt = now - this.#voicedInRow * VOICE_FRAME_SAMPLES;
    const from = Math.max(startedAt - PRE_ROLL, this.#takenUpTo, sound.start);
    const over = new AbortController();
    const { recognition } = this.#options;
    const transcription = new Transcription({
      recognition,
      language: this.#options.language,
      caller: this.#caller,
      sound,
      from,
      signal: over.signal,
    });
    const partials = new Partials({ sound, transcription }, PARTIAL_EVERY, (text) => {
      if (this.#speech !== speech || speech.contest || !hasWords(text)) return;
      speech.lastText = text;
      this.#tell((listener) => listener.partial(text));
    });
    const speech = newSpeech({ from, startedAt, transcription, partials, over }, sound);
    this.#speech = speech;
    if (this.#agent.hasTheFloor) this.#contest(speech);
    else this.#announce(speech);
  }

  #announce(speech: Speech): void {
    if (speech.announced) return;
    speech.announced = true;
    this.#tell((listener) => listener.speaking(true));
  }

  #contest(speech: Speech): void {
    this.#contests.begin(speech);
    const { pause } = speech;
    if (pause?.text != null) this.#pauses.contest(speech, pause, pause.text);
  }

  #followSpeech(speech: Speech, samples: Float32Array): Promise<void> | undefined {
    const now = this.#sound.end;
    if (speech.contest && this.#contests.isNoEcho(speech.contest, samples)) {
      this.#beginAnew(speech);
      return;
    }
    if (this.#voicedInRow > 0 && (!speech.pause || this.#voicedInRow >= RESUME_FRAMES))
      this.#goOn(speech, samples);
    const silence = now - speech.endedAt;
    if (!speech.pause && now - speech.from >= LONGEST_UTTERANCE) speech.full = true;
    if (!speech.pause && (silence >= FIRST_PAUSE || speech.full)) this.#pauses.begin(speech);
    const { pause, contest } = speech;
    if (!pause) {
      if (contest) this.#contests.look(speech, contest);
      // Not during silence: the whole utterance is about to be recognised, and a partial would delay it.
      else if (silence === 0) speech.partials.follow();
      if (now - speech.transcription.openFrom >= LONGEST_STRETCH)
        void speech.transcription.closeStretch(
          this.#sound.quietest(now - toSamples(3_000), now - toSamples(200)),
        );
      return;
    }
    if (pause.text !== null) this.#pauses.decide(speech, pause, pause.text);
    else if (speech.full || silence >= toSamples(LONGEST_WAIT_MS)) return pause.recognized;
    return;
  }

  #goOn(speech: Speech, samples: Float32Array): void {
    const now = this.#sound.end;
    const frames = speech.pause ? this.#voicedInRow : 1;
    speech.voiced += frames * VOICE_FRAME_SAMPLES;
    const power = meanPower(samples);
    speech.power += (power - speech.power) * 0.2;
    speech.peak = Math.max(speech.peak, power);
    if (speech.pause) this.#pauses.resume(speech, speech.pause, now - frames * VOICE_FRAME_SAMPLES);
    speech.endedAt = now;
    speech.quietFrom = now;
  }

  /** The sound so far was the agent's echo; the customer's speech begins now. */
  #beginAnew(echo: Speech): void {
    this.#dismiss(echo);
    if (this.#closed) return;
    this.#takenUpTo = this.#sound.end - PRE_ROLL_OVER_ECHO;
    this.#voicedInRow = 1;
    this.#beginSpeech();
  }

  #take(speech: Speech): void {
    if (this.#speech !== speech) return;
    const pause: Pause | null = speech.pause;
    const text = pause?.text ?? '';
    if (!hasWords(text) || pause?.verdict?.isEcho) {
      this.#dismiss(speech);
      return;
    }
    const now = this.#sound.end;
    this.#finish(speech);
    this.#agent.expectReply();
    this.#experience.turnTaken(speech.quietFrom, pause?.verdict ?? null, speech.continues);
    this.#tell((listener) => {
      listener.utterance({
        text,
        samples: this.#sound.slice(speech.from, Math.min(now, speech.endedAt + POST_ROLL)),
        startedAtMs: toMs(speech.startedAt),
        endedAtMs: toMs(speech.quietFrom),
        waitedMs: toMs(now - speech.quietFrom),
        continues: speech.continues,
        ...(pause?.recognition ? { recognition: pause.recognition } : {}),
      });
    });
    this.#tell((listener) => listener.speaking(false));
  }

  #dismiss(speech: Speech): void {
    if (this.#speech !== speech) return;
    this.#finish(speech);
    this.#tell((listener) => {
      if (speech.contest?.held) listener.release();
      if (speech.announced) listener.speaking(false);
    });
  }

  #finish(speech: Speech): void {
    speech.over.abort();
    speech.pause?.over.abort();
    speech.contest?.look?.over.abort();
    this.#speech = null;
    this.#voicedInRow = 0;
    // Speech that began before the turn was taken, but is noticed later, keeps its first word.
    this.#takenUpTo = speech.endedAt;
  }
}

/** Resolves with the promise, or after a moment without it. */
async function soon(promise: Promise<void>): Promise<void> {
  let late: NodeJS.Timeout | undefined;
  await Promise.race([
    promise,
    new Promise<void>((resolve) => {
      late = setTimeout(resolve, LAST_JUDGEMENT_MS);
    }),
  ]);
  clearTimeout(late);
}
