import type { TurnTakingLanguage } from '#server/languages/turn-taking';
import { plain } from '#server/languages/typography';
import { DIGITS } from '../number-names.ts';
import {
  agrees,
  callsOrAsks,
  isMeant,
  mayBecomeBackChannel,
  onlyHesitates,
  soundsLikeBackChannels,
  stopsAtOnce,
  withoutBackChannels,
} from './back-channels.ts';
import { readEnding } from './ending.ts';
import { expectedAnswer } from './expected-answer.ts';
import { addsToTheTurn } from './going-on.ts';
import { soundsOnlyNasal } from './sounds-like.ts';
import { wordsOf } from './words-of.ts';

/** English turn-taking. */
export const turnTaking: TurnTakingLanguage = {
  wordsOf: (text) => wordsOf(plain(text).toLowerCase()),
  lettersOf: (words) =>
    words
      .join('')
      .replace(/\d/g, (digit) => DIGITS[Number(digit)] ?? '')
      .replace(/[^\p{L}]/gu, ''),
  readEnding,
  expectedAnswer,
  isUnfinished: (text) => ['unfinished', 'hesitating', 'spelling'].includes(readEnding(text, 'anything')),
  addsToTheTurn,
  stopsAtOnce,
  agrees,
  withoutBackChannels,
  mayBecomeBackChannel,
  soundsLikeBackChannels,
  soundsLikeHum: soundsOnlyNasal,
  onlyHesitates,
  callsOrAsks,
  isMeant,
};
