import type { Sentiment } from '#shared/conversations';

/** The customer says that the matter is settled. */
const settled =
  /\b(?:(?:it|that|this|everything|all|issue|problem|matter|they|we|account|site|system)(?:'s| is|'re| are| has been| have been| was| were)? (?:now |all |finally |already |been |back )*(?:solved|resolved|sorted|fixed|settled|safe|working|works|running|fine|good|found|back|restored|unlocked|okay|ok)\b|(?:solved|resolved|sorted|fixed|settled) (?:it|now|that)\b|(?:that|it|this) (?:solved|fixed|worked|helped|did (?:it|the trick))|all (?:good|set|fine|sorted|clear)\b|never ?mind|false alarm|found (?:it|him|her|them)\b|no longer (?:needed|necessary|a problem)|back (?:online|up)\b|what a relief|that'?s a relief|you saved)/i;
/** Deeds that are good news only from a customer who is not complaining about them. */
const done = /\b(?:blocked|frozen|cancel+ed|stopped|refunded|reversed|returned|replaced|arrived)\b/i;
/** "It is not solved", "is it fixed?", "until it works", "still". */
const unsettled =
  /\b(?:not|never(?! ?mind)|nothing(?! else)|no one|nobody|until|unless|when|if|should|still|hope|hopefully|supposed|can you|please)\b|n['’]t\b|\?/i;
/** Courtesy, which settles nothing: "ok thanks", "thank you, goodbye", "thank you, please hurry". */
const courtesy =
  /^\W*(?:(?:ok(?:ay)?|alright|all right|yes|right|good|fine|thanks?|thank you|thx|ty|cheers|please|(?:good)?bye|good bye|see you|take care|have a (?:nice|good|great) (?:day|evening|one|weekend)|no|that'?s (?:all|it)|that is (?:all|it)|for your help|very much|so much|a lot|hurry|waiting)\W*)+$/i;

export const isCourtesy = (message: string): boolean => courtesy.test(message);

export function settles(message: string, label: Sentiment): boolean {
  if (label === 'urgent' || unsettled.test(message)) return false;
  if (settled.test(message) || (label !== 'negative' && done.test(message))) return true;
  return label === 'positive' && !isCourtesy(message);
}
