import { LONGEST_WAIT_MS, type PauseVerdict } from '#server/engines/turn-judgement/contract';
import type { Contests } from './contests.ts';
import { toSamples } from './sound.ts';
import { hasWords, type Pause, type Speech } from './speech.ts';
import type { Stream } from './stream.ts';
import { sentenceOf } from './transcription.ts';

/** Speech of this length in which no words were recognised is recognised once more, with so much silence behind it. */
const WORTH_RECOGNIZING_AGAIN = toSamples(160);
const RECOGNIZED_AGAIN_AFTER = toSamples(250);
/** Power below which speech has ended, as a share of its mean: 27 dB. */
const QUIET = 0.002;
/** A turn with a long wait ahead is thought about this long before its end. */
const THINKING_LEAD = toSamples(450);
/** "Um" over the agent: if nothing follows for so long, it was nothing. */
const HESITATION = toSamples(700);
/** From here on a pause closes a stretch, which is then recognised no more. */
const STRETCH = toSamples(10_000);
/** A judge that has not answered after so much sound is late. */
const JUDGED_WITHIN = toSamples(500);
/** What is waited for where no judge says otherwise. */
const UNJUDGED: PauseVerdict = { likelihood: 0.5, waitMs: 1_000, isEcho: false, rule: 'time alone' };

/** Silences in speech: recognises what was said, has it judged, and ends the utterance when the silence is long enough. */
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

  /** Speech goes on: what was recognised in the pause is kept as a stretch once much was said. */
  resume(speech: Speech, pause: Pause, resumedAt: number): void {
    pause.over.abort();
    speech.pause = null;
    if (pause.verdict) this.#stream.experience.wentOn(pause.verdict, resumedAt - speech.quietFrom);
    if (pause.upTo - speech.transcription.openFrom >= STRETCH)
      void speech.transcription.closeStretch(pause.upTo, pause.text === null ? undefined : pause.open);
    speech.partials.after();
  }

  /** The silence goes on: ends the utterance when it is long enough for what was said. */
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

  /** What was said until the pause is over the agent's voice. */
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
    // One voiced frame may be the first of more: whether it is, the next one tells.
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
      // Words that were shown and are not found again a moment later were said all the same.
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

  /** What was cut tight is sometimes not understood: nothing is lost before it was recognised with more silence behind it. */
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
