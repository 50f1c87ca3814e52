import type { Outcome } from '#shared/conversations';

/** What a model did in a turn. */
interface Done {
  /** Something waits for a yes. */
  isReadBack: boolean;
  /** A colleague was told, or is to come at once. */
  isHandedOver: boolean;
  /** The numbers of passages that it cited, 0 for "none holds it"; what was quoted in its place counts. */
  cited: ReadonlySet<number>;
  /** An action was done, or the business quoted. */
  hasAnswered: boolean;
  /** It said something that could be wrong. */
  hasStated: boolean;
  /** The customer wants to know something. */
  isAsked: boolean;
  /** The search found what is likely to answer. */
  isKnown: boolean;
  text: string;
}

/** What a reply of a language model came to, by what it did: its words are of any language. */
export function conclusionOf(done: Done): Outcome {
  if (done.isHandedOver) return 'handover';
  if (done.isReadBack) return 'asked-back';
  if (done.hasAnswered || [...done.cited].some((n) => n > 0)) return 'answered';
  if (done.cited.has(0)) return 'declined';
  if (!done.isAsked) return 'social';
  if (asks(done.text)) return 'asked-back';
  return done.hasStated && done.isKnown ? 'answered' : 'declined';
}

/** Whether a text ends with a question, in any script. */
export const asks = (text: string): boolean => /[?？؟;]["'”’»)]*\s*$/u.test(text) && !/[;]\s*$/.test(text);
