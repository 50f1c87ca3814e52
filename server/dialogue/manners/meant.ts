import { onlyEnglishIn } from '#server/languages/elsewhere';
import type { Act, ReadMessage } from '#server/languages/messages';
import { SURE } from '../knowledge/confidence.ts';
import type { Found } from '../knowledge/find.ts';
import type { Turn } from './draft.ts';

/** How likely an act must be; docs/dialogue.md says what is found from there on, and what is taken for one. */
const MEANT = 0.75;
/** What a business is often asked in nearly the same words. */
const NEAR_TO_QUESTIONS = new Set<Act>(['time', 'open-now', 'why-contact', 'languages', 'weather']);
const SURELY_MEANT = 0.9;
/** Words told beside a question that make it one about them. */
const CASE_WORDS = 6;
/** What the text has nothing to is less likely a question to the business. */
const WHERE_UNKNOWN = 0.2;
/** The business's own text answers the message: then it must hardly be possible otherwise. */
const BEYOND_DOUBT = 0.98;
/** What a correction is said with, beside what it puts right. */
const SAID_BESIDE = new Set<Act>(['yes', 'no', 'thanks', 'never-mind', 'compliment', 'hear-me']);
/** A remark, which asks nothing, is no more than the act. */
const REMARKED = 0.7;
/** Below it the text has nothing to it, and a part of what was said may be what was meant. */
const UNKNOWN = 0.25;
/** What a business's own text may tell. */
const TOLD_OF = new Set<Act>(['languages', 'what-can-you-do']);
/** Longer messages say something of their own. */
const MAX_WORDS = 25;

type Said = Pick<Turn, 'knowing' | 'turn' | 'message' | 'language' | 'signal'>;

/**
 * What is done with a message besides asking about the business, by what it means; null where it does nothing like that.
 * @param found what the business's text has to it
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
  // "No, the other one", and "do you do that in Italian?" after something that is told in the text.
  if (SAID_BESIDE.has(act) && language.messages.isCorrection(turn.text)) return null;
  if (act === 'languages' && state.question !== null && !found.every(({ isUnknown }) => isUnknown))
    return null;
  if (confidence >= SURE) return chance >= BEYOND_DOUBT && !TOLD_OF.has(act) ? act : null;
  // Whoever told a case asks about that.
  if (message.background.split(/\s+/).length >= CASE_WORDS) return chance >= SURELY_MEANT ? act : null;
  const least = NEAR_TO_QUESTIONS.has(act) ? SURELY_MEANT : MEANT;
  return chance >= (confidence < UNKNOWN ? least - WHERE_UNKNOWN : least) ? act : null;
}

/** What a remark may do, and no action and no passage answers better. */
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
 * The message as what it does: a remark of which the words of the language make nothing may thank, take leave, agree or ask for a
 * moment in words of its own.
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
  // "No, the lost card" says what is meant instead.
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
