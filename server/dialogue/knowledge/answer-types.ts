/**
 * What kinds of answer a piece of text holds, as marks beginning with "#" that are indexed like words:
 * a question that asks how long then looks for "#duration" as it looks for "refund".
 */
const numbers =
  '(?:\\d[\\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|sixty|ninety)';
const months =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const weekdays = '(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|satur|sat|sun)(?:day)?s?';

const marks: [string, RegExp][] = [
  [
    '#duration',
    new RegExp(
      `\\b${numbers}(?:\\s*(?:to|-|–|—|and|or)\\s*${numbers})?[\\s-]*(?:full |consecutive |business |working |calendar )?(?:second|minute|min|hour|hr|day|week|month|year|night)s?\\b|\\bimmediate(?:ly)?\\b|\\binstant(?:ly)?\\b|\\b(?:same|next)[ -](?:business |working )?day\\b|\\bovernight\\b|\\blifetime\\b|\\b(?:a|an) (?:minute|hour|day|week|fortnight|month|year)\\b|\\bnever expires?\\b|\\bdo(?:es)? not expire\\b|\\bright away\\b`,
      'i',
    ),
  ],
  [
    '#money',
    /[$€£¥]\s?\d|\b\d[\d.,]*\s?(?:percent|per cent|usd|eur|gbp|chf|dollars?|euros?|pounds?|cents?|pence)\b|\d\s?%|\b(?:USD|EUR|GBP|CHF)\s?\d|\bfree\b(?! to\b)|\bno (?:extra |additional )?(?:charge|fee|cost)s?\b|\bwithout (?:charge|cost)\b|\bcomplimentary\b|\bat no (?:extra |additional )?(?:charge|cost)\b/i,
  ],
  ['#number', new RegExp(`\\b${numbers}\\b|\\bunlimited\\b|\\bonce\\b|\\btwice\\b`, 'i')],
  [
    '#age',
    /\b(?:at least|under|over|aged?|minimum age|younger than|older than|from the age of|between|below|turn) ?-?\d{1,2}\b(?! ?(?:am|pm|%|euros?|dollars?|hours?|days?|weeks?|minutes?|km|kg))|\b\d{1,2} (?:years (?:old|of age)|or (?:over|older|above))\b/i,
  ],
  ['#percent', /\d\s?%|\bper ?cent\b/i],
  [
    '#clock',
    /\b\d{1,2}(?::\d{2})?\s?(?:a\.?m\.?|p\.?m\.?)(?![a-z])|\b\d{1,2}:\d{2}\b|\bnoon\b|\bmidnight\b|\b24 ?\/ ?7\b|\b24 hours\b|\baround the clock\b|\b\d{1,2} o'clock\b/i,
  ],
  [
    '#weekday',
    new RegExp(
      `\\b${weekdays}\\b|\\bweekdays?\\b|\\bweekends?\\b|\\bdaily\\b|\\bevery day\\b|\\b24 ?\\/ ?7\\b`,
      'i',
    ),
  ],
  [
    '#date',
    new RegExp(
      `\\b${months}\\.? \\d{1,2}\\b|\\b\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${months}\\b|\\b(?:19|20)\\d{2}\\b|\\b\\d{1,2}(?:st|nd|rd|th)\\b|\\b(?:first|last|second) (?:business |working )?day\\b`,
      'i',
    ),
  ],
  [
    '#phone',
    /(?:\+?\d{1,3}[ .-]?)?(?:\(\d{2,4}\)|\d{2,4})[ .-]\d{3,4}(?:[ .-]\d{2,5})?\b|\b1-8\d\d-[A-Z0-9-]{4,}/,
  ],
  ['#email', /[\w.+-]+@[\w-]+\.[\w.]+/],
  ['#url', /\b(?:https?:\/\/|www\.)\S+|\b[\w-]+\.(?:com|org|net|io|example|co|eu|de|uk)\b(?:\/\S*)?/i],
  [
    '#address',
    /\b\d{1,5}[a-z]?,? (?:[A-Z][\w'.]+ ){1,3}(?:street|st|road|rd|avenue|ave|lane|ln|drive|dr|boulevard|blvd|way|square|place|court|parkway|quay|row|terrace|highway|walk|close|crescent|gardens|hill|mews|wharf|plaza|circle|gate|park|alley|pier|promenade)\b|\b[A-Z][\w]+(?:straße|strasse|weg|platz|gasse|laan|straat)\b|\b(?:located|situated|based) (?:at|in|on)\b|\b(?:is|are|us) at \d|\bP\.?O\.? Box\b|\b(?:[A-Z][a-z]+ )(?:Street|Road|Avenue|Lane|Square|Quay|Boulevard)\b/i,
  ],
  [
    '#timezone',
    /\b(?:[ECMP][SD]T|UTC|GMT|CES?T|BST|[ECMP]T|(?:eastern|central|pacific|mountain)(?: standard| daylight)? time)\b/,
  ],
  [
    '#person',
    /\b(?:Dr\.?|Mr\.?|Mrs\.?|Ms\.?|Prof\.?) [A-Z][a-z]+|\b(?:by|our|manager|director|founder|owner|CEO|contact|officer),? [A-Z][a-z]+ [A-Z][a-z]+/,
  ],
  [
    '#size',
    /\b\d[\d.,]*\s?(?:cm|mm|m|km|kg|g|lbs?|pounds|inch(?:es)?|feet|ft|miles?|litres?|liters?|gb|mb|tb|mbps|gbps|watts?|w|kwh|volts?|square (?:metres|meters|feet))\b/i,
  ],
];

/** The marks of a text. */
export function answerMarks(text: string): string[] {
  return marks.filter(([, pattern]) => pattern.test(text)).map(([mark]) => mark);
}

/** The marks that an answer of the expected kind may bear, with how well each suits, 0 to 1. */
export const marksFor = (expects: string): readonly [string, number][] =>
  expects === '#when'
    ? [
        ['#date', 1],
        ['#clock', 1],
        ['#weekday', 0.9],
        ['#duration', 0.9],
      ]
    : expects === '#clock'
      ? [
          ['#clock', 1],
          ['#weekday', 0.6],
          ['#date', 0.5],
        ]
      : expects === '#contact'
        ? [
            ['#phone', 1],
            ['#email', 1],
            ['#url', 0.6],
          ]
        : [[expects, 1]];
