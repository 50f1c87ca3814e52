import { VOICE_FRAME_SAMPLES } from '#server/engines/voice-activity/contract';
import { AgentEcho } from './agent-echo.ts';
import type { TurnTaking, TurnTakingListener, TurnTakingOptions } from './contract.ts';
import { isEcho } from './echo.ts';
import { type Endpoint, endpoint, LONGEST_WAIT_MS } from './endpointing.ts';
import { addsToTheTurn } from './going-on.ts';
import { Patience } from './patience.ts';
import { meanPower, RecentSound, toMs, toSamples } from './sound.ts';
import { judgeTalkOver } from './talk-over.ts';
import { newCaller, sentenceOf, Transcription } from './transcription.ts';
import { VoicedFrames } from './voiced-frames.ts';

/** Kept before the first voiced frame: a detector hears vowels, "f" and "th" come before them. */
const PRE_ROLL = toSamples(300);
/** Kept behind the last voiced frame in a recording. */
const POST_ROLL = toSamples(200);
/** Voiced frames in a row that count as speech: three are 96 ms, longer than a click. */
const ONSET_FRAMES = 3;
/** Over the agent's voice, or just before it, one does: it must fall silent at once, and a false alarm costs it half a second. */
const ONSET_FRAMES_OVER_AGENT = 1;
/** Voiced frames in a row that end a pause; one alone is a breath or a noise. */
const RESUME_FRAMES = 2;
/** Silence in which recognition of what may be the whole begins; shorter gaps are stops inside words. */
const FIRST_PAUSE = toSamples(64);
/** Speech of this length in which no words were recognised is heard once more, with so much silence behind it. */
const WORTH_A_SECOND_HEARING = toSamples(160);
const SECOND_HEARING = toSamples(250);
/** Power below which speech has ended, as a share of its mean: 27 dB. */
const QUIET = 0.002;
/** A turn with a long wait ahead is thought about this long before its end. */
const THINKING_LEAD = toSamples(450);
/** New speech between two partial transcripts. */
const PARTIAL_EVERY = toSamples(600);
/** Over the agent: after so much speech it is looked at whether words were said, and again after so much more. */
const FIRST_LOOK = toSamples(420);
const NEXT_LOOK = toSamples(320);
/** "Um" over the agent: if nothing follows for so long, it was nothing. */
const HESITATION = toSamples(700);
/** From here on a pause closes a stretch, which is then recognised no more; without one it is cut where it is quiet. */
const STRETCH = toSamples(10_000);
const LONGEST_STRETCH = toSamples(20_000);
/** An utterance that does not end is taken as it is. */
const LONGEST_UTTERANCE = toSamples(60_000);
/** After its voice has ended the room and the line still carry the agent's words. */
const ECHO_TAIL = toSamples(700);
/** A reply that has not begun after so long is no longer waited for. */
const REPLY_EXPECTED = toSamples(6_000);
/** A paused voice is gone from the microphone after so long, with a wireless loudspeaker and a slow line. */
const PAUSED_VOICE = toSamples(500);
/** So many fragments are an echo that was not there before. */
const SURE_OF_ECHO = 3;
/** Kept before somebody's first word that is louder than the echo. */
const PRE_ROLL_OVER_ECHO = toSamples(128);
/** What is no louder than the echo is looked at this often, and only the last of it: most of it is the agent's voice. */
const ECHO_LOOK = toSamples(960);
const ECHO_WINDOW = toSamples(3_000);

/** One silence within, or at the end of, an utterance. */
interface Pause {
  hearing: AbortController;
  /** Settles when `text` is known or has failed. */
  heard: Promise<void>;
  upTo: number;
  open: string;
  text: string | null;
  end: Endpoint | null;
  candidateTold: boolean;
  heardAgain: boolean;
}

/** Who has the floor is not decided: somebody speaks over the agent, or before its reply has begun. */
interface Contest {
  /** Whether `hold` was told; not where the agent's echo is expected. */
  held: boolean;
  /** Where the speech stood when the voice was held. */
  heldAt: number;
  nextLook: number;
  look: AbortController | null;
}

