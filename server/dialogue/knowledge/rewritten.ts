import type { ReadingEngine } from '#server/engines/reading/contract';
import type { AskedInstead, Words } from '#server/languages/contract';
import { dot } from '../cosine.ts';

/** The longest question, in words, whose parts can be replaced. */
const MAX_WORDS = 24;
const MOST_TOGETHER = 3;
/** Similarity below which no part of the question matches the replacement. */
const OF_A_KIND = 0.45;
/** Bonuses of a place beside similarity, in cosines. */
const BOTH_NAMES = 0.1;
const SAME_END = 0.1;
const AS_MANY_WORDS = 0.04;
const BEFORE_ITS_KIND = 0.12;

interface Place {
  text: string;
  start: number;
  end: number;
  words: number;
  /** A content word follows directly. */
  isBeforeAnother: boolean;
}

/**
 * The previous question with the most similar part replaced by the current request: "How long does a full service
 * take?" and "the basic one" make "How long does a basic service take?".
 * @returns null if no part matches, or without the encoder
 */
export async function rewritten(
  question: string,
  { said, not, isOfSameKind }: AskedInstead,
  { stopWordsOnly, termsOf }: Words,
  embed: ReadingEngine['embed'],
  signal: AbortSignal,
): Promise<string | null> {
  const places = placesIn(question, stopWordsOnly);
  const put = ({ start, end }: Place) => `${question.slice(0, start)}${said}${question.slice(end)}`;
  if (not) {
    const terms = termsOf(not);
    const meant = places
      .filter(({ text }) => termsOf(text).every((term) => terms.includes(term)))
      .reduce<Place | null>((best, one) => (one.words > (best?.words ?? 0) ? one : best), null);
    if (meant) return put(meant);
  }
  if (places.length === 0) return null;
  const [vector, ...others] = await embed([said, ...places.map(({ text }) => text)], {
    as: 'question',
    signal,
  });
  const isName = /\p{Lu}/u.test(said);
  const wanted = said.split(/\s+/);
  const best = places
    .map((place, at) => ({
      place,
      likeness:
        dot(vector, others[at]) +
        (isName && /^\p{Lu}/u.test(place.text) ? BOTH_NAMES : 0) +
        (wanted.length > 1 && place.text.toLowerCase().endsWith(` ${wanted.at(-1)?.toLowerCase()}`)
          ? SAME_END
          : 0) +
        (wanted.length === place.words ? AS_MANY_WORDS : 0) +
        (isOfSameKind && place.isBeforeAnother ? BEFORE_ITS_KIND : 0),
    }))
    .reduce((likest, one) => (one.likeness > likest.likeness ? one : likest));
  return best.likeness < OF_A_KIND ? null : put(best.place);
}

/** Runs of content words. */
function placesIn(question: string, isEmpty: (text: string) => boolean): Place[] {
  const words = [...question.matchAll(/[\p{L}\p{N}][\p{L}\p{N}'’:-]*/gu)]
    .slice(-MAX_WORDS)
    .map(({ 0: text, index }) => ({
      start: index,
      end: index + text.length,
      tells: !isEmpty(text),
    }));
  return words.flatMap(({ start }, at) =>
    Array.from({ length: MOST_TOGETHER }, (_, n) => words.slice(at, at + n + 1)).flatMap((run, n) => {
      const end = run.at(-1)?.end;
      const isRun =
        run.length === n + 1 &&
        run.every(({ tells }, place) => tells && isNext(question, run[place - 1], run[place]));
      if (end === undefined || !isRun) return [];
      const next = words[at + n + 1];
      return [
        {
          text: question.slice(start, end),
          start,
          end,
          words: run.length,
          isBeforeAnother: next?.tells === true && isNext(question, run.at(-1), next),
        },
      ];
    }),
  );
}

/** Only a space lies between two words. */
const isNext = (
  question: string,
  one: { end: number } | undefined,
  other: { start: number } | undefined,
): boolean => !one || !other || /^\s$/.test(question.slice(one.end, other.start));
