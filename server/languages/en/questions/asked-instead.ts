import type { AskedInstead } from '../../contract.ts';
import { plain } from '../../typography.ts';
import { stopWordsOnly } from '../words.ts';

/** Longer ones are sentences of their own. */
const MAX_WORDS = 8;
const opening =
  /^(?:(?:no|nope|not at all|sorry|oh|ah|uh|um|er|well|wait|hang on|actually|yes|yeah|right|ok(?:ay)?|and|but|or|so|then|also)\b[,.!…]? ?)+/i;
const introduction =
  /^(?:i (?:mean|meant|said|was (?:asking|talking) about|am asking about|am talking about)|make (?:it|that)|what about|how about|(?:it|that|this)(?:['’]s| is| was)|rather|just)\b,? ?/i;
const ending =
  /,? (?:i (?:mean|meant|said)|sorry|please|then|instead|actually|though|rather|is what i meant)$/i;
/** A sentence with a verb of its own is not put into another. */
const clause =
  /\b(?:who|what|when|where|which|why|how|is|are|am|was|were|do|does|did|can|could|will|would|shall|should|must|has|had|have|i|we|you|he|she|they|if)\b|['’](?:s|re|ve|ll|d|m)\b|n['’]t\b/i;
const small =
  /^(?:(?:for|on|in|at|to|about|of|from|until|into|by) )?(?:(?:the|an?|my|our|your|this|that|any|some) )?/i;
/** What comes on top takes no place. */
const addition = /^(?:with|without|including|plus)\b/i;
const oneOf = / (?:ones?)$/i;

/**
 * What is asked for instead: "And on Sundays?", "Not the full service, the basic one.", "Sorry, I meant in March."
 * @returns null where the message is a question or a remark of its own
 */
export function askedInstead(message: string): AskedInstead | null {
  const text = bare(plain(message).slice(0, 300));
  const negated = withNegated(text);
  const said = negated?.said ?? text;
  const words = said.split(/\s+/).length;
  if (words > MAX_WORDS || clause.test(said) || addition.test(said) || stopWordsOnly(said)) return null;
  const core = said.replace(small, '').trim();
  const isOfSameKind = oneOf.test(core);
  return {
    said: core.replace(oneOf, '').trim() || core,
    not: negated ? negated.not.replace(small, '').replace(oneOf, '').trim() : null,
    isOfSameKind,
  };
}

/** Without what a correction or a further question is introduced with. */
function bare(message: string): string {
  let text = message.trim().replace(/(?<![.!?,\s])[.!?,\s]+$/, '');
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replace(opening, '').replace(introduction, '').replace(ending, '').trim();
  }
  return text;
}

/** "Not X, Y" and "Y, not X". */
function withNegated(text: string): { said: string; not: string } | null {
  const first = /^not (?:about )?(.{2,60}?)(?:[,.;:] ?| [–—-] )(.{2,120})$/i.exec(text);
  if (first?.[1] && first[2]) return { not: first[1], said: bare(first[2]) };
  const last = /^(.{2,120}?),? (?:and |but )?(?:not|instead of|rather than) (.{2,60})$/i.exec(text);
  return last?.[1] && last[2] ? { said: bare(last[1]), not: last[2] } : null;
}
