import { plain } from '../words/tokens.ts';
import { isEcho } from './echo.ts';
import { wordsOf } from './ending.ts';
import { expectedAnswer } from './expected-answer.ts';

export interface TalkOver {
  /** What was recognised of the speech so far, '' for none. */
  text: string;
  /** How much of it was voiced, in milliseconds. */
  voicedMs: number;
  /** Whether it has ended. */
  ended: boolean;
  /** It ended as soon as the agent's voice had paused: an echo does, a person talks on. */
  stoppedWithAgent?: boolean;
  /** What the agent is saying and since when; null while it only prepares to speak. */
  agent: { text: string; spokenMs: number } | null;
}

/** `echo` and `noise`: nobody spoke to the agent; `fragment`: probably an echo. `listening`: a sign of attention. `unsure`: more must be heard. */
export type TalkOverVerdict = 'takes-the-floor' | 'listening' | 'noise' | 'echo' | 'fragment' | 'unsure';

/** Nobody agrees for so long; whoever does wants to say something. */
const LONGEST_BACK_CHANNEL_MS = 1_100;

/** While somebody still speaks, so many words beyond a sign of attention show that they mean to. */
const WORDS_THAT_TELL = 3;

/**
 * Signs of attention by which a listener lets the other go on (Yngve 1970; the common ones of Jurafsky et al. 1997,
 * SWBD-DAMSL tags b, bk, ba).
 */
const backChannels = new Set(
  `mhm|mm|mmm|mm-hmm|mm-hm|m-hm|hm|hmm|hmmm|uh-huh|uhhuh|uh huh|uhuh|huh|aha|ah|oh|ooh|okay|ok|k|yeah|yep|yup|yes|ya|yea|right|sure|
  alright|all right|i see|oh i see|got it|i got it|gotcha|i got you|understood|i understand|thanks|thank you|great|good|nice|cool|perfect|fine|wow|
  really|exactly|true|of course|makes sense|that makes sense|sounds good|very good|very well|that's right|that's true|that's good|that's great|that's fine|fair enough|
  okay great|no problem|no worries|interesting|lovely|awesome|excellent|wonderful|absolutely|definitely|indeed|please|go on|go ahead|bless you|oh okay|oh right|oh no|oh wow|oh really`
    .split('|')
    .map((phrase) => phrase.trim()),
);
const longestPhrase = 3;
const hesitations = /^(?:u+[hm]+|e+r+m?|eh|well|so|and|but|a+h+)$/;

