import type { ReadBack } from './read-back.ts';
import type { Sign } from './signs.ts';
import type { Token } from './tokens.ts';
import { type State, start, Walk } from './walk.ts';

/** Nobody says yes in more words. */
const MAX_WORDS = 28;

/**
 * Whether a whole answer agrees with what was read back: every word of it is one that agrees, that adds nothing, or that
 * repeats what was read back in the same sense. What is left over (a condition, a doubt, another wish) is no agreement.
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

/** Whether an answer that is understood to its end agrees. */
function isAgreement(signs: ReadonlySet<Sign>, { isRemoval, isEnding, asks }: ReadBack): boolean {
  const says = (...some: Sign[]) => some.some((sign) => signs.has(sign));
  // "I want my card" does not want it blocked.
  if (says('wish') && isRemoval && !says('deed')) return false;
  if (says('request') && !says('yes')) return false;
  if (says('unsure') && !says('yes', 'deed', 'right')) return false;
  if (says('heard') && !says('deed')) return false;
  if ((says('either') || (says('bare') && isEnding)) && !says('yes', 'deed')) return false;
  // "No, no, that's perfect, go ahead": one word alone does not take back a no.
  if (says('denial')) {
    const plain = (['yes', 'deed', 'right', 'agree'] as const).filter((sign) => signs.has(sign)).length;
    return plain > 1 || (says('right') && asks.has('right')) || (says('deed') && asks.has('objection'));
  }
  if (says('yes', 'okay', 'right', 'deed', 'agree', 'wish')) return true;
  if (says('praise')) return !says('sigh');
  if (says('mild')) return !says('sigh', 'thanks');
  return says('please') && (!says('repeated') || says('number'));
}
