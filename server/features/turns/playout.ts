import { durationMs, type Sound } from '#server/audio/sound';

/** A sentence that reached the customer; `durationMs` is null if it was shown and not spoken. */
export interface DeliveredSentence {
  text: string;
  durationMs: number | null;
}

export const delivered = ({ text, speech }: { text: string; speech: Sound | null }): DeliveredSentence => ({
  text,
  durationMs: speech && durationMs(speech),
});

/** About 150 words a minute, six characters a word: used when the length of a reply's audio is no longer known. */
const SPOKEN_MS_PER_CHARACTER = 66;

/**
 * The part of a reply played up to a position: whole sentences, and of the interrupted one the words whose share of its
 * letters fits into the time. Sentences that were only shown count as read once all before them were played.
 * @param playedMs playout position: milliseconds of the reply's audio that were played
 */
export function playedText(
  sentences: readonly DeliveredSentence[],
  playedMs: number,
): { text: string; isWhole: boolean } {
  const played: string[] = [];
  let remainingMs = playedMs;
  for (const { text, durationMs } of sentences) {
    if (durationMs === null || durationMs <= remainingMs) {
      played.push(text);
      remainingMs -= durationMs ?? 0;
      continue;
    }
    const part = leadingWords(text, remainingMs / durationMs);
    if (part) played.push(part);
    return { text: played.join(' '), isWhole: false };
  }
  return { text: played.join(' '), isWhole: true };
}

/** Estimates a stored reply whose audio is no longer in memory, e.g. after a restart. */
export const estimatedDelivery = (content: string): DeliveredSentence[] => [
  { text: content, durationMs: content.length * SPOKEN_MS_PER_CHARACTER },
];

function leadingWords(text: string, share: number): string {
  const reached = Math.floor(text.length * share);
  let end = 0;
  for (const word of text.matchAll(/\S+/gu)) {
    const wordEnd = word.index + word[0].length;
    if (wordEnd > reached) break;
    end = wordEnd;
  }
  return text.slice(0, end);
}
