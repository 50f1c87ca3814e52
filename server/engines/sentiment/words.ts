import { trainedFor } from './trained-for.ts';

const { isNegation, endsNegation } = trainedFor;

/** A text tokenised for the classifier. */
interface Words {
  /**
   * Lower-case words, marks and placeholders in order; words after a negation, up to the next mark, get the
   * prefix `not_`.
   */
  tokens: string[];
  /** Words only, as written. */
  written: string[];
}

/** No message is longer; processing time must be bounded for any input. */
const MAX_CHARACTERS = 8_000;
const PIECES =
  /https?:\/\/\S+|www\.\S+|[@#][\p{L}\p{N}_]+|\p{Extended_Pictographic}|[:;=8x]['’]?-?[)(dp/\\|3o*]|<3+|\p{L}+(?:['’*]\p{L}+)*|\p{N}+(?:[.,:/]\p{N}+)*|[!?]+|\.{2,}|[.,;★☆]/giu;
/** Number of words that a negation reaches (as in VADER, Hutto & Gilbert 2014). */
const REACH = 3;

export function wordsOf(text: string): Words {
  const tokens: string[] = [];
  const written: string[] = [];
  let negated = 0;
  for (const [piece] of text.slice(0, MAX_CHARACTERS).replaceAll('&amp;', '&').matchAll(PIECES)) {
    const token = tokenOf(piece);
    if (/^\p{L}/u.test(piece)) written.push(piece);
    if (endsNegation(token)) negated = 0;
    if (negated > 0 && /^\p{L}/u.test(token)) {
      tokens.push(`not_${token}`);
      negated--;
    } else tokens.push(token);
    if (isNegation(token)) negated = REACH;
  }
  return { tokens, written };
}

function tokenOf(piece: string): string {
  if (/^(?:https?:|www\.)/i.test(piece)) return '<link>';
  if (piece.startsWith('@')) return '<name>';
  if (/^\p{N}/u.test(piece))
    return /[.,:/]/.test(piece) ? '<figure>' : piece.length > 2 ? '<number>' : '<few>';
  if (/^!/.test(piece)) return '!';
  if (/^\?/.test(piece)) return '?';
  if (/^\.\./.test(piece)) return '...';
  return piece
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/(\p{L})\1{2,}/gu, '$1$1');
}
