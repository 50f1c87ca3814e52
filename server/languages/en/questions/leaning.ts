import { normalize, termsOf } from '../words.ts';

const opening = /^(?:and|or|but|also|then|so|what about|how about)\b/;
const whole = /\b(?:who|what|when|where|which|why|how|do|does|did|is|are|can|could|will|would) (?!about\b)/;
const pointing =
  /\b(?:it|its|that|this|they|them|their|those|these|there|then|one|ones|he|she|him|her|same|such)\b/;
/** "is there", "this week", "it is possible to": pronouns that refer to nothing before. */
const emptyPointing =
  /\b(?:is|are|was|were|will|would) there\b|\bthere (?:is|are|was|were)\b|\bthis (?:week|month|year|morning|evening|weekend|afternoon)\b|\b(?:that|one) (?:i|you|we|is|are|my|the)\b/g;

/**
 * Whether a message is a follow-up: it refers to something ("how long does that take?"), continues ("and to
 * Mexico?"), or names no topic of its own.
 */
export function leaning(text: string): 'surely' | 'maybe' | 'no' {
  const words = normalize(text).trim();
  const topics = new Set(termsOf(text)).size;
  if (topics === 0) return 'surely';
  // "And who is the manager?" is an independent question; "and to Mexico?" is not.
  if (opening.test(words)) {
    if (topics <= 3 && !(topics > 1 && whole.test(words))) return 'surely';
    if (topics <= 3) return 'maybe';
  }
  if (topics <= 1) return 'maybe';
  return pointing.test(words.replace(emptyPointing, ' ')) && topics <= 5 ? 'maybe' : 'no';
}
