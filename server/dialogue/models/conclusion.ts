import type { Outcome } from '#shared/conversations';

/** The events of a model's turn. */
interface Done {
  /** An action waits for a yes. */
  isReadBack: boolean;
  /** A colleague was told, or should come at once. */
  isHandedOver: boolean;
  /** The numbers of cited passages, 0 for "none holds it"; a quotation in place of a sentence counts. */
  cited: ReadonlySet<number>;
  /** An action was done, or the business quoted. */
  hasAnswered: boolean;
  /** It made a claim that could be wrong. */
  hasStated: boolean;
  /** The customer asked a question. */
  isAsked: boolean;
  /** The search result probably answers it. */
  isKnown: boolean;
  text: string;
}

/** The outcome of a language model's reply, from its events, since its words may be of any language. */
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