interface Speech {
  from: number;
  startedAt: number;
  /** End of the last voiced frame. */
  endedAt: number;
  /** Where it truly fell silent, once it pauses: a detector goes on for some 60 ms. */
  quietFrom: number;
  voiced: number;
  power: number;
  /** Power of its loudest frame. */
  peak: number;
  transcription: Transcription;
  hearing: AbortController;
  pause: Pause | null;
  contest: Contest | null;
  partial: AbortController | null;
  nextPartial: number;
  /** The last words that were recognised of it. */
  lastText: string;
  continues: boolean;
  /** Whether `speaking` was told; not of what may be the agent's echo. */
  announced: boolean;
  /** Its contest is, or was, with the agent's audible voice. */
  overAgent: boolean;
  full: boolean;
}

interface AgentVoice {
  text: string;
  since: number;
  /** Null while it is heard. */
  endedAt: number | null;
}

/** Taking turns without a button: finds utterances, decides when they end, and who has the floor. */
export class HandsFree implements TurnTaking {
  readonly #options: TurnTakingOptions;
  readonly #frames: VoicedFrames;
  readonly #sound = new RecentSound();
  readonly #patience = new Patience();
  readonly #caller = newCaller();
  #speech: Speech | null = null;
  #voicedInRow = 0;
  /** Nothing before this place belongs to a new utterance. */
  #takenUpTo = 0;
  #agent: AgentVoice | null = null;
  /** What the agent said last and where the reply to the last utterance is still to come. */
  #replyExpectedSince: number | null = null;
  #lastEndedAt = 0;
  #lastEnd: Endpoint | null = null;
  readonly #echo = new AgentEcho();
  #fragments = 0;
  #ending = false;
  #closed = false;

