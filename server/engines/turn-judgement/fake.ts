import { EngineError } from '#server/lib/engine-error';
import type {
  CustomerPause,
  PauseVerdict,
  TalkOver,
  TalkOverVerdict,
  TurnJudgementEngine,
} from './contract.ts';

/** Answers as another judge would, or as a test says: in time, late, never, or with an error. */
export class ScriptedJudgement implements TurnJudgementEngine {
  readonly name = 'Scripted';
  /** The questions so far, oldest first. */
  readonly asked: (CustomerPause | TalkOver)[] = [];
  /** Length of the last second of sound with each question, in samples. */
  readonly soundLengths: number[] = [];
  /** `slow`: waits for `answer`, or for ever; `broken`: every question fails. */
  mood: 'prompt' | 'slow' | 'broken' = 'prompt';
  /** While set, replaces the other judge's verdict. */
  pauseVerdict: PauseVerdict | null = null;
  readonly #judge: TurnJudgementEngine;
  #waiting: (() => void)[] = [];

  constructor(judge: TurnJudgementEngine) {
    this.#judge = judge;
  }

  async pause(pause: CustomerPause, signal: AbortSignal): Promise<PauseVerdict> {
    await this.#think(pause);
    return this.pauseVerdict ?? this.#judge.pause(pause, signal);
  }

  async talkOver(speech: TalkOver, signal: AbortSignal): Promise<TalkOverVerdict> {
    await this.#think(speech);
    return this.#judge.talkOver(speech, signal);
  }

  /** Answers all waiting questions. */
  answer(): void {
    for (const go of this.#waiting.splice(0)) go();
  }

  async close(): Promise<void> {}

  async #think(question: CustomerPause | TalkOver): Promise<void> {
    this.asked.push(question);
    this.soundLengths.push(question.newestSound(1_000).length);
    if (this.mood === 'broken') throw new EngineError('The judge is broken.', { retryable: false });
    if (this.mood === 'slow') await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
