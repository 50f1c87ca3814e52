import type { TalkOverVerdict } from '#server/engines/turn-judgement/contract';
import { VOICE_FRAME_SAMPLES } from '#server/engines/voice-activity/contract';
import { AgentEcho } from './agent-echo.ts';
import { meanPower, toMs, toSamples } from './sound.ts';
import type { Contest, Speech } from './speech.ts';
import type { Stream } from './stream.ts';
import { sentenceOf } from './transcription.ts';

/** Speech before the first check for words, and between further checks. */
const FIRST_LOOK = toSamples(420);
const NEXT_LOOK = toSamples(320);
/**
 * Speech no louder than the echo is checked at this interval, and only its end: most of it is the agent's
 * voice.
 */
const ECHO_LOOK = toSamples(960);
const ECHO_WINDOW = toSamples(3_000);
/** A check that takes longer is useless. */
const LOOK_LIMIT = toSamples(1_500);
/** Speech over the agent beyond this length is meant, even if its words or their meaning are unknown. */
const LONG_SPEECH_MS = 1_100;
/** Time until a paused voice is gone from the microphone, with a wireless loudspeaker and a slow line. */
const PAUSED_VOICE = toSamples(500);
/** This many fragments prove an echo that was not there before. */
const SURE_OF_ECHO = 3;

/**
 * Handles speech over the agent, or before its reply is played: pauses the agent's voice, and decides who has
 * the floor.
 */
export class Contests {
  readonly #stream: Stream;
  readonly #echo = new AgentEcho();
  #fragments = 0;

  constructor(stream: Stream) {
    this.#stream = stream;
  }

