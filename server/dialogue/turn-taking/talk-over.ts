import { plain } from '#server/languages/typography';
import { isEcho, withoutEcho } from './echo.ts';
import { wordsOf } from './ending.ts';
import { expectedAnswer } from './expected-answer.ts';
import { soundsLike, soundsOnlyNasal } from './sounds-like.ts';

export interface TalkOver {
  /** What was recognised of the speech so far, '' for none. */
  text: string;
  /** How much of it was voiced, in milliseconds. */
  voicedMs: number;
  /** Whether it has ended. */
  ended: boolean;
  /** It ended as soon as the agent's voice had paused: an echo does, a person talks on. */
  stoppedWithAgent?: boolean;
  /** No louder than the agent's own voice is heard in the microphone. */
  asQuietAsEcho?: boolean;
  /** Not so loud that it cannot be that voice. */
  mayBeEcho?: boolean;
  /** What the agent is saying and since when; null while it only prepares to speak. */
  agent: { text: string; spokenMs: number } | null;
}

/** `echo` and `noise`: nobody spoke to the agent; `fragment`: probably an echo. `listening`: a sign of attention. `unsure`: more must be heard. */
export type TalkOverVerdict = 'takes-the-floor' | 'listening' | 'noise' | 'echo' | 'fragment' | 'unsure';

/** Nobody agrees for so long; whoever does wants to say something. The second is for words that are all agreement. */
const LONGEST_BACK_CHANNEL_MS = 1_100;
const LONGEST_AGREEMENT_MS = 1_600;

/**
 * In a moment nobody says a sentence, and recognition makes one of a hum all the same: what it heard must be clear. It
 * is some 600 ms of sound; a detector goes on for a while after it.
 */
const MOMENT_MS = 680;

/** Until then words that are still being said tell nothing: the first half of a hum is heard as any of them. */
const TELLING_MS = 700;

/** While somebody still speaks, so many words beyond a sign of attention show that they mean to. */
const WORDS_THAT_TELL = 3;

/** A voice that pauses is heard for so many words more. */
const LONGEST_FRAGMENT = 3;

/** So many words that are not the agent's show a customer who is no louder than the agent's echo. */
const WORDS_OVER_ECHO = 5;

/**
 * Signs of attention by which a listener lets the other go on (Yngve 1970; the common ones of Jurafsky et al. 1997,
 * SWBD-DAMSL tags b, bk, ba).
 */
const backChannels = new Set(
  `mhm|mm|mmm|mm-hmm|mm-hm|m-hm|hm|hmm|hmmm|uh-huh|uhhuh|uh huh|uhuh|huh|aha|ah|oh|ooh|okay|ok|k|yeah|yep|yup|yes|ya|yea|right|sure|
  alright|all right|i see|oh i see|got it|i got it|gotcha|i got you|understood|i understand|thanks|thank you|great|good|nice|cool|perfect|fine|wow|
  really|exactly|true|of course|makes sense|that makes sense|sounds good|very good|very well|that's right|that's true|that's good|that's great|that's fine|fair enough|
  okay great|no problem|no worries|interesting|lovely|awesome|excellent|wonderful|absolutely|definitely|indeed|i know|true|truly|that is good|that is great|please|go on|go ahead|bless you|oh okay|oh right|oh no|oh wow|oh really`
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
  asQuietAsEcho = false,
  mayBeEcho = false,
}: TalkOver): TalkOverVerdict {
  const all = wordsOf(plain(text).toLowerCase());
  if (all.length === 0) return ended ? 'noise' : 'unsure';
  if (tooManyWords(all, voicedMs)) return ended ? 'noise' : 'unsure';
  const stops = stopsAtOnce.test(all.join(' '));
  const isShort = stops && all.length < 3 && !asQuietAsEcho && !stoppedWithAgent;
  const isLikely = asQuietAsEcho || stoppedWithAgent || mayBeEcho;
  if (agent && !isShort && isEcho(all.join(' '), agent.text, agent.spokenMs, isLikely)) return 'echo';
  const words = agent && asQuietAsEcho ? withoutEcho(all, agent.text, agent.spokenMs) : all;
  if (asQuietAsEcho && words.length < WORDS_OVER_ECHO) return ended ? 'echo' : 'unsure';
  if (stops) return 'takes-the-floor';
  const rest = withoutBackChannels(words);
  if (rest.length === 0 && ended && agent && answersItsQuestion(words, agent)) return 'takes-the-floor';
  if (rest.length === 0)
    return ended ? 'listening' : voicedMs > LONGEST_AGREEMENT_MS ? 'takes-the-floor' : 'unsure';
  // A fragment of an echo is too short to be found in the agent's text.
  if (stoppedWithAgent && agent && words.length <= LONGEST_FRAGMENT && !asks.test(words[0] ?? ''))
    return 'fragment';
  if (rest.every((word) => hesitations.test(word)))
    return voicedMs > LONGEST_BACK_CHANNEL_MS ? 'takes-the-floor' : 'unsure';
  if (ended && isSignOfAttention(rest, voicedMs, text, agent !== null)) return 'listening';
  if (ended) return 'takes-the-floor';
  // The voice is held already, so that waiting costs nothing: half a word is easily misheard.
  if (voicedMs >= LONGEST_BACK_CHANNEL_MS) return 'takes-the-floor';
  if (mayBecomeBackChannel(rest) || soundsLike(rest, backChannels)) return 'unsure';
  return rest.length >= WORDS_THAT_TELL && voicedMs >= TELLING_MS ? 'takes-the-floor' : 'unsure';
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

/** Words that ask or call, too clear for the fragment of an echo. */
const asks = /^(?:what|hello|hey|sorry|why|who|how)$/;

/** Words that are meant however short what was said, whoever else may be listening. */
const meant =
  /^(?:what|which|why|who|whose|how|when|where|hello|hey|hi|listen|look|more|less|slow|slower|slowly|fast|faster|loud|louder|again|repeat|skip|next|back|menu|end|quit|exit|done|stay|wrong|bill|card|call|talk|mail|email|phone|number|order|address|refund|return|cancel|change|operator|agent|human|person|somebody|someone|manager|transfer|connect|question|don't|can't|didn't|isn't|not|but|or|also|can|could|monday|tuesday|wednesday|thursday|friday|saturday|sunday|today|tomorrow)$/;

/** A hum takes no longer. */
const LONGEST_HUM_MS = 900;

/**
 * Whether what was said, though its words are none of attention, was only a sign of it. "Mm-hmm" and "uh-huh" are no
 * words, and recognition writes words all the same: "Im hem", "M. Hemp", "The house.", and "Write Ok." for "right, okay".
 */
function isSignOfAttention(
  rest: readonly string[],
  voicedMs: number,
  text: string,
  overAgent: boolean,
): boolean {
  if (voicedMs > LONGEST_BACK_CHANNEL_MS) return false;
  // A bare "why," is a hum; with its question mark it is asked.
  if (rest.length === 1 && voicedMs <= MOMENT_MS && /^(?:who|what|why|how|when|where)$/.test(rest[0] ?? ''))
    return !text.includes('?');
  if (rest.some((word) => meant.test(word))) return false;
  if (voicedMs <= LONGEST_HUM_MS && soundsOnlyNasal(rest)) return true;
  // Before the reply is heard a few words more belong to the turn.
  return overAgent && (voicedMs <= MOMENT_MS || soundsLike(rest, backChannels));
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
