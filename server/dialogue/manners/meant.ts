import { onlyEnglishIn } from '#server/languages/elsewhere';
import type { Act, ReadMessage } from '#server/languages/messages';
import { SURE } from '../knowledge/confidence.ts';
import type { Found } from '../knowledge/find.ts';
import type { Turn } from './draft.ts';

/** Threshold of an act's probability; docs/dialogue.md has its precision and recall. */
const MEANT = 0.75;
/** Acts that resemble frequent questions to a business. */
const NEAR_TO_QUESTIONS = new Set<Act>(['time', 'open-now', 'why-contact', 'languages', 'weather']);
const SURELY_MEANT = 0.9;
/** Words told beside a question that make it about the customer's case. */
const CASE_WORDS = 6;
/** Threshold for a message without a result in the text, which is less likely a question to the business. */
const WHERE_UNKNOWN = 0.2;
/** Threshold for a message that the business's own text answers. */
const BEYOND_DOUBT = 0.98;
/** Acts that accompany a correction. */
const SAID_BESIDE = new Set<Act>(['yes', 'no', 'thanks', 'never-mind', 'compliment', 'hear-me']);
/** Threshold for a remark, which asks nothing. */
const REMARKED = 0.7;
/** Confidence below which the text has no result, and only a part of the message may be meant. */
const UNKNOWN = 0.25;
/** Acts that a business's own text may answer. */
const TOLD_OF = new Set<Act>(['languages', 'what-can-you-do']);
/** Longer messages have content of their own. */
const MAX_WORDS = 25;

type Said = Pick<Turn, 'knowing' | 'turn' | 'message' | 'language' | 'signal'>;

/**
 * The act of a message, by its meaning, other than a question about the business; null without one.
 * @param found the search result for it
 */
export async function actMeant(
  around: Said & Pick<Turn, 'state'>,
  found: readonly Pick<Found, 'confidence' | 'isUnknown'>[],
): Promise<Act | null> {
  const { turn, message, language, state } = around;
  const confidence = Math.max(...found.map((one) => one.confidence));
  if (onlyEnglishIn(turn.text) !== null) return 'languages';
  const pieces =
    confidence < UNKNOWN ? [...message.needs, message.background, turn.text.split(',')[0] ?? ''] : [];
  const likely = await likeliest(around, [turn.text, ...pieces]);
  if (!likely) return null;
  const { act, chance } = likely;
  // "No, the other one", and "do you do that in Italian?" after an answer from the text.
  if (SAID_BESIDE.has(act) && language.messages.isCorrection(turn.text)) return null;
  if (act === 'languages' && state.question !== null && !found.every(({ isUnknown }) => isUnknown))
    return null;
  if (confidence >= SURE) return chance >= BEYOND_DOUBT && !TOLD_OF.has(act) ? act : null;
  // A customer who described a case asks about that.
  if (message.background.split(/\s+/).length >= CASE_WORDS) return chance >= SURELY_MEANT ? act : null;
  const least = NEAR_TO_QUESTIONS.has(act) ? SURELY_MEANT : MEANT;
  return chance >= (confidence < UNKNOWN ? least - WHERE_UNKNOWN : least) ? act : null;
}

/** Acts of a remark that no action or passage answers better. */
const DONE_BY_REMARKS = new Set<Act>([
  'yes',
  'no',
  'thanks',
  'goodbye',
  'wait',
  'repeat',
  'misunderstood',
  'hear-me',
  'never-mind',
  'abuse',
  'compliment',
  'how-are-you',
  'greeting',
  'more',
]);

/**
 * The message with its acts: a remark that the word rules do not cover may thank, take leave, agree or ask for a moment
 * in words of its own.
 */
export async function asMeant(around: Said): Promise<ReadMessage> {
  const { message, turn, language } = around;
  const { contactIn, isCorrection, isPartOfContact } = language.messages;
  if (!message.isStatement) return message;
  const tells =
    Object.keys(contactIn(turn.text, null)).length > 0 ||
    isPartOfContact(turn.text) ||
    isCorrection(turn.text);
  if (tells) return message;
  const likely = await likeliest(around, [turn.text]);
  if (!likely || likely.chance < REMARKED) return message;
  // "No, the lost card" also names the correction.
  const saysMore = likely.act === 'no' && language.words.termsOf(turn.text).length > 0;
  if (saysMore || !DONE_BY_REMARKS.has(likely.act)) return message;
  return { ...message, acts: [...message.acts, likely.act], needs: [], isStatement: false };
}

async function likeliest(
  { knowing: { reading }, language, signal }: Said,
  texts: readonly string[],
): Promise<{ act: Act; chance: number } | null> {
  const short = [...new Set(texts)].filter((text) => text !== '' && text.split(/\s+/).length <= MAX_WORDS);
  if (reading?.status().state !== 'ready' || short.length === 0) return null;
  try {
    const vectors = await reading.embed(short, { as: 'question', signal });
    const likely = vectors.flatMap((vector) => language.messages.actIn(vector, reading.revision) ?? []);
    return likely.reduce<{ act: Act; chance: number } | null>(
      (best, one) => (one.chance > (best?.chance ?? 0) ? one : best),
      null,
    );
  } catch {
    signal.throwIfAborted();
    return null;
  }
}
