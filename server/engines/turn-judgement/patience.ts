import { type Experience, LONGEST_WAIT_MS } from './contract.ts';

/** What is added at most for a customer who pauses long where a sentence could end. */
const MOST_MS = 450;
/** Kept beyond the pause that was too long for us. */
const MARGIN_MS = 80;
/** Each turn that went well takes back this share. */
const FORGIVEN = 0.25;
/** A pause inside a sentence from here on is one for thinking; each gives as much more time, up to so much. */
const THINKING_MS = 400;
const PER_PAUSE_MS = 80;
const MOST_FOR_PAUSES_MS = 240;

/**
 * What a call teaches about how long this customer pauses where a sentence seems complete.
 * @returns what to add to the short waits, in milliseconds
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
    // After words that cannot end a sentence a pause of any length teaches nothing.
    else if (waitMs < LONGEST_WAIT_MS) {
      // One who thinks in mid-sentence does so at its end, too.
      if (pauseMs >= THINKING_MS) grow(Math.min(extraMs + PER_PAUSE_MS, MOST_FOR_PAUSES_MS));
      if (pauseMs > waitMs * 0.7) grow(pauseMs + MARGIN_MS - waitMs + extraMs);
    }
  }
  return Math.round(extraMs);
}
