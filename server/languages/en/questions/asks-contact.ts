import type { ContactAskedFor } from '../../contract.ts';
import { normalize } from '../words.ts';
import { hasMail, hasPhone } from './asked-kind.ts';

const polite = '(?:so|and|okay|hi|hello|please|sorry|um|er|well|then)[,.]? ';
const ask = `(?:${polite}){0,3}(?:(?:could|can) you (?:tell|give) me )?`;
const end = '(?:,? (?:please|then|to (?:call|ring|phone|reach) you|for you|on))?[\\s.!?]*$';
const phone = new RegExp(
  `^${ask}(?:what is |have you got |do you have |can i have |may i have )?(?:your|the|an?)? ?(?:(?:tele)?phone|contact|customer service) number${end}` +
    `|^${ask}(?:what|which) number (?:do|can|should|must) i (?:call|ring|phone|dial)(?: you)?${end}` +
    `|^${ask}how (?:do|can|could|may) i (?:(?:call|ring|phone) you|(?:reach|contact|get hold of) you by (?:tele)?phone)${end}`,
);
const mail = new RegExp(
  `^${ask}(?:what is |have you got |do you have |can i have |may i have )?(?:your|the|an?)? ?e-?mail(?: address)?${end}` +
    `|^${ask}how (?:do|can|could|may) i (?:(?:e-?mail|write to) you|(?:reach|contact) you by (?:e-?)?mail)${end}`,
);
const either = new RegExp(
  `^${ask}(?:how (?:do|can|could|may) i (?:contact|reach|get (?:in touch with|hold of)) you|what are your contact details)${end}`,
);

/** Set if a question asks only how to reach the business; else null. */
export function contactAskedFor(question: string): ContactAskedFor | null {
  const asked = normalize(question).trim();
  if (phone.test(asked)) return { plainly: 'How can I contact you by phone?', isIn: hasPhone };
  if (mail.test(asked)) return { plainly: 'How can I contact you by email?', isIn: hasMail };
  if (!either.test(asked)) return null;
  return { plainly: 'How can I contact you?', isIn: (text) => hasPhone(text) || hasMail(text) };
}
