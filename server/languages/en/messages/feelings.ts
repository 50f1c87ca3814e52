import type { ReadMessage } from '../../messages.ts';
import { normalize } from '../words.ts';

const abuse =
  /\b(?:fuck(?:ing|ed|er)?|shit(?:ty)?|bullshit|asshole|bastard|bitch|idiots?|stupid|morons?|dumb(?:ass)?|useless|pathetic|crap|shut up|piece of (?:junk|garbage|trash)|you suck|screw you|go to hell|worthless|hate you|garbage|retard(?:ed)?)\b/;

const frustrated =
  /\b(?:frustrat\w+|annoy\w+|angry|furious|upset|ridiculous|unacceptable|terrible|awful|horrible|disappoint\w*|fed up|sick of|tired of|worst|outrageous|disgrace\w*|appalling|joke of a|nobody (?:answers|replies|helps|cares)|no one (?:answers|replies|helps|cares)|still (?:waiting|not|no|have not|has not|hasn't|haven't|nothing)|again and again|third time|second time|for (?:weeks|days|months|hours)|been waiting|waste of|rip ?off|scam|complain\w*|not happy|unhappy|dissatisf\w+|seriously|wtf|going round in circles)\b/;
const broken =
  /\b(?:(?:is|are|was|were|came|arrived|got|it is|they are|just|has|have|already)\b.{0,24}\b(?:broken|damaged|faulty|defective|cracked|dead|missing|lost|stolen|wrong|late|torn|leaking|stopped working)|(?:does|do|did|is|are|was) ?n[o']t (?:work\w*|arrive\w*|come|charg\w*|turn\w* on|start\w*)|(?:does|do|did|is|are|was|has|have) not (?:work\w*|arriv\w*|come|charg\w*|turn\w* on|start\w*|received?|shown|delivered)|never (?:arrived|came|received|showed up)|stopped working|broke\b(?! even)|i lost my|(?:have|has) been stolen|was stolen|overcharged|charged (?:me )?twice|double charged|toothache|in (?:a lot of |so much )?pain)\b/;

const danger =
  /\b(?:smell(?:s|ing|ed)?(?: of| like)? (?:gas|burning|smoke)|gas (?:smell|leak\w*|odou?r)|leaking gas|carbon monoxide|(?:is|are|was|caught|catching|on|started a) (?:on )?fire\b(?! ?(?:stick|tv|wall))|there is (?:a )?(?:fire|smoke|gas leak)|in flames|flames? (?:coming|out)|smok(?:e|ing) (?:is )?(?:coming|from|out)|(?:it|that|device|battery|charger|kettle|oven|phone|laptop|machine|socket|plug) (?:is |was |started |has started )?(?:smoking|sparking|burning|exploded|melting|sparked|overheating badly)|sparks? (?:coming|flying|from|out)|(?:just |has |is |it )exploded|exploding|there (?:is|was|has been) an explosion|electric shock|electrocuted|live wire|downed (?:power )?line|swollen battery|battery is swelling)\b/;
const injury =
  /\b(?:(?:i|he|she|we|they|my \w+|someone|somebody|child|baby|person|daughter|son|mother|father) (?:am|is|are|was|were|got|have been|has been|have|has|cannot|can not)? ?(?:badly |seriously |severely )?(?:injured|bleeding|hurt (?:myself|himself|herself|badly)|burned|burnt|unconscious|choking|poisoned|not breathing|cannot breathe|can not breathe|breathe|collapsed)|bleeding (?:heavily|badly|a lot|will not stop)|chest pain|difficulty breathing|cannot breathe|can not breathe|overdose|suicid\w+|kill myself|heart attack|allergic (?:shock|reaction)|swallowed (?:a |the )?(?:battery|magnet|bleach|detergent|poison))\b/;

/** How the customer feels, by a whole message, normalised. */
export function moodOf(all: string): ReadMessage['mood'] {
  if (frustrated.test(all) || abuse.test(all)) return 'frustrated';
  if (
    broken.test(all) &&
    !/^(?:what|how|when|where|which|who|is|are|do|does|can) /.test(
      all.replace(/^(?:and|so|but|hi|hello|hey)[, ]+/, ''),
    )
  )
    return 'broken';
  if (
    /\b(?:i am sorry|my apologies|i apologi[sz]e|sorry (?:about|for) (?:that|my|the|asking|bothering))\b/.test(
      all,
    )
  )
    return 'sorry-customer';
  return null;
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
