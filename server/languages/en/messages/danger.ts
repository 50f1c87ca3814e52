import type { Danger } from '../../messages.ts';
import { isQuestion } from '../questions/is-question.ts';

/** Phrases for a present danger, by kind; a model recognises other wordings (docs/dialogue.md). */
const said: readonly (readonly [Danger, RegExp])[] = [
  [
    'despair',
    /\b(?:(?:kill|hurt|hang|shoot)(?:ing)? (?:myself|himself|herself)|suicidal|(?:commit|of|about) suicide|(?:want|wants|going|rather) (?:to )?(?:die|be dead|jump off)|wish i was dead|end (?:my|his|her) (?:own )?life|not (?:want to )?(?:be alive|live any ?more|want to live|wake up)|better off (?:without me|dead)|nothing (?:left )?to live for)\b/,
  ],
  [
    'violence',
    /\b(?:(?:has|have|got|with|pulled|waving|holding) (?:a |an |the |my )?(?:gun|knife|pistol|rifle|shotgun|weapon|bomb)\b(?! (?:from you|that|which|for|with))|(?:i|he|she|they) (?:will|am going to|is going to|are going to) (?:come and )?(?:kill|shoot|stab|beat|hurt|strangle) (?:you|me|him|her|us|them)|(?:is|am|are|be|been|was) (?:breaking in|being robbed|raped|kidnapped)|(?:hits|hitting|beats|beating|hurting|attacked|strangling|stabbed|following) (?:me|her|him|us)|somebody broke in|shooting at)\b/,
  ],
  [
    'injury',
    /\b(?:(?:not|stopped|can ?not) breath(?:e|ing)|no pulse|unconscious|(?:has|have|just|he|she) collapsed|passed out|(?:is|am|are|was) (?:choking on|convulsing|poisoned|bleeding)|overdose|bleeding (?:heavily|badly|out|a lot|will not stop)|blood everywhere|chest pain|(?:having|had) a (?:seizure|stroke|heart attack)|will not wake|(?:swallowed|drank|drunk|eaten) (?:\w+ ){0,3}(?:bleach|poison|detergent|cleaner|antifreeze|acid|battery|magnets?|pills)|call an ambulance|anaphylaxis|badly (?:hurt|injured|burned|burnt))\b/,
  ],
  [
    'danger',
    /\b(?:(?:is|are|caught|catching) (?:on )?fire\b(?! (?:stick|tv|wall))|there is (?:a )?(?:fire|smoke|gas)\b|in flames|(?:full of|smells? (?:of|like)?|smelling) ?(?:gas|burning|smoke)\b|smoke (?:is )?(?:coming|pouring)|gas (?:is )?leak(?:ing)?|leaking gas|carbon monoxide alarm (?:is|will|went)|(?:device|battery|charger|kettle|oven|phone|laptop|socket|plug|dryer|fridge|heater) (?:is |just |has )*(?:smoking|sparking|burning|exploded|melting)$|electric shock from|electrocuted|trapped in|sparks? (?:are )?(?:coming|flying))/,
  ],
];

/** Phrases that make it a story, fiction or a general question. */
const calm =
  /\b(?:ago|last (?:week|month|year|summer|winter)|in (?:19|20)\d\d|if|polic(?:y|ies)|insur\w*|cover(?:s|ed)?|course|class|teach|film|movie|game|book|sell|costs?|price|false alarm|deal|team|bill|fixed|found)\b/;
const somebody = /\b(?:i|my|he|she|we|us|somebody|someone)\b/;

/** Danger in the words of a whole normalised message. */
export function dangerIn(all: string): Danger | null {
  const sentences = all
    .split(/(?<=[.!?])\s+/)
    .map((sentence) => sentence.replace(/(?<![.!?\s])[.!?\s]+$/, ''))
    .filter((one) => !calm.test(one) && (!isQuestion(one) || somebody.test(one)));
  const found = said.find(([, pattern]) => sentences.some((sentence) => pattern.test(sentence)));
  return found?.[0] ?? null;
}
