import { LONGEST_WAIT_MS, type PauseVerdict } from '#server/engines/turn-judgement/contract';
import type { Contests } from './contests.ts';
import { toSamples } from './sound.ts';
import { hasWords, type Pause, type Speech } from './speech.ts';
import type { Stream } from './stream.ts';
import { sentenceOf } from './transcription.ts';

/**
 * Speech of at least this length without recognised words is recognised once more, with this much silence
 * after it.
 */
const WORTH_RECOGNIZING_AGAIN = toSamples(160);
const RECOGNIZED_AGAIN_AFTER = toSamples(250);
/** Power below which speech has ended, relative to its mean: 27 dB. */
const QUIET = 0.002;
/** With a long wait ahead, thinking ahead starts this long before its end. */
const THINKING_LEAD = toSamples(450);
/** "Um" over the agent followed by this much silence meant nothing. */
const HESITATION = toSamples(700);
/** From this length on a pause closes a stretch, which is then not recognised again. */
const STRETCH = toSamples(10_000);
/** A judge that has not answered after this much sound is late. */
const JUDGED_WITHIN = toSamples(500);
/** The verdict without a judge's answer. */
const UNJUDGED: PauseVerdict = { likelihood: 0.5, waitMs: 1_000, isEcho: false, rule: 'time alone' };

/**
 * Handles silences in speech: recognises the words, has them judged, and ends the utterance when the silence
 * is long enough.
 */
export class Pauses {
  readonly #stream: Stream;
  readonly #contests: Contests;

  constructor(stream: Stream, contests: Contests) {
    this.#stream = stream;
    this.#contests = contests;
  }

  begin(speech: Speech): Pause {
    const { sound } = this.#stream;
    speech.quietFrom = sound.lastAbove(speech.power * QUIET, speech.endedAt - toSamples(200), speech.endedAt);
    speech.partials.drop();
    speech.contest?.look?.over.abort();
    const pause: Pause = {
      over: new AbortController(),
      recognized: Promise.resolve(),
      judged: Promise.resolve(),
      upTo: sound.end,
      open: '',
      text: null,
      recognition: null,
      recognizedAgain: false,
      asked: null,
      verdict: null,
      candidateTold: false,
    };
    speech.pause = pause;
    pause.recognized = this.#recognize(speech, pause);
    return pause;
  }

  /** Speech continues: after much speech, the text recognised in the pause is kept as a stretch. */
  resume(speech: Speech, pause: Pause, resumedAt: number): void {
    pause.over.abort();
    speech.pause = null;
    if (pause.verdict) this.#stream.experience.wentOn(pause.verdict, resumedAt - speech.quietFrom);
    if (pause.upTo - speech.transcription.openFrom >= STRETCH)
      void speech.transcription.closeStretch(pause.upTo, pause.text === null ? undefined : pause.open);
    speech.partials.after();
  }