  constructor(options: TurnTakingOptions) {
    this.#options = options;
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

  agentSays(text: string | null): void {
    if (this.#closed) return;
    const now = this.#sound.end;
    if (!text) {
      if (this.#agent && this.#agent.endedAt === null) this.#agent.endedAt = now;
      else this.#expectNoReply();
      return;
    }
    const goesOn = this.#agent !== null && text.startsWith(this.#agent.text);
    this.#agent = { text, since: goesOn && this.#agent ? this.#agent.since : now, endedAt: null };
    this.#replyExpectedSince = null;
    // It begins to speak while the customer does: whose turn it is must be decided now.
    const speech = this.#speech;
    if (speech && !speech.contest) this.#contest(speech);
  }

  /** Nobody answers: who speaks now speaks over nobody. */
  #expectNoReply(): void {
    this.#replyExpectedSince = null;
    const contest = this.#speech?.contest;
    if (!this.#speech || !contest || this.#speech.overAgent) return;
    contest.look?.abort();
    this.#speech.contest = null;
    this.#announce(this.#speech);
    if (contest.held) this.#tell((listener) => listener.release());
  }

  async end(): Promise<void> {
    if (this.#ending || this.#closed) return;
    this.#ending = true;
    await this.#frames.drain();
    while (this.#speech && !this.#closed) {
      const speech = this.#speech;
      const pause = speech.pause ?? this.#beginPause(speech);
      await pause.heard;
      if (this.#speech !== speech || speech.pause !== pause) continue;
      if (speech.contest) this.#dismiss(speech);
      else this.#take(speech, pause);
    }
    this.close();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#frames.close();
    this.#speech?.hearing.abort();
    this.#speech = null;
    this.#sound.forgetBefore(this.#sound.end);
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

  #frame(samples: Float32Array, isVoiced: boolean): Promise<void> | undefined {
    this.#sound.append(samples);
    this.#voicedInRow = isVoiced ? this.#voicedInRow + 1 : 0;
    const isHeld = this.#speech !== null && this.#speech.contest?.held !== false;
    if (this.#agentIsAudible() && !isHeld) this.#echo.hear(meanPower(samples));
    else this.#echo.forgetUnsettled();
    if (!this.#speech) {
      const isContested = this.#agentIsAudible() || this.#replyIsExpected();
      const onset = isContested ? ONSET_FRAMES_OVER_AGENT : ONSET_FRAMES;
      if (this.#voicedInRow >= onset) this.#beginSpeech();
      else this.#sound.forgetBefore(this.#sound.end - PRE_ROLL - ONSET_FRAMES * VOICE_FRAME_SAMPLES);
      return;
    }
    return this.#followSpeech(this.#speech, samples);
  }

  #beginSpeech(): void {
    const now = this.#sound.end;
    const startedAt = now - this.#voicedInRow * VOICE_FRAME_SAMPLES;
    const from = Math.max(startedAt - PRE_ROLL, this.#takenUpTo, this.#sound.start);
    const hearing = new AbortController();
    const power = meanPower(this.#sound.slice(startedAt, now));
    const speech: Speech = {
      from,
      startedAt,
      endedAt: now,
      quietFrom: now,
      voiced: now - startedAt,
      power,
      peak: power,
      transcription: new Transcription({
        recognition: this.#options.recognition,
        caller: this.#caller,
        sound: this.#sound,
        from,
        signal: hearing.signal,
      }),
      hearing,
      pause: null,
      contest: null,
      partial: null,
      nextPartial: now + PARTIAL_EVERY,
      lastText: '',
      continues: false,
      announced: false,
      overAgent: false,
      full: false,
    };
    this.#speech = speech;
    if (this.#agentIsAudible() || this.#replyIsExpected()) this.#contest(speech);
    else this.#announce(speech);
  }

  #announce(speech: Speech): void {
    if (speech.announced) return;
    speech.announced = true;
    this.#tell((listener) => listener.speaking(true));
  }

  #agentIsAudible(): boolean {
    return this.#agent !== null && this.#agent.endedAt === null;
  }

  #replyIsExpected(): boolean {
    const since = this.#replyExpectedSince;
    return since !== null && this.#sound.end - since < REPLY_EXPECTED;
  }

  #contest(speech: Speech): void {
    speech.overAgent = this.#agentIsAudible();
    speech.contest = { held: false, heldAt: 0, nextLook: speech.startedAt + FIRST_LOOK, look: null };
    speech.partial?.abort();
    if (!speech.overAgent || !this.#echo.covers(speech.peak)) this.#hold(speech, speech.contest);
    if (speech.pause?.text != null) this.#judge(speech, speech.pause.text, true);
  }

  #hold(speech: Speech, contest: Contest): void {
    if (contest.held) return;
    contest.held = true;
    this.#announce(speech);
    contest.heldAt = this.#sound.end;
    this.#tell((listener) => listener.hold());
  }

  #followSpeech(speech: Speech, samples: Float32Array): Promise<void> | undefined {
    const now = this.#sound.end;
    if (this.#isNoEcho(speech, samples)) {
      this.#beginAnew(speech);
      return;
    }
    if (this.#voicedInRow > 0 && (!speech.pause || this.#voicedInRow >= RESUME_FRAMES)) {
      const frames = speech.pause ? this.#voicedInRow : 1;
      speech.voiced += frames * VOICE_FRAME_SAMPLES;
      const power = meanPower(samples);
      speech.power += (power - speech.power) * 0.2;
      speech.peak = Math.max(speech.peak, power);
      if (speech.pause) this.#resume(speech, speech.pause, now - frames * VOICE_FRAME_SAMPLES);
      speech.endedAt = now;
      speech.quietFrom = now;
    }
    const silence = now - speech.endedAt;
    if (!speech.pause && silence >= FIRST_PAUSE) this.#beginPause(speech);
    if (!speech.pause && now - speech.from >= LONGEST_UTTERANCE) {
      speech.full = true;
      this.#beginPause(speech);
    }
    const { pause, contest } = speech;
    if (contest && !pause) this.#look(speech, contest);
    if (!contest && !pause) this.#tellPartial(speech);
    if (!pause) {
      if (now - speech.transcription.openFrom >= LONGEST_STRETCH) this.#cutStretch(speech);
      return;
    }
    if (pause.text !== null) this.#decide(speech, pause, pause.text);
    else if (speech.full || silence >= toSamples(LONGEST_WAIT_MS)) return pause.heard;
    return;
  }

  /** Somebody is louder than the agent's echo, which was all that was heard so far, or goes on after it. */
  #isNoEcho(speech: Speech, samples: Float32Array): boolean {
    if (!speech.contest || speech.contest.held || this.#voicedInRow === 0) return false;
    const endedAt = this.#agent?.endedAt ?? null;
    if (endedAt !== null && this.#sound.end - endedAt > PAUSED_VOICE) return true;
    return !this.#echo.covers(meanPower(samples));
  }

  #beginAnew(echo: Speech): void {
    this.#dismiss(echo);
    if (this.#closed) return;
    this.#takenUpTo = this.#sound.end - PRE_ROLL_OVER_ECHO;
    this.#voicedInRow = 1;
    this.#beginSpeech();
  }

  #beginPause(speech: Speech): Pause {
    speech.quietFrom = this.#sound.lastAbove(
      speech.power * QUIET,
      speech.endedAt - toSamples(200),
      speech.endedAt,
    );
    speech.partial?.abort();
    speech.contest?.look?.abort();
    const hearing = new AbortController();
    const upTo = this.#sound.end;
    const pause: Pause = {
      hearing,
      heard: Promise.resolve(),
      upTo,
      open: '',
      text: null,
      end: null,
      candidateTold: false,
      heardAgain: false,
    };
    speech.pause = pause;
    pause.heard = this.#hear(speech, pause);
    return pause;
  }

  async #hear(speech: Speech, pause: Pause): Promise<void> {
    try {
      const { open, whole } = await speech.transcription.read(pause.upTo, 'final', pause.hearing.signal);
      if (speech.pause !== pause || this.#speech !== speech) return;
      pause.open = open;
      // Words that were shown and are not found again a moment later were said all the same.
      pause.text = hasWords(whole) || speech.contest ? whole : speech.lastText;
      speech.lastText = pause.text;
      this.#tellLoss(speech);
      const { text } = pause;
      if (speech.contest) this.#judge(speech, text, true);
      if (this.#speech !== speech) return;
      if (!speech.contest && hasWords(text)) this.#tell((listener) => listener.partial(text));
      this.#decide(speech, pause, text);
    } catch (error) {
      if (speech.pause !== pause || this.#speech !== speech || pause.hearing.signal.aborted) return;
      this.#tell((listener) => listener.failed(sentenceOf(error), false));
      this.#dismiss(speech);
    }
  }

  #tellLoss(speech: Speech): void {
    const loss = speech.transcription.takeLoss();
    if (loss !== null) this.#tell((listener) => listener.failed(sentenceOf(loss), false));
  }

  /** Speech goes on: what was heard in the pause is kept as a stretch once much was said. */
  #resume(speech: Speech, pause: Pause, resumedAt: number): void {
    pause.hearing.abort();
    speech.pause = null;
    if (pause.end && pause.end.waitMs < LONGEST_WAIT_MS)
      this.#patience.pausedInside(pause.end, toMs(resumedAt - speech.quietFrom));
    if (pause.upTo - speech.transcription.openFrom >= STRETCH)
      void speech.transcription.closeStretch(pause.upTo, pause.text === null ? undefined : pause.open);
    speech.nextPartial = this.#sound.end + PARTIAL_EVERY;
  }

  #cutStretch(speech: Speech): void {
    const now = this.#sound.end;
    void speech.transcription.closeStretch(
      this.#sound.quietest(now - toSamples(3_000), now - toSamples(200)),
    );
  }

  /** Ends the utterance when the silence is long enough for what was said. */
  #decide(speech: Speech, pause: Pause, text: string): void {
    const silence = this.#sound.end - speech.quietFrom;
    if (speech.contest) {
      if (silence >= HESITATION) this.#dismiss(speech);
      return;
    }
    if (!hasWords(text)) {
      this.#hearAgain(speech, pause);
      return;
    }
    pause.end ??= endpoint(text, {
      agentSaid: this.#agent?.text ?? null,
      patienceMs: this.#patience.extraMs,
    });
    const wait = toSamples(pause.end.waitMs);
    if (!pause.candidateTold && (speech.full || silence >= wait - THINKING_LEAD)) {
      pause.candidateTold = true;
      this.#tell((listener) => listener.candidate(text));
    }
    // One voiced frame may be the first of more: whether it is, the next one tells.
    if (speech.full || (silence >= wait && this.#voicedInRow === 0)) this.#take(speech, pause);
  }

  /** What was cut tight is sometimes not understood: nothing is lost before it was heard with more silence behind it. */
  #hearAgain(speech: Speech, pause: Pause): void {
    if (pause.heardAgain || speech.voiced < WORTH_A_SECOND_HEARING) this.#dismiss(speech);
    else if (this.#sound.end - speech.endedAt >= SECOND_HEARING) {
      pause.heardAgain = true;
      pause.text = null;
      pause.upTo = this.#sound.end;
      pause.heard = this.#hear(speech, pause);
    }
  }

  #take(speech: Speech, pause: Pause): void {
    if (this.#speech !== speech) return;
    const text = pause.text ?? '';
    if (!hasWords(text) || this.#isLateEcho(speech, text)) {
      this.#dismiss(speech);
      return;
    }
    const now = this.#sound.end;
    this.#finish(speech);
    this.#replyExpectedSince = now;
    this.#lastEndedAt = speech.quietFrom;
    this.#lastEnd = pause.end;
    if (!speech.continues) this.#patience.tookTurn();
    this.#tell((listener) => {
      listener.utterance({
        text,
        samples: this.#sound.slice(speech.from, Math.min(now, speech.endedAt + POST_ROLL)),
        startedAtMs: toMs(speech.startedAt),
        endedAtMs: toMs(speech.quietFrom),
        waitedMs: toMs(now - speech.quietFrom),
        continues: speech.continues,
      });
    });
    this.#tell((listener) => listener.speaking(false));
  }

