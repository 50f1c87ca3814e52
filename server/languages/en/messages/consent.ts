import type { Consent } from '../../messages.ts';
import { normalize } from '../words.ts';

const leadIns = '(?:(?:oh|ah|um+|uh+|well|so|actually|sorry|no|please|wait|hmm+|ok(?:ay)?)[,. ]+)*';
const givesUp = new RegExp(
  `^${leadIns}(?:never ?mind|forget (?:it|that|about (?:it|that))|cancel(?: (?:it|that|this))?|leave it(?: be| there| for now)?|drop it|do not bother|i (?:have )?changed my mind|i do not want (?:it|that|to|this)(?: any ?more)?|not any ?more|let us (?:leave|forget) it|stop(?: it| that| this)?)(?:,? (?:please|then|thanks|thank you|for now|any ?more))*[\\s.!]*$`,
);
const refuses =
  /^(?:oh |um+ |well,? |please )*(?:no|nope|nah|do not|rather not|not yet|not now|wait|hold on)\b/;
const agrees =
  /^(?:(?:oh|ah|um+|well|so)[, ]+)*(?:yes|yeah|yep|yup|sure|ok(?:ay)?|alright|all right|please(?: do)?|correct|right|exactly|absolutely|definitely|certainly|of course|go ahead|go on|go for it|do (?:it|that|so)|that is (?:right|correct|fine|it|good)|sounds (?:good|right|fine)|fine|perfect|great|confirm(?:ed)?|i confirm|mhm|uh huh)\b/;
const reserves = /\b(?:but|not|no|wait|except|instead|actually|change|different|other|wrong)\b|\?/;
/** A longer answer says something else besides. */
const MAX_WORDS = 12;

/** What somebody says to "Shall I?"; null where it is neither yes nor no. A yes with a but is none. */
export function consentIn(message: string): Consent | null {
  const said = normalize(message).replace(/\s+/g, ' ').trim();
  if (givesUp.test(said)) return 'gives-up';
  if (refuses.test(said)) return 'no';
  return agrees.test(said) && !reserves.test(said) && said.split(' ').length <= MAX_WORDS ? 'yes' : null;
}

/** Whether a message takes back what was said before: "no, 4472", "sorry, I meant Friday". */
export const isCorrection = (message: string) =>
  /^(?:(?:oh|um+|well|ah)[,. ]+)*(?:no|nope|sorry|wait|actually|correction|i (?:mean|meant)|make (?:it|that)|not)\b/.test(
    normalize(message).trim(),
  );
