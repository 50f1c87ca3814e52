import { untilAborted, within } from '#server/lib/wait';

/** So much sound, in milliseconds, is to be there before it is heard: making a long phrase on a busy machine takes less. */
const LEAD_MS = 2_500;

/**
 * With more who wait than this, a voice that begins takes from their words more than it gives to one: making a first phrase
 * takes a processor as long as the texts of about eight replies.
 */
const CROWD = 8;

/**
 * Replies whose first words somebody waits for. While there are any, the rest of the others is made no sooner than it is
 * needed: it would take the processor from those who wait, and be heard no earlier.
 */
export class FirstWords {
  #awaited = 0;
  #calm = Promise.resolve();
  #isCalm = () => {};

  /** So many wait that texts come first. */
  get isCrowded(): boolean {
    return this.#awaited > CROWD;
  }

  /** Somebody waits. @returns to be called when the words are out, or will not come; a second call does nothing */
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
   * Resolves when the next words of a reply are to be made: nobody waits for first ones, or these are needed.
   * @param aheadMs sound of the reply that is out and was not played yet, in milliseconds
   * @throws the signal's reason
   */
  async past(aheadMs: number, signal: AbortSignal): Promise<void> {
    if (this.#awaited > 0 && aheadMs > LEAD_MS)
      await untilAborted(within(aheadMs - LEAD_MS, this.#calm), signal);
  }
}
