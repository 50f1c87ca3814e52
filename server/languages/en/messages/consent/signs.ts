import type { ReadBack } from './read-back.ts';
import type { Weight } from './weight.ts';

/**
 * What the words of an answer expressed so far, besides weighted phrases.
 * - `denial`: it began with a no · `sigh`: with an "oh"
 * - `wish`: something is wanted · `request`: the deed was requested as a question
 * - `bare`: a verb without an object · `either`: "cancel that" where something is cancelled
 * - `repeated`: part of the read-back, `number`: a number or day of it
 */
export type Sign =
  | Weight
  | 'denial'
  | 'sigh'
  | 'wish'
  | 'request'
  | 'bare'
  | 'either'
  | 'repeated'
  | 'number';

/** "It's fine" declines as often as it agrees. */
const lukewarm =
  /^(?:(?:it|everything|all|those|these) (?:is|are) .*\b(?:fine|ok|alright|good|grand|cool|lovely|nice|beautiful|gorgeous|great)|(?:that|this) is .*\b(?:ok|alright|all good))$/;

/** What a phrase expresses after this question: "it is" answers "Is that right?". */
export function signOf(weight: Weight, said: string, asks: ReadBack['asks']): Sign {
  if (said === 'oh') return 'sigh';
  if (said === 'right' && asks.has('right')) return 'right';
  if (/^(?:it|that|this) is(?: it| me| mine| us| ours)?$/.test(said) && asks.has('right')) return 'agree';
  if (/^(?:it|that) is$/.test(said) && asks.has('okay')) return 'agree';
  if (said === 'sure is' && !asks.has('right') && !asks.has('okay')) return 'unsure';
  if (/^no (?:problem|worries|bother|issue|trouble)/.test(said) && asks.has('okay')) return 'agree';
  if (/^you (?:got|have|have got) it$/.test(said) && !asks.has('right')) return 'unsure';
  if (lukewarm.test(said) && !asks.has('okay')) return 'unsure';
  if (/^i (?:do|would)$/.test(said) && asks.has('want')) return 'yes';
  if (/^(?:it|that) does$/.test(said) && asks.has('works')) return 'agree';
  if (/^you (?:can|may)$/.test(said) && asks.has('may')) return 'yes';
  return weight;
}

export function withSign(signs: ReadonlySet<Sign>, added: Sign, removed?: Sign): ReadonlySet<Sign> {
  const next = new Set(signs);
  if (removed) next.delete(removed);
  return next.add(added);
}
