import { soundsLike } from './sounds-like.ts';

/**
 * Signs of attention with which a listener lets the other continue (Yngve 1970; the common ones of Jurafsky
 * et al. 1997, SWBD-DAMSL tags b, bk, ba).
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

export function withoutBackChannels(words: readonly string[]): readonly string[] {
  let start = 0;
  for (let length = phraseAt(words, start); length > 0; length = phraseAt(words, start)) start += length;
  return words.slice(start);
}

/** Words of the longest back-channel that begins at an index; 0 if none. */
function phraseAt(words: readonly string[], start: number): number {
  for (let length = Math.min(longestPhrase, words.length - start); length > 0; length--)
    if (backChannels.has(words.slice(start, start + length).join(' '))) return length;
  return 0;
}

export function mayBecomeBackChannel(words: readonly string[]): boolean {
  const text = words.join(' ');
  for (const phrase of backChannels) if (phrase !== text && phrase.startsWith(text)) return true;
  return false;
}

export const soundsLikeBackChannels = (words: readonly string[]): boolean => soundsLike(words, backChannels);

const hesitations = /^(?:u+[hm]+|e+r+m?|eh|well|so|and|but|a+h+)$/;
export const onlyHesitates = (words: readonly string[]): boolean =>
  words.every((word) => hesitations.test(word));

const stops =
  /^(?:(?:oh|okay|ok|uh|um|yeah|sorry|hey|please|and|but|well|right),? )*(?:no(?! (?:problem|worries)\b)|nope|nah|stop|wait|hold on|hang on|hold up|excuse me|actually|help|pause|quiet|enough|never ?mind|one (?:second|moment|sec)|just a (?:second|moment|minute)|sorry(?: |$)(?!to hear)|pardon|shut up|be quiet|not that|that'?s (?:not|wrong)|cancel|repeat|again)\b/;
export const stopsAtOnce = (words: readonly string[]): boolean => stops.test(words.join(' '));

const answer = /^(?:yes|yeah|yep|yup|sure|okay|ok|right|please|exactly|absolutely|definitely|of course)\b/;
export const agrees = (words: readonly string[]): boolean => answer.test(words.join(' '));

/** Too distinctive to be a fragment of echo. */
export const callsOrAsks = (word: string): boolean => /^(?:what|hello|hey|sorry|why|who|how)$/.test(word);

const meant =
  /^(?:what|which|why|who|whose|how|when|where|hello|hey|hi|listen|look|more|less|slow|slower|slowly|fast|faster|loud|louder|again|repeat|skip|next|back|menu|end|quit|exit|done|stay|wrong|bill|card|call|talk|mail|email|phone|number|order|address|refund|return|cancel|change|operator|agent|human|person|somebody|someone|manager|transfer|connect|question|don't|can't|didn't|isn't|not|but|or|also|can|could|monday|tuesday|wednesday|thursday|friday|saturday|sunday|today|tomorrow)$/;
/** Words that are meant for the agent, even if others may be listening. */
export const isMeant = (word: string): boolean => meant.test(word);