  /** The end of the agent's own voice, that arrived after it had ended. */
  #isLateEcho(speech: Speech, text: string): boolean {
    const agent = this.#agent;
    if (!agent || agent.endedAt === null || speech.startedAt > agent.endedAt + ECHO_TAIL) return false;
    return text.split(/\s+/).length >= 3 && isEcho(text, agent.text, toMs(this.#sound.end - agent.since));
  }

  /** Nothing was said, or nothing to the agent. */
  #dismiss(speech: Speech): void {
    if (this.#speech !== speech) return;
    this.#finish(speech);
    this.#tell((listener) => {
      if (speech.contest?.held) listener.release();
      if (speech.announced) listener.speaking(false);
    });
  }

  #finish(speech: Speech): void {
    speech.hearing.abort();
    this.#speech = null;
    this.#voicedInRow = 0;
    // What began before the turn was taken, and was noticed after, loses nothing of its first word.
    this.#takenUpTo = speech.endedAt;
  }

  #look(speech: Speech, contest: Contest): void {
    const now = this.#sound.end;
    if (contest.look || now < contest.nextLook) return;
    const look = new AbortController();
    contest.look = look;
    if (!contest.held) speech.transcription.skipTo(now - ECHO_WINDOW);
    const nextLook = contest.held ? NEXT_LOOK : ECHO_LOOK;
    speech.transcription
      .read(now, 'final', look.signal)
      .then(({ whole }) => {
        if (this.#speech !== speech || speech.contest !== contest || contest.look !== look) return;
        contest.look = null;
        contest.nextLook = this.#sound.end + nextLook;
        this.#judge(speech, whole, false);
      })
      .catch((error: unknown) => {
        if (contest.look !== look) return;
        contest.look = null;
        contest.nextLook = this.#sound.end + nextLook;
        // Whoever speaks for long means it, also where the words are not known.
        if (look.signal.aborted || this.#speech !== speech || speech.contest !== contest) return;
        if (toMs(speech.voiced) > 1_100) this.#yield(speech, contest);
        else this.#tell((listener) => listener.failed(sentenceOf(error), false));
      });
  }

  #judge(speech: Speech, text: string, ended: boolean): void {
    const { contest } = speech;
    if (!contest) return;
    const agent = this.#agent;
    const mayBeEcho = !this.#echo.cannotBe(speech.peak) || this.#fragments >= SURE_OF_ECHO;
    const stoppedWithAgent =
      ended && speech.overAgent && contest.held && speech.quietFrom - contest.heldAt <= PAUSED_VOICE;
    const spoken = agent && (agent.endedAt === null || speech.startedAt < agent.endedAt + ECHO_TAIL);
    const judged = judgeTalkOver({
      text,
      voicedMs: toMs(speech.voiced),
      ended,
      stoppedWithAgent: stoppedWithAgent && mayBeEcho,
      asQuietAsEcho: speech.overAgent && !contest.held,
      mayBeEcho: speech.overAgent && mayBeEcho,
      agent: spoken && agent ? { text: agent.text, spokenMs: toMs(this.#sound.end - agent.since) } : null,
    });
    const goesOn = judged === 'listening' && !speech.overAgent && addsToTheTurn(text);
    const verdict = goesOn ? 'takes-the-floor' : judged;
    if (verdict === 'takes-the-floor') {
      this.#yield(speech, contest);
      return;
    }
    if (verdict === 'unsure') return;
    if (stoppedWithAgent && !mayBeEcho) this.#fragments++;
    if (verdict === 'echo' || verdict === 'fragment') {
      this.#fragments = 0;
      if (contest.held || verdict === 'echo') this.#echo.wasHeard(this.#powersOf(speech));
    }
    this.#dismiss(speech);
  }

  #powersOf(speech: Speech): number[] {
    const samples = this.#sound.slice(speech.startedAt, speech.endedAt);
    return Array.from({ length: Math.floor(samples.length / VOICE_FRAME_SAMPLES) }, (_, index) =>
      meanPower(samples.subarray(index * VOICE_FRAME_SAMPLES, (index + 1) * VOICE_FRAME_SAMPLES)),
    );
  }

  #yield(speech: Speech, contest: Contest): void {
    contest.look?.abort();
    this.#hold(speech, contest);
    speech.contest = null;
    speech.nextPartial = this.#sound.end;
    if (this.#replyIsExpected() && !this.#agentIsAudible()) {
      speech.continues = true;
      this.#patience.cutOff(this.#lastEnd, toMs(speech.startedAt - this.#lastEndedAt));
    }
    this.#replyExpectedSince = null;
    if (this.#agent && this.#agent.endedAt === null) this.#agent.endedAt = this.#sound.end;
    this.#tell((listener) => listener.interrupt());
  }

  #tellPartial(speech: Speech): void {
    const now = this.#sound.end;
    if (speech.partial || now < speech.nextPartial) return;
    const partial = new AbortController();
    speech.partial = partial;
    const over = () => {
      if (speech.partial !== partial) return false;
      speech.partial = null;
      // A slow machine is asked less often.
      speech.nextPartial = this.#sound.end + Math.max(PARTIAL_EVERY, this.#sound.end - now);
      return true;
    };
    speech.transcription
      .read(now, 'partial', partial.signal)
      .then(({ whole }) => {
        if (!over() || this.#speech !== speech || speech.contest || !hasWords(whole)) return;
        speech.lastText = whole;
        this.#tell((listener) => listener.partial(whole));
      })
      // What is only shown may be missing; the pause that follows tells whether recognition works.
      .catch(over);
  }
}

const hasWords = (text: string) => /[\p{L}\p{N}]/u.test(text);
