import type { ExpectedAnswer } from '#server/languages/turn-taking';
import { splitSentences } from '../sentences.ts';

const asksFor =
  /\b(?:what|which|may i|can i|could i|could you|can you|would you|will you|please|give|tell|share|provide|confirm|enter|say|spell|have|need)\b/i;

const subjects: [ExpectedAnswer, RegExp][] = [
  ['email', /\be-?mail\b/i],
  [
    'phone',
    /\b(?:(?:tele|cell ?)?phone|mobile|contact|callback) (?:number|no)\b|\bnumber (?:can|could|should|may) (?:i|we) (?:call|reach)/i,
  ],
  [
    'code',
    /\b(?:order|account|customer|member(?:ship)?|reference|tracking|booking|confirmation|invoice|ticket|case|serial|policy|card|tax|model|registration|reservation|policy|loyalty|contract|id|pin|zip|postal)[ -]?(?:number|no|code|id|digits)s?\b|\bpostcode\b|\b(?:last|first) (?:four|three|six|4|3|6) (?:digits|numbers)\b|\bdate of birth\b|\bspell\b/i,
  ],
];

/** The auxiliary that begins a yes-or-no question. */
const polar =
  /^(?:(?:and|so|but|okay|ok|sure|great|thanks|alright|well|then|just to (?:check|confirm|be sure)),? )*(?:is|are|was|were|am|do|does|did|have|has|had|can|could|may|might|shall|should|will|would|isn't|aren't|don't|doesn't|didn't|haven't|hasn't|can't|couldn't|won't|wouldn't|anything|anyone|any other|right|correct|okay)\b/i;

/** Classifies the last question or request in the agent's words. */
export function expectedAnswer(agentSaid: string): ExpectedAnswer {
  const sentences = splitSentences(agentSaid);
  const question = sentences.findLast((s) => s.endsWith('?'));
  const last = sentences.at(-1);
  const asked = question && sentences.indexOf(question) >= sentences.length - 2 ? question : last;
  if (!asked) return 'anything';
  if (asksFor.test(asked)) {
    const subject = subjects.find(([, pattern]) => pattern.test(asked));
    // "Do you have your order number at hand?" is answered with the number as often as with a yes.
    if (subject) return subject[0];
  }
  if (!asked.endsWith('?')) return 'anything';
  if (polar.test(asked)) {
    if (/\b(?:help|assist|do for|know|hear about)\b/i.test(asked) && !/\belse\b/i.test(asked))
      return 'anything';
    return 'yes-or-no';
  }
  if (
    /\b(?:which|what (?:size|colou?r|day|date|time|kind|type|name|city|country|model|year|item|product)|when|where|who|how (?:many|much|old|long|often)|or)\b/i.test(
      asked,
    )
  )
    return 'short';
  return 'anything';
}
