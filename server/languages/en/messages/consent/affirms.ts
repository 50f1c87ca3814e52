import type { ReadBack } from './read-back.ts';
import type { Sign } from './signs.ts';
import type { Token } from './tokens.ts';
import { type State, start, Walk } from './walk.ts';

/** A yes is not longer than this. */
const MAX_WORDS = 28;

/**
 * Whether a whole answer agrees with the read-back: every word agrees, adds nothing, or repeats the read-back
 * in the same sense. If anything is left (a condition, a doubt, another wish), it is no agreement.
 */
export function affirms(
  tokens: readonly Token[],
  readBack: ReadBack,
  agentNames: readonly string[],
): boolean {
  if (tokens.length > MAX_WORDS) return false;
  const walk = new Walk(tokens, readBack, agentNames);
  const seen = new Set<string>();
  const waiting = [start];
  for (let state = waiting.pop(); state; state = waiting.pop()) {
    const key = keyOf(state);
    if (seen.has(key)) continue;
    seen.add(key);
    if (state.at === tokens.length) {
      if (state.open === '' && isAgreement(state.signs, readBack)) return true;
    } else waiting.push(...walk.next(state));
  }
  return false;
}

const keyOf = ({ at, signs, open, before }: State) =>
  [
    at,
    [...signs].sort(),
    open,
    before.is,
    before.what,
    before.preposition,
    before.isNegated,
    before.chunks,
  ].join('|');

/** Whether a completely understood answer agrees. */
function isAgreement(signs: ReadonlySet<Sign>, { isRemoval, isEnding, asks }: ReadBack): boolean {
  const says = (...some: Sign[]) => some.some((sign) => signs.has(sign));
  // "I want my card" does not ask to block it.
  if (says('wish') && isRemoval && !says('deed')) return false;
  if (says('request') && !says('yes')) return false;
  if (says('unsure') && !says('yes', 'deed', 'right')) return false;
  if (says('heard') && !says('deed')) return false;
  if ((says('either') || (says('bare') && isEnding)) && !says('yes', 'deed')) return false;
  // "No, no, that's perfect, go ahead": a single positive word does not outweigh a no.
  if (says('denial')) {
    const plain = (['yes', 'deed', 'right', 'agree'] as const).filter((sign) => signs.has(sign)).length;
    return plain > 1 || (says('right') && asks.has('right')) || (says('deed') && asks.has('objection'));
  }
  if (says('yes', 'okay', 'right', 'deed', 'agree', 'wish')) return true;
  if (says('praise')) return !says('sigh');
  if (says('mild')) return !says('sigh', 'thanks');
  return says('please') && (!says('repeated') || says('number'));
}
