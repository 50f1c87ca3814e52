import type { ReadMessage } from '../../messages.ts';
import { isQuestion } from '../questions/is-question.ts';
import { normalize } from '../words.ts';

const abuse =
  /\b(?:fuck\w*|(?:bull)?shit(?:ty)?|asshole|bastard|bitch|idiots?|stupid|morons?|dumb|useless|pathetic|crap|shut up|you suck|screw you|go to hell|worthless|hate you|garbage)\b/;
const frustrated =
  /\b(?:frustrat\w+|annoy\w+|angry|furious|upset|ridiculous|unacceptable|terrible|awful|horrible|disappoint\w*|fed up|(?:sick|tired) of|worst|outrageous|appalling|no ?(?:body|one) (?:answers|replies|helps|cares)|still (?:waiting|not|no|nothing)|(?:again|over) and (?:again|over)|(?:second|third|fourth) time|been waiting|waste of|rip ?off|scam|complain\w*|unhappy|not happy)\b/;
const broken =
  /\b(?:(?:is|are|was|were|came|arrived|got|just|has|have|been)\b.{0,24}\b(?:broken|damaged|faulty|defective|cracked|dead|missing|lost|stolen|wrong|late|torn|leaking)|broke|i lost my|overcharged|charged (?:me )?twice|in pain|never (?:arrived|came)|stopped working|(?:does|do|did|is|are|was|has|have) not (?:work|arriv|come|turn|start|been delivered)\w*)\b/;
/** With these words a question is about what happened to them, not about what holds. */
const own = /\b(?:i am|i have|we are|we have|this is|that is|it is|you are|why)\b/;

const danger =
  /\b(?:smell(?:s|ing|ed)?(?: of| like)? (?:gas|burning|smoke)|gas (?:smell|leak\w*|odou?r)|leaking gas|carbon monoxide|(?:is|are|was|caught|catching|on|started a) (?:on )?fire\b(?! ?(?:stick|tv|wall))|there is (?:a )?(?:fire|smoke|gas leak)|in flames|flames? (?:coming|out)|smok(?:e|ing) (?:is )?(?:coming|from|out)|(?:it|that|device|battery|charger|kettle|oven|phone|laptop|machine|socket|plug) (?:is |was |started |has started )?(?:smoking|sparking|burning|exploded|melting|sparked|overheating badly)|sparks? (?:coming|flying|from|out)|(?:just |has |is |it )exploded|exploding|there (?:is|was|has been) an explosion|electric shock|electrocuted|live wire|downed (?:power )?line|swollen battery|battery is swelling)\b/;
const injury =
  /\b(?:(?:i|he|she|we|they|my \w+|someone|somebody|child|baby|person|daughter|son|mother|father) (?:am|is|are|was|were|got|have been|has been|have|has|cannot|can not)? ?(?:badly |seriously |severely )?(?:injured|bleeding|hurt (?:myself|himself|herself|badly)|burned|burnt|unconscious|choking|poisoned|not breathing|cannot breathe|can not breathe|breathe|collapsed)|bleeding (?:heavily|badly|a lot|will not stop)|chest pain|difficulty breathing|cannot breathe|can not breathe|overdose|suicid\w+|kill myself|heart attack|allergic (?:shock|reaction)|swallowed (?:a |the )?(?:battery|magnet|bleach|detergent|poison))\b/;

/** How the customer feels, by a whole message, normalised. "Where do I complain?" tells of no feeling. */
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

/** Whether anybody is in danger or hurt, by a whole message, normalised. */
export const dangerIn = (all: string): ReadMessage['danger'] =>
  danger.test(all) ? 'danger' : injury.test(all) ? 'injury' : null;

/** Longer ones tell something, too. */
const INSULT_WORDS = 9;

export function isInsult(sentence: string): boolean {
  const said = normalize(sentence);
  return abuse.test(said) && said.split(' ').length < INSULT_WORDS;
}
