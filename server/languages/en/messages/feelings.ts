import type { ReadMessage } from '../../messages.ts';
import { isQuestion } from '../questions/is-question.ts';
import { normalize } from '../words.ts';

const abuse =
  /\b(?:fuck\w*|(?:bull)?shit(?:ty)?|asshole|bastard|bitch|idiots?|stupid|morons?|dumb|useless|pathetic|crap|shut up|you suck|screw you|go to hell|worthless|hate you|garbage)\b/;
const frustrated =
  /\b(?:frustrat\w+|annoy\w+|angry|furious|upset|ridiculous|unacceptable|terrible|awful|horrible|disappoint\w*|fed up|(?:sick|tired) of|worst|outrageous|appalling|no ?(?:body|one) (?:answers|replies|helps|cares)|still (?:waiting|not|no|nothing)|(?:again|over) and (?:again|over)|(?:second|third|fourth) time|been waiting|waste of|rip ?off|scam|complain\w*|unhappy|not happy)\b/;
const broken =
  /\b(?:(?:is|are|was|were|came|arrived|got|just|has|have|been)\b.{0,24}\b(?:broken|damaged|faulty|defective|cracked|dead|missing|lost|stolen|wrong|late|torn|leaking)|broke|i lost my|overcharged|charged (?:me )?twice|in pain|never (?:arrived|came)|stopped working|(?:does|do|did|is|are|was|has|have) not (?:work|arriv|come|turn|start|been delivered)\w*)\b/;
/** With these words a question is about an event, not about rules. */
const own = /\b(?:i am|i have|we are|we have|this is|that is|it is|you are|why)\b/;

/** The customer's mood in a whole normalised message. "Where do I complain?" expresses none. */
export function moodOf(all: string): ReadMessage['mood'] {
  const told = all
    .split(/(?<=[.!?])\s+/)
    .filter((sentence) => own.test(sentence) || !isQuestion(sentence))
    .join(' ');
  if (frustrated.test(told) || abuse.test(told)) return 'frustrated';
  if (broken.test(told)) return 'broken';
  return /\b(?:i am sorry|my apologies|i apologi[sz]e|sorry (?:about|for) (?:that|my|the|asking|bothering))\b/.test(
    told,
  )
    ? 'sorry-customer'
    : null;
}

/** Longer messages also contain information. */
const INSULT_WORDS = 9;

export function isInsult(sentence: string): boolean {
  const said = normalize(sentence);
  return abuse.test(said) && said.split(' ').length < INSULT_WORDS;
}