/** Words that stop an agent at once, however short. */
const stopsAtOnce =
  /^(?:(?:oh|okay|ok|uh|um|yeah|sorry|hey|please|and|but|well|right),? )*(?:no(?! (?:problem|worries)\b)|nope|nah|stop|wait|hold on|hang on|hold up|excuse me|actually|help|pause|quiet|enough|never ?mind|one (?:second|moment|sec)|just a (?:second|moment|minute)|sorry(?: |$)(?!to hear)|pardon|shut up|be quiet|not that|that'?s (?:not|wrong)|cancel|repeat|again)\b/;

/** What speech over the agent's voice is. */
export function judgeTalkOver({
  text,
  voicedMs,
  ended,
  agent,
  stoppedWithAgent = false,
}: TalkOver): TalkOverVerdict {
  const said = plain(text).toLowerCase();
  const words = wordsOf(said);
  if (words.length === 0) return ended ? 'noise' : 'unsure';
  if (tooManyWords(words, voicedMs)) return ended ? 'noise' : 'unsure';
  if (agent && isEcho(said, agent.text, agent.spokenMs) && (words.length >= 3 || !stopsAtOnce.test(said)))
    return 'echo';
  if (stopsAtOnce.test(words.join(' '))) return 'takes-the-floor';
  const rest = withoutBackChannels(words);
  if (rest.length === 0 && ended && agent && answersItsQuestion(words, agent)) return 'takes-the-floor';
  if (rest.length === 0)
    return ended ? 'listening' : voicedMs > LONGEST_BACK_CHANNEL_MS ? 'takes-the-floor' : 'unsure';
  // A fragment of an echo is too short to be found in the agent's text.
  if (stoppedWithAgent && agent && words.length <= 2 && !/^(?:what|hello|hey|sorry|why|who|how)\b/.test(said))
    return 'fragment';
  if (rest.every((word) => hesitations.test(word)))
    return voicedMs > LONGEST_BACK_CHANNEL_MS ? 'takes-the-floor' : 'unsure';
  // The first half second of "I see" or "that makes sense" is a word or two of it.
  if (!ended && mayBecomeBackChannel(rest)) return 'unsure';
  if (ended && isMumbled(said, rest, voicedMs)) return 'listening';
  // The voice is held already, so that waiting costs nothing: half a word is easily misheard.
  if (!ended && rest.length < WORDS_THAT_TELL && voicedMs < LONGEST_BACK_CHANNEL_MS) return 'unsure';
  return 'takes-the-floor';
}

/** Recognition sometimes makes a sentence of a bang: nobody says that much in so short a time. */
const tooManyWords = (words: readonly string[], voicedMs: number) => words.length > 2 + voicedMs / 100;

/** A voice reads some 16 letters a second; what is left of its text then is heard before "yes" has been said. */
const LETTERS_PER_SECOND = 16;
const LAST_MOMENT_MS = 1_500;

/** "Yes" to a question of the agent whose last word is still being said. */
function answersItsQuestion(words: readonly string[], agent: { text: string; spokenMs: number }): boolean {
  if (expectedAnswer(agent.text) !== 'yes-or-no' || !/\?\s*$/.test(agent.text)) return false;
  const answer = /^(?:yes|yeah|yep|yup|sure|okay|ok|right|please|exactly|absolutely|definitely|of course)\b/;
  if (!answer.test(words.join(' '))) return false;
  return (agent.text.length * 1_000) / LETTERS_PER_SECOND - agent.spokenMs < LAST_MOMENT_MS;
}

/** Short words that are meant when they are said over the agent. */
const meant =
  /^(?:more|slow|bill|card|call|talk|mail|menu|next|back|skip|end|quit|exit|wrong|done|stay|slower|faster|again|hey|hello|listen|look|please|but|and|or|also|who|what|why|how|when|where|this|that|them|it|you|i|we|my|me)$/;
/** A hum takes no longer. */
const LONGEST_HUM_MS = 750;

/**
 * "Mm-hmm" and "uh-huh" are no words, and recognition writes words all the same: "Im hem", "M. Hemp", "Ahoy!", "Why,".
 * One or two short words that say nothing, in a moment and without a question, are taken for such a sound.
 */
function isMumbled(said: string, words: readonly string[], voicedMs: number): boolean {
  if (voicedMs > LONGEST_HUM_MS || said.includes('?')) return false;
  const letters = words.join('').replace(/[^a-z]/g, '');
  if (/^[aeiouy]*(?:[mh]+[aeiouy]*)+[npb]?$/.test(letters)) return true;
  if (words.length > 2 || words.some((word) => word.length > 4)) return false;
  return words.length === 1
    ? !meant.test(words[0] ?? '') || /^(?:who|what|why|how|when|where)$/.test(words[0] ?? '')
    : !words.some((word) => meant.test(word));
}

/** Drops back-channels from the front as long as they follow each other. */
function withoutBackChannels(words: readonly string[]): readonly string[] {
  for (let length = Math.min(longestPhrase, words.length); length > 0; length--)
    if (backChannels.has(words.slice(0, length).join(' '))) return withoutBackChannels(words.slice(length));
  return words;
}

function mayBecomeBackChannel(words: readonly string[]): boolean {
  const text = words.join(' ');
  for (const phrase of backChannels) if (phrase !== text && phrase.startsWith(text)) return true;
  return false;
}
