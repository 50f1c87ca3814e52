import type { Experience, PauseVerdict } from '#server/engines/turn-judgement/contract';
import { toMs } from './sound.ts';

/** More entries would teach nothing: each successful turn takes back a quarter. */
const KEPT = 50;

/** Remembers this customer's pauses within one call. */
export class CallExperience {
  readonly #history: Experience[] = [];
  #lastTurn: { endedAt: number; waitMs: number } | null = null;

  /** Oldest first. */
  get history(): readonly Experience[] {
    return [...this.#history];
  }

  /** The customer spoke again before the wait was over. */
  wentOn({ waitMs }: PauseVerdict, pause: number): void {
    this.#remember({ what: 'went-on', pauseMs: toMs(pause), waitMs });
  }

  /** @param endedAt end of its speech */
  turnTaken(endedAt: number, verdict: PauseVerdict | null, continues: boolean): void {
    this.#lastTurn = { endedAt, waitMs: verdict?.waitMs ?? 0 };
    if (!continues) this.#remember({ what: 'turn' });
  }

  /** The customer continues the turn that was taken last. */
  cutOff(startedAt: number): void {
    const { endedAt, waitMs } = this.#lastTurn ?? { endedAt: 0, waitMs: 0 };
    this.#remember({ what: 'cut-off', pauseMs: toMs(startedAt - endedAt), waitMs });
  }

  #remember(experience: Experience): void {
    this.#history.push(experience);
    if (this.#history.length > KEPT) this.#history.shift();
  }
}
