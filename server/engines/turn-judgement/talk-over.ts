import type { TurnTakingLanguage } from '#server/languages/turn-taking';
import type { AgentVoice, TalkOver, TalkOverVerdict } from './contract.ts';
import { isEcho, withoutEcho } from './echo.ts';

/**
 * Longer speech is not a back-channel: the customer wants to say something. The second limit is for words
 * that are all agreement.
 */
const LONGEST_BACK_CHANNEL_MS = 1_100;
const LONGEST_AGREEMENT_MS = 1_600;

/**
 * Too short for a sentence, though recognition makes one of a hum: the words must be clear. About 600 ms of
 * sound; the detector continues a little after it.
 */
const MOMENT_MS = 680;

/** Longest hum. */
const LONGEST_HUM_MS = 900;

/** Until then unfinished words prove nothing: the first half of a hum is recognised as any of them. */
const TELLING_MS = 700;

/** While the customer still speaks, this many words beyond a back-channel show that they take the floor. */
const WORDS_THAT_TELL = 3;

/** A voice that pauses is still recognised for up to this many words. */
const LONGEST_FRAGMENT = 3;

/** This many words that are not the agent's reveal a customer who is no louder than the agent's echo. */
const WORDS_OVER_ECHO = 5;

export type SpeechOverAgent = Omit<TalkOver, 'newestSound' | 'language'>;

/** Classifies speech over the agent's voice, or before its reply is played. */
export function judgeTalkOver(speech: SpeechOverAgent, language: TurnTakingLanguage): TalkOverVerdict {
  const { text, voicedMs, ended, agent, stoppedWithAgent, asQuietAsEcho, mayBeEcho } = speech;
  const all = language.wordsOf(text);
  if (all.length === 0) return ended ? { kind: 'noise', rule: 'no words' } : unsure('no words yet');
  if (tooManyWords(all, voicedMs))
    return ended
      ? { kind: 'noise', rule: 'more words than anybody says' }
      : unsure('more words than anybody says');
  const stops = language.stopsAtOnce(all);
  const isShort = stops && all.length < 3 && !asQuietAsEcho && !stoppedWithAgent;
  const isLikely = asQuietAsEcho || stoppedWithAgent || mayBeEcho;
  if (agent && !isShort && isEcho(all, agent, language, isLikely))
    return { kind: 'echo', rule: "the agent's words" };
  const words = agent && asQuietAsEcho ? withoutEcho(all, agent, language) : all;
  if (asQuietAsEcho && words.length < WORDS_OVER_ECHO)
    return ended ? { kind: 'echo', rule: 'as quiet as the echo' } : unsure('as quiet as the echo');
  if (stops) return claim('words that stop');
  const rest = language.withoutBackChannels(words);
  if (rest.length === 0 && ended && agent && isAnswer(words, agent, language)) return claim('an answer');
  if (rest.length === 0) {
    if (ended) return agreement(speech, 'signs of attention', language);
    return voicedMs > LONGEST_AGREEMENT_MS ? claim('agrees for long') : unsure('signs of attention');
  }
  // A fragment of an echo is too short to be found in the agent's text.
  if (stoppedWithAgent && agent && words.length <= LONGEST_FRAGMENT && !language.callsOrAsks(words[0] ?? ''))
    return { kind: 'echo', rule: "stopped with the agent's voice" };
  if (language.onlyHesitates(rest))
    return voicedMs > LONGEST_BACK_CHANNEL_MS ? claim('hesitates for long') : unsure('hesitates');
  if (ended)
    return soundsAttentive(rest, speech, language)
      ? agreement(speech, 'sounds like attention', language)
      : claim('words');
  // The voice is paused already, so waiting costs nothing, and half a word is easily misheard.
  if (voicedMs >= LONGEST_BACK_CHANNEL_MS) return claim('speaks for long');
  if (language.mayBecomeBackChannel(rest) || language.soundsLikeBackChannels(rest))
    return unsure('may become attention');
  return rest.length >= WORDS_THAT_TELL && voicedMs >= TELLING_MS
    ? claim('words enough')
    : unsure('too early');
}

const claim = (rule: string): TalkOverVerdict => ({ kind: 'claim', rule });
const unsure = (rule: string): TalkOverVerdict => ({ kind: 'unsure', rule });

/**
 * Agreement needs something to agree with: before the reply is played, "please go ahead" and "yes" belong to
 * the turn.
 */
const agreement = (
  { text, overVoice }: SpeechOverAgent,
  rule: string,
  language: TurnTakingLanguage,
): TalkOverVerdict =>
  !overVoice && language.addsToTheTurn(text) ? claim('adds to the turn') : { kind: 'agreement', rule };

/** Recognition sometimes makes a sentence of a bang: that many words do not fit into so short a time. */
const tooManyWords = (words: readonly string[], voicedMs: number) => words.length > 2 + voicedMs / 100;

/**
 * A voice reads some 16 letters a second: bounds how much of the agent's text is played before a "yes" ends.
 */
const LETTERS_PER_SECOND = 16;
const LAST_MOMENT_MS = 1_500;

/** "Yes" to a question of the agent whose last word is still playing. */
const isAnswer = (
  words: readonly string[],
  { text, expects, spokenMs }: AgentVoice,
  language: TurnTakingLanguage,
) =>
  expects === 'yes-or-no' &&
  /\?\s*$/.test(text) &&
  language.agrees(words) &&
  (text.length * 1_000) / LETTERS_PER_SECOND - spokenMs < LAST_MOMENT_MS;

/**
 * Whether words that are not a back-channel were only a sign of attention: recognition writes similar words
 * for "mm-hmm" and "uh-huh".
 */
function soundsAttentive(
  rest: readonly string[],
  { voicedMs, agent }: SpeechOverAgent,
  language: TurnTakingLanguage,
): boolean {
  if (voicedMs > LONGEST_BACK_CHANNEL_MS) return false;
  if (rest.some((word) => language.isMeant(word))) return false;
  if (voicedMs <= LONGEST_HUM_MS && language.soundsLikeHum(rest)) return true;
  // Before the reply is played, a few more words belong to the turn.
  return agent !== null && (voicedMs <= MOMENT_MS || language.soundsLikeBackChannels(rest));
}