  /** Takes a frame of sound: while the agent alone speaks, it is its voice in the microphone. */
  hearFrame(samples: Float32Array, speech: Speech | null): void {
    const isHeld = speech !== null && speech.contest?.held !== false;
    if (this.#stream.agent.isAudible && !isHeld) this.#echo.hear(meanPower(samples));
    else this.#echo.forgetUnsettled();
  }

  begin(speech: Speech): void {
    speech.overAgent = this.#stream.agent.isAudible;
    const contest: Contest = {
      held: false,
      heldAt: 0,
      nextLook: speech.startedAt + FIRST_LOOK,
      look: null,
      asked: null,
    };
    speech.contest = contest;
    speech.partials.drop();
    if (!speech.overAgent || !this.#echo.covers(speech.peak)) this.#hold(speech, contest);
  }

  /** The agent is not speaking, so nothing is interrupted. */
  callOff(speech: Speech, contest: Contest): void {
    contest.look?.over.abort();
    speech.contest = null;
    speech.partials.after();
    this.#stream.announce(speech);
    if (contest.held) this.#stream.tell((listener) => listener.release());
  }

  /**
   * Whether the sound is louder than the agent's echo, which was all until now, or continues after the agent
   * paused.
   */
  isNoEcho(contest: Contest, samples: Float32Array): boolean {
    if (contest.held || this.#stream.voicedInRow() === 0) return false;
    const silentFor = this.#stream.agent.silentFor;
    return (silentFor !== null && silentFor > PAUSED_VOICE) || !this.#echo.covers(meanPower(samples));
  }

  /** Speech continues: checks its words from time to time. */
  look(speech: Speech, contest: Contest): void {
    const now = this.#stream.sound.end;
    if (contest.look && now - contest.look.at >= LOOK_LIMIT) {
      contest.look.over.abort();
      contest.look = null;
      this.#byTimeAlone(speech, contest, false);
      return;
    }
    if (contest.look || now < contest.nextLook) return;
    const look = { at: now, over: new AbortController() };
    contest.look = look;
    if (!contest.held) speech.transcription.skipTo(now - ECHO_WINDOW);
    const over = () => {
      if (contest.look !== look) return;
      contest.look = null;
      contest.nextLook = this.#stream.sound.end + (contest.held ? NEXT_LOOK : ECHO_LOOK);
    };
    speech.transcription
      .read(now, 'final', look.over.signal)
      .then(
        ({ whole }) => this.judge(speech, contest, whole, look.over.signal, false),
        (error: unknown) => this.#notUnderstood(speech, contest, error, look.over.signal),
      )
      .finally(over);
  }

  /** Has the speech judged, and acts on the verdict. Never rejects. */
  async judge(
    speech: Speech,
    contest: Contest,
    text: string,
    signal: AbortSignal,
    ended: boolean,
  ): Promise<void> {
    if (!this.#isOpen(speech, contest) || signal.aborted) return;
    const { language, sound, agent, judgement } = this.#stream;
    const asked = { at: sound.end };
    if (ended) contest.asked = asked;
    const mayBeEcho = !this.#echo.cannotBe(speech.peak) || this.#fragments >= SURE_OF_ECHO;
    const stoppedWithAgent =
      ended && speech.overAgent && contest.held && speech.quietFrom - contest.heldAt <= PAUSED_VOICE;
    const verdict = await judgement
      .talkOver(
        {
          text,
          language,
          newestSound: sound.upToNow(),
          voicedMs: toMs(speech.voiced),
          ended,
          agent: agent.over(speech.startedAt),
          overVoice: speech.overAgent,
          stoppedWithAgent: stoppedWithAgent && mayBeEcho,
          asQuietAsEcho: speech.overAgent && !contest.held,
          mayBeEcho: speech.overAgent && mayBeEcho,
        },
        signal,
      )
      .catch(() => null);
    if (!this.#isOpen(speech, contest) || signal.aborted) return;
    if (ended && contest.asked !== asked) return;
    contest.asked = null;
    if (verdict === null) this.#byTimeAlone(speech, contest, ended);
    else this.#follow(verdict, speech, contest, stoppedWithAgent && !mayBeEcho);
  }

  /** Stops waiting for a judge that has not answered about the pause. */
  giveUpJudge(speech: Speech, contest: Contest): void {
    contest.asked = null;
    this.#byTimeAlone(speech, contest, true);
  }

  #follow({ kind }: TalkOverVerdict, speech: Speech, contest: Contest, isFragment: boolean): void {
    if (kind === 'claim') {
      this.#yield(speech, contest);
      return;
    }
    if (kind === 'unsure') return;
    if (isFragment) this.#fragments++;
    if (kind === 'echo') {
      this.#fragments = 0;
      this.#echo.learn(this.#powersOf(speech));
    }
    this.#stream.dismiss(speech);
  }

  #notUnderstood(speech: Speech, contest: Contest, error: unknown, signal: AbortSignal): void {
    if (signal.aborted || !this.#isOpen(speech, contest)) return;
    if (!this.#byTimeAlone(speech, contest, false))
      this.#stream.tell((listener) => listener.failed(sentenceOf(error), false));
  }

  /** Decides by duration only. @returns whether the customer took the floor */
  #byTimeAlone(speech: Speech, contest: Contest, ended: boolean): boolean {
    const claims = contest.held && toMs(speech.voiced) > LONG_SPEECH_MS;
    if (claims) this.#yield(speech, contest);
    else if (ended) this.#stream.dismiss(speech);
    return claims;
  }

  #isOpen(speech: Speech, contest: Contest): boolean {
    return this.#stream.follows(speech) && speech.contest === contest;
  }

  #hold(speech: Speech, contest: Contest): void {
    if (contest.held) return;
    contest.held = true;
    this.#stream.announce(speech);
    contest.heldAt = this.#stream.sound.end;
    this.#stream.tell((listener) => listener.hold());
  }

  #yield(speech: Speech, contest: Contest): void {
    const { agent, experience } = this.#stream;
    contest.look?.over.abort();
    this.#hold(speech, contest);
    speech.contest = null;
    speech.partials.after(0);
    if (agent.isExpected && !agent.isAudible) {
      speech.continues = true;
      experience.cutOff(speech.startedAt);
    }
    agent.expectNoReply();
    agent.fallSilent();
    this.#stream.tell((listener) => listener.interrupt());
  }

  #powersOf(speech: Speech): number[] {
    const samples = this.#stream.sound.slice(speech.startedAt, speech.endedAt);
    return Array.from({ length: Math.floor(samples.length / VOICE_FRAME_SAMPLES) }, (_, index) =>
      meanPower(samples.subarray(index * VOICE_FRAME_SAMPLES, (index + 1) * VOICE_FRAME_SAMPLES)),
    );
  }
}
