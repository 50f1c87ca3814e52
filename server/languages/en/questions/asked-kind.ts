import { normalize } from '../words.ts';

const count =
  '(?:\\d[\\d.,]{0,12}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirty|half)';
const duration = new RegExp(
  `\\b${count}(?:\\s*(?:-|–|to|and|or)\\s*${count})?[\\s-]*(?:business |working |calendar )?(?:seconds?|minutes?|mins?|hours?|hrs?|days?|nights?|weeks?|wks?|months?|years?|yrs?)\\b|\\b(?:overnight|immediately|at once|lifetime|indefinitely|the same day|next day)\\b`,
  'i',
);
const money =
  /[$€£¥]\s?\d|\d[.,]*\s?(?:[$€£]|p\b|cents?\b|pence\b|dollars?\b|euros?\b|pounds?\b|%|percent\b|usd\b|eur\b|gbp\b)|\b(?:free|no (?:extra )?(?:charge|cost|fee)|included|nothing|without charge|half|at cost|complimentary)\b/i;
const moment =
  /\b\d{1,2}[.:]\d{2}\b|\b\d{1,2}\s?(?:am|pm|a\.m|p\.m|o'clock)\b|\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b|\b\d{4}\b|\b(?:noon|midnight|daily|today|tomorrow|always|any ?time|within|before|after|until|as soon as|once|when|end of|beginning of|starts?|opens?|closes?)\b|\b\d{1,2}(?:st|nd|rd|th)\b|(?<![$€£\d.,])\b\d{1,2} ?(?:-|–|to) ?\d{1,2}\b/i;

const phone = /\+?\d[\d\s().-]{5,}\d/;
const mail = /@/;

/** Whether a text contains a telephone number. */
export const hasPhone = (text: string): boolean => phone.test(text);
/** Whether a text contains a mail address. */
export const hasMail = (text: string): boolean => mail.test(text);

/** What the answer to each kind of question must contain. */
const kinds: [asked: RegExp, has: RegExp][] = [
  [
    /\bhow (?:much|expensive)\b(?! (?:time|notice|luggage|baggage|data|space|storage|weight|coverage|water))|\bwhat (?:does|do|would|will|is|are)\b.{0,40}\b(?:cost|price|fee|charge)s?\b|\bwhat do (?:you|i|we) (?:charge|pay|owe|lose)\b|\b(?:price|cost|fee) (?:of|for)\b/,
    money,
  ],
  [
    /\bhow long\b(?! (?:is|are) (?:the|your) (?:cable|cord|hose))|\bhow (?:many|much) (?:days|hours|weeks|months|years|time|notice|nights)\b/,
    duration,
  ],
  [
    /\bwhat time\b|\bwhen (?:is|are|do|does|can|will|did|was)\b|\bopening (?:hours|times)\b|\bwhat (?:are|is) (?:the|your) (?:\w+ )?hours\b/,
    moment,
  ],
  [
    /\bhow many\b|\bhow old\b|\bwhat age\b|\bhow far\b|\bhow big\b/,
    /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|no|none|unlimited|any)\b/i,
  ],
  [
    /\b(?:telephone|phone|contact) number\b|\bwhat (?:is|was) the (?:telephone|phone)\b|\bnumber (?:do|can|should) i (?:call|ring|phone)\b/,
    phone,
  ],
  [/\b(?:e-?mail|mail) address\b/, mail],
];

/**
 * Whether a text contains the kind of thing asked for: an amount for "how much", a duration for "how long", a
 * number to call. Null if the question's form does not tell.
 */
export function hasAskedKind(question: string, text: string): boolean | null {
  const asked = normalize(question);
  const kind = kinds.find(([pattern]) => pattern.test(asked));
  return kind ? kind[1].test(text) : null;
}
