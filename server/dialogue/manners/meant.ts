import type { ReadingEngine } from '#server/engines/reading/contract';
import type { LanguagePack } from '#server/languages/contract';
import { onlyEnglishIn } from '#server/languages/elsewhere';
import type { Act } from '#server/languages/messages';
import { SURE } from '../knowledge/confidence.ts';
import { dot } from '../likeness.ts';
import type { Turn } from './draft.ts';

/**
 * Cosine from which somebody means what others say so. Of 63 wordings written apart 55 are at least so near to their own, and of
 * 731 questions to businesses, of which most have an answer there, 14 to any.
 */
const SAME = 0.68;
/** What a business is often asked in nearly the same words. */
const NEAR_TO_QUESTIONS = new Set<Act>(['time', 'open-now', 'why-contact']);
const VERY_SAME = 0.82;
/** It says so in as many words: then nothing is looked up. */
const IN_AS_MANY_WORDS = 0.88;
/** Below it the text has nothing to it, and a part of what was said may be what was meant. */
const UNKNOWN = 0.25;
/** What is said in a remark, which asks nothing, may be said in more words of one's own. */
const REMARKED = new Set<Act>(['wait', 'thanks', 'weather', 'hear-me', 'handover', 'goodbye']);
const REMARK = 0.6;
/** What a business's own text may tell. */
const TOLD_OF = new Set<Act>(['languages', 'what-can-you-do']);
/** Longer messages say something of their own. */
const MAX_WORDS = 18;

/** The vectors of a language's meanings, which stay the same. */
const known = new WeakMap<ReadingEngine, Map<LanguagePack, Promise<Float32Array[]>>>();

/**
 * What is done with a message besides asking about the business, by what it means; null where it does nothing like that.
 * @param confidence how likely the business's text answers it: where it surely does only what is said in as many words counts
 */
export async function actMeant(
  {
    knowing,
    turn,
    message,
    language,
    signal,
  }: Pick<Turn, 'knowing' | 'turn' | 'message' | 'language' | 'signal'>,
  confidence: number,
): Promise<Act | null> {
  if (onlyEnglishIn(turn.text) !== null) return 'languages';
  const { reading } = knowing;
  const pieces =
    confidence < UNKNOWN ? [...message.needs, message.background, turn.text.split(',')[0] ?? ''] : [];
  const texts = [...new Set([turn.text, ...pieces])].filter(
    (text) => text !== '' && text.split(/\s+/).length <= MAX_WORDS,
  );
  if (reading?.status().state !== 'ready' || texts.length === 0) return null;
  try {
    const { meanings } = language.messages;
    const vectors = await vectorsOf(reading, language);
    const said = await reading.embed(texts, { signal });
    let best: { act: Act; likeness: number } | null = null;
    let at = 0;
    for (const { act, says } of meanings)
      for (const _ of says) {
        const vector = vectors[at++];
        const likeness = Math.max(...said.map((own) => dot(own, vector)));
        if (likeness > (best?.likeness ?? 0)) best = { act, likeness };
      }
    if (!best) return null;
    const { act, likeness } = best;
    if (confidence >= SURE) return likeness >= IN_AS_MANY_WORDS && !TOLD_OF.has(act) ? act : null;
    const least = NEAR_TO_QUESTIONS.has(act)
      ? VERY_SAME
      : (message.isStatement || confidence < UNKNOWN) && REMARKED.has(act)
        ? REMARK
        : SAME;
    return likeness >= least ? act : null;
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

function vectorsOf(reading: ReadingEngine, language: LanguagePack): Promise<Float32Array[]> {
  const ofEngine = known.get(reading) ?? new Map<LanguagePack, Promise<Float32Array[]>>();
  known.set(reading, ofEngine);
  const before = ofEngine.get(language);
  if (before) return before;
  const vectors = reading.embed(language.messages.meanings.flatMap(({ says }) => says));
  ofEngine.set(language, vectors);
  // What could not be read is read the next time.
  vectors.catch(() => ofEngine.delete(language));
  return vectors;
}
