import { untilAborted, within } from '#server/lib/wait';

/** Milliseconds of sound ready before playing: a long phrase takes less than that on a busy machine. */
const LEAD_MS = 2_500;

/**
 * With more waiting listeners, starting a voice costs their texts more than it gives one: a first phrase takes as much
 * processor time as the texts of about eight replies.
 */
const CROWD = 8;

/**
 * Replies whose first words are awaited. While there are any, the rest of other replies is made only when needed:
 * earlier it would take processor time from those listeners, and play no earlier.
 */
export class FirstWords {
  #awaited = 0;
  #calm = Promise.resolve();
  #isCalm = () => {};

  /** Whether so many listeners wait that texts come first. */
  get isCrowded(): boolean {
    return this.#awaited > CROWD;
  }

  /**
   * Registers a waiting listener. @returns call it when the words are out, or will not come; a second call does nothing
   */
  begin(): () => void {
    if (this.#awaited++ === 0)
      this.#calm = new Promise((resolve) => {
        this.#isCalm = resolve;
      });
    let isOut = false;
    return () => {
      if (isOut) return;
      isOut = true;
      if (--this.#awaited === 0) this.#isCalm();
    };
  }

  /**
   * Resolves when the next words of a reply should be made: no first words are awaited, or these are needed.
   * @param aheadMs unplayed sound of the reply, in milliseconds
   * @throws the signal's reason
   */
  async past(aheadMs: number, signal: AbortSignal): Promise<void> {
    if (this.#awaited > 0 && aheadMs > LEAD_MS)
      await untilAborted(within(aheadMs - LEAD_MS, this.#calm), signal);
  }
}
