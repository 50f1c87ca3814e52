import { type Experience, LONGEST_WAIT_MS } from './contract.ts';

/** Most extra wait for a customer with long pauses after complete sentences. */
const MOST_MS = 450;
/** Added to the pause that was longer than our wait. */
const MARGIN_MS = 80;
/** Each turn without a cut-off takes back this share. */
const FORGIVEN = 0.25;
/**
 * A pause inside a sentence from this length on is for thinking; each adds this much patience, up to this
 * limit.
 */
const THINKING_MS = 400;
const PER_PAUSE_MS = 80;
const MOST_FOR_PAUSES_MS = 240;

/**
 * Learns from the call how long this customer pauses after a seemingly complete sentence.
 * @returns extra milliseconds for the short waits
 */
export function patienceMs(history: readonly Experience[]): number {
  let extraMs = 0;
  const grow = (ms: number) => {
    extraMs = Math.min(MOST_MS, Math.max(extraMs, ms));
  };
  for (const one of history) {
    if (one.what === 'turn') {
      extraMs *= 1 - FORGIVEN;
      continue;
    }
    const { what, pauseMs, waitMs } = one;
    const tooLong = pauseMs + MARGIN_MS - waitMs + extraMs;
    if (what === 'cut-off') grow(tooLong);
    // After words that cannot end a sentence, pauses of any length are normal and teach nothing.
    else if (waitMs < LONGEST_WAIT_MS) {
      // A customer who thinks in mid-sentence also thinks at its end.
      if (pauseMs >= THINKING_MS) grow(Math.min(extraMs + PER_PAUSE_MS, MOST_FOR_PAUSES_MS));
      if (pauseMs > waitMs * 0.7) grow(pauseMs + MARGIN_MS - waitMs + extraMs);
    }
  }
  return Math.round(extraMs);
}
