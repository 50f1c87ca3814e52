import { normalize } from '../words/tokens.ts';
import { readQuestion } from './question.ts';

/**
 * Whether a message can only be understood with what was said before: it opens with "and" or "what about",
 * points with a pronoun, or names no topic of its own.
 */
export function leansOnBefore(text: string): boolean {
  return leaning(text) !== 'no';
}

/** `surely`: makes no sense alone. `maybe`: has a pronoun, which may as well point at nothing said before. */
export function leaning(text: string): 'surely' | 'maybe' | 'no' {
  const q = normalize(text).trim();
  if (/^(?:and|or|but|also|then|so)\b(?!.*\b(?:hello|hi)\b)/.test(q) && topicWords(text) <= 3)
    return 'surely';
  if (
    /^(?:what|how) about\b|^(?:why|why not|how so|since when|until when|by when|how come|where|when|who|how long|how much|how many|which one|which ones|what else|anything else|really|are you sure|for how long|at what price)\??$/.test(
      q,
    )
  )
    return 'surely';
  if (
    /\b(?:it|that|this|they|them|those|these|there|then|one|ones|he|she|same)\b/.test(
      q.replace(
        /\b(?:is|are|was) there\b|\bit is possible\b|\bis it to\b|\b(?:does|will|would|did) it (?:take|cost)\b(?: (?:me|us))? to\b|\bit is \w+ to\b|\bis it (?:possible|ok|okay|true)\b|\bthis (?:week|month|year|morning|evening|weekend)\b|\bthat (?:i|you|we|is|are|my|the)\b/g,
        '',
      ),
    ) &&
    topicWords(text) <= 2
  )
    return 'maybe';
  return readQuestion(text).terms.length === 0 ? 'surely' : 'no';
}

/** Only a scrap such as "in Germany?" or "on Sundays?". */
export function isFragment(text: string): boolean {
  const q = normalize(text).trim();
  return (
    /^(?:and |or |what about |how about |for |in |on |with |to |from |by |at )+/.test(q) &&
    q.split(/\s+/).length <= 7 &&
    !/\b(?:do|does|is|are|can|will|how|what|when|where|which|who|why)\b/.test(
      q.replace(/^(?:and |or )?(?:what|how) about/, ''),
    )
  );
}

const topicWords = (text: string) => readQuestion(text).terms.filter((term) => term.weight >= 0.9).length;

/** The latest earlier message that stands on its own, with the leaning ones after it. */
export function topicBefore(earlier: readonly string[]): string | null {
  const parts: string[] = [];
  for (const message of [...earlier].reverse().slice(0, 4)) {
    if (readQuestion(message).terms.length === 0) continue;
    parts.unshift(message);
    if (!leansOnBefore(message)) break;
  }
  return parts.length > 0 ? parts.join(' ') : null;
}
