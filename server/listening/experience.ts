import type { Experience, PauseVerdict } from '#server/engines/turn-judgement/contract';
import { toMs } from './sound.ts';

/** More would teach nothing: each turn that goes well takes a quarter of it back. */
const KEPT = 50;

/** Remembers, within one call, how its customer pauses. */
export class CallExperience {
  readonly #history: Experience[] = [];
  #lastTurn: { endedAt: number; waitMs: number } | null = null;

  /** Oldest first. */
  get history(): readonly Experience[] {
    return [...this.#history];
  }

  /** The customer spoke again, before the wait was over. */
  wentOn({ waitMs }: PauseVerdict, pause: number): void {
    this.#remember({ what: 'went-on', pauseMs: toMs(pause), waitMs });
  }

  /** @param endedAt where its speech ended */
  turnTaken(endedAt: number, verdict: PauseVerdict | null, continues: boolean): void {
    this.#lastTurn = { endedAt, waitMs: verdict?.waitMs ?? 0 };
    if (!continues) this.#remember({ what: 'turn' });
  }

  /** The customer goes on with the turn that was taken last. */
  cutOff(startedAt: number): void {
    const { endedAt, waitMs } = this.#lastTurn ?? { endedAt: 0, waitMs: 0 };
    this.#remember({ what: 'cut-off', pauseMs: toMs(startedAt - endedAt), waitMs });
  }

  #remember(experience: Experience): void {
    this.#history.push(experience);
    if (this.#history.length > KEPT) this.#history.shift();
  }
}
