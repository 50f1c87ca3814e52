import type { AskedConsent, Consent } from '../../../messages.ts';
import { isName } from '../../names.ts';
import { affirms } from './affirms.ts';
import { halting } from './deeds.ts';
import { readReadBack } from './read-back.ts';
import { givesUp, refuses, refusesAtOnce } from './refusals.ts';
import { type Token, tokensOf, wordsOf } from './tokens.ts';
import { negators } from './vocabulary.ts';

/** Longest answer that is analysed; this runs on the main thread. */
const MAX_CHARACTERS = 400;
/**
 * Longest part of the read-back that is compared; an answer that repeats more of it leads to another
 * question.
 */
const MAX_READ_BACK = 800;

/**
 * The answer to "Shall I?". A yes must be complete: every word agrees, adds nothing, or repeats the
 * read-back. A condition, question, doubt, other value or other wish is neither yes nor no.
 * @param today the day after it may be called tomorrow
 */
export function consentIn(
  message: string,
  { readBack, isYesAskedFor, agentName }: AskedConsent,
  today = new Date(),
): Consent | null {
  if (message.length > MAX_CHARACTERS) return null;
  const names = wordsOf(tokensOf(agentName)).filter((name) => !turning.has(name) && !halting.has(name));
  const said = withoutCall(tokensOf(message), names);
  const asked = readReadBack(cut(readBack), today);
  if (givesUp(said, asked, names)) return 'gives-up';
  if (!isYesAskedFor) return refusesAtOnce(said) ? 'no' : null;
  if (said.some(({ text }) => text === '?')) return null;
  if (affirms(said, asked, names)) return 'yes';
  return refuses(said, asked, names) ? 'no' : null;
}

/** Never cuts through a value. */
const cut = (readBack: string) =>
  readBack.length > MAX_READ_BACK ? readBack.slice(0, MAX_READ_BACK).replace(/(?<!\S)\S+$/, '') : readBack;

/** Words that change a sentence's sense, even if they are also a name. */
const turning = new Set([...negators, 'if', 'but', 'unless', 'only', 'instead', 'maybe']);

/** "Robin? Yes.": addresses the agent and asks nothing. */
const withoutCall = (tokens: readonly Token[], names: readonly string[]): readonly Token[] =>
  tokens.filter(
    ({ text }, at) =>
      !(text === '?' && at > 0 && at < 3 && names.some((name) => isName(tokens[at - 1]?.text, name))),
  );
