import { EngineError } from '#server/lib/engine-error';
import type {
  CustomerPause,
  PauseVerdict,
  TalkOver,
  TalkOverVerdict,
  TurnJudgementEngine,
} from './contract.ts';

/** A judge that answers as another one would, or as a test says: in time, late, never, or with a failure. */
export class ScriptedJudgement implements TurnJudgementEngine {
  readonly name = 'Scripted';
  /** What it was asked, oldest first. */
  readonly asked: (CustomerPause | TalkOver)[] = [];
  /** How much of the last second of sound came with each question, in samples. */
  readonly soundLengths: number[] = [];
  /** `slow`: waits for `answer`, or for ever; `broken`: every question fails. */
  mood: 'prompt' | 'slow' | 'broken' = 'prompt';
  /** Answers instead of the other judge while it is set. */
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

  /** Lets what waits be answered now. */
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