  /** Silence continues: ends the utterance when it is long enough for these words. */
  decide(speech: Speech, pause: Pause, text: string): void {
    const silence = this.#stream.sound.end - speech.quietFrom;
    const { contest } = speech;
    if (contest) {
      if (this.#isLate(contest.asked)) this.#contests.giveUpJudge(speech, contest);
      else if (!contest.asked && silence >= HESITATION) this.#stream.dismiss(speech);
      return;
    }
    if (!hasWords(text)) {
      this.#recognizeAgain(speech, pause);
      return;
    }
    if (!pause.verdict && !pause.asked) this.#ask(speech, pause, text);
    const verdict = pause.verdict ?? (this.#isLate(pause.asked) ? UNJUDGED : null);
    if (verdict) this.#waitFor(verdict, silence, speech, pause, text);
  }

  /** The speech before the pause is over the agent's voice: decides who has the floor. */
  contest(speech: Speech, pause: Pause, text: string): void {
    const { contest } = speech;
    if (!contest) return;
    pause.judged = this.#contests.judge(speech, contest, text, pause.over.signal, true).then(() => {
      if (this.#isOpen(speech, pause) && !speech.contest) this.#tellAndDecide(speech, pause, text);
    });
  }

  #waitFor(verdict: PauseVerdict, silence: number, speech: Speech, pause: Pause, text: string): void {
    const wait = toSamples(Math.min(verdict.waitMs, LONGEST_WAIT_MS));
    if (!pause.candidateTold && !verdict.isEcho && (speech.full || silence >= wait - THINKING_LEAD)) {
      pause.candidateTold = true;
      this.#stream.tell((listener) => listener.candidate(text));
    }
    // A single voiced frame may begin more speech: the next frame will tell.
    if (speech.full || (silence >= wait && this.#stream.voicedInRow() === 0)) this.#stream.take(speech);
  }

  #ask(speech: Speech, pause: Pause, text: string): void {
    const { language, sound, agent, judgement, experience } = this.#stream;
    const question = {
      text,
      language,
      newestSound: sound.upToNow(),
      agentSaid: agent.said,
      echoOf: agent.isAudible ? null : agent.over(speech.startedAt),
      history: experience.history,
    };
    pause.asked = { at: sound.end };
    pause.judged = judgement
      .pause(question, pause.over.signal)
      .catch(() => UNJUDGED)
      .then((verdict) => {
        if (!this.#isOpen(speech, pause) || pause.over.signal.aborted) return;
        pause.verdict = Number.isFinite(verdict.waitMs) ? verdict : UNJUDGED;
        this.decide(speech, pause, text);
      });
  }

  async #recognize(speech: Speech, pause: Pause): Promise<void> {
    const startedAt = performance.now();
    try {
      const { open, whole } = await speech.transcription.read(pause.upTo, 'final', pause.over.signal);
      if (!this.#isOpen(speech, pause)) return;
      pause.open = open;
      pause.recognition = { startedAt, endedAt: performance.now() };
      // Words that were shown and are missing a moment later were still said.
      pause.text = hasWords(whole) || speech.contest ? whole : speech.lastText;
      speech.lastText = pause.text;
      this.#tellLoss(speech);
      if (speech.contest) this.contest(speech, pause, pause.text);
      else this.#tellAndDecide(speech, pause, pause.text);
    } catch (error) {
      if (!this.#isOpen(speech, pause) || pause.over.signal.aborted) return;
      this.#stream.tell((listener) => listener.failed(sentenceOf(error), false));
      this.#stream.dismiss(speech);
    }
  }

  #tellAndDecide(speech: Speech, pause: Pause, text: string): void {
    if (hasWords(text)) this.#stream.tell((listener) => listener.partial(text));
    this.decide(speech, pause, text);
  }

  /**
   * Recognises a tightly cut utterance again with more silence after it, before it is dismissed as wordless.
   */
  #recognizeAgain(speech: Speech, pause: Pause): void {
    const { sound } = this.#stream;
    if (pause.recognizedAgain || speech.voiced < WORTH_RECOGNIZING_AGAIN) this.#stream.dismiss(speech);
    else if (sound.end - speech.endedAt >= RECOGNIZED_AGAIN_AFTER) {
      pause.recognizedAgain = true;
      pause.text = null;
      pause.upTo = sound.end;
      pause.recognized = this.#recognize(speech, pause);
    }
  }

  #tellLoss(speech: Speech): void {
    const loss = speech.transcription.takeLoss();
    if (loss !== null) this.#stream.tell((listener) => listener.failed(sentenceOf(loss), false));
  }

  #isOpen(speech: Speech, pause: Pause): boolean {
    return this.#stream.follows(speech) && speech.pause === pause;
  }

  #isLate(asked: { at: number } | null): boolean {
    return asked !== null && this.#stream.sound.end - asked.at >= JUDGED_WITHIN;
  }
}
