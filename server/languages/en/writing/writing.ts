import type { Writing } from '../../writing.ts';

const SIZE = '(?:small|modest|minor|nominal|low|reasonable|slight|extra|additional|certain|moderate|minimal)';
/** The business's own deeds, for vague promises of time. */
const PROMISED = /\b(?:we|our|will|refunds?|deliver\w*|orders?|parcels?|repl\w+|answer\w*)\b/;
const SOON = /\b(?:quickly|promptly|swiftly|speedily|shortly|without (?:undue |any )?delay)\b/;
/** Vague times, prices and numbers. */
const VAGUE = [
  /\bas (?:soon|quickly|fast) as (?:possible|we can|they can)\b/,
  /\bin (?:a timely manner|due course|good time|no time)\b/,
  /\bwithin (?:a (?:short|reasonable) (?:time|period)|reasonable time|a few (?:hours|days|weeks|months))\b/,
  /\b(?:a few|several|some) (?:minutes|hours|days|weeks|months)\b/,
  /\b(?:fast|quick|speedy|prompt) (?:delivery|shipping|response|service|refunds?|repl(?:y|ies))\b/,
  /\b(?:for )?a (?:limited|short) (?:time|period)\b/,
  new RegExp(`\\b${SIZE} (?:\\w+ )?(?:fees?|charges?|costs?|surcharges?|deposits?|prices?|amounts?)\\b`),
  /\b(?:a|an|the usual|the normal) (?:surcharge|(?:handling|service|booking|cancellation|late|shipping|delivery|processing|admin(?:istration)?) (?:fee|charge))\b/,
  /\b(?:a limited|a certain|a small|a maximum) (?:number|quantity)\b/,
];

const DELIVERY = /\b(?:delivery|deliveries|shipping|shipped|parcels?|courier)\b/i;

/**
 * Usual questions in many lines of business, then in all of them, each in several wordings, of which one
 * answered is enough. `about`: only for businesses whose text mentions it; `unless`: phrases that answer it
 * in any form.
 */
const USUAL: readonly { asked: readonly string[]; about?: RegExp; unless?: RegExp }[] = [
  {
    asked: ['How long does delivery take?', 'When does my order arrive?'],
    about: DELIVERY,
  },
  { asked: ['What does delivery cost?', 'Is shipping free?'], about: DELIVERY },
  {
    asked: [
      'How long can I return something?',
      'How many days do I have to return it?',
      'What is your return policy?',
    ],
    about: /\b(?:returns\b|returned|sen[dt] back|exchange)/i,
  },
  { asked: ['When do I get my refund?', 'How long does a refund take?'], about: /\brefund|\bmoney back/i },
  {
    asked: ['How do I cancel?', 'Can I cancel my booking?', 'How do I end my contract?'],
    about: /\b(?:cancel|book(?:ing|ed)\b|reserv|subscri|contract\b|appointment)/i,
  },
  {
    asked: ['What does the warranty cover?', 'What if it is broken?'],
    about: /\b(?:warrant(?:y|ies)|defect|faulty)/i,
  },
  {
    asked: ['How can I pay?', 'Which payment methods do you accept?', 'Do you take cards?'],
    about: /\b(?:pay|price|cost|fee|buy|order)|[$€£]\s?\d/i,
  },
  {
    asked: ['When are you open?', 'What are your opening hours?', 'What time does customer service answer?'],
  },
  {
    asked: [
      'How can I reach you?',
      'What is your phone number or e-mail address?',
      'How do I contact customer service?',
    ],
    unless:
      /[\w.+-]@[\w-]+\.\w|\b(?:phone|call|tel)\b[^.\n]{0,40}\d{3}|(?:\+|\b0|\b\d{3}[-. ]?)\d[\d ().-]{5,}\d/i,
  },
  {
    asked: ['How do I make a complaint?', 'Where can I complain?', 'What if I do not agree with a decision?'],
  },
  {
    asked: [
      'What happens to my personal data?',
      'Is my data kept private?',
      'How long do you store my data?',
    ],
  },
];

/** A word for "soon" after the promised thing, on one line. */
function soonIn(said: string): string | null {
  for (const line of said.split('\n')) {
    const promised = PROMISED.exec(line);
    const soon = promised && SOON.exec(line.slice(promised.index));
    if (soon) return soon[0];
  }
  return null;
}

export const writing: Writing = {
  vagueIn(sentence) {
    const said = sentence.toLowerCase().replaceAll('’', "'");
    const soon = soonIn(said);
    if (soon !== null) return soon;
    for (const pattern of VAGUE) {
      const found = pattern.exec(said);
      if (found) return found[0];
    }
    return null;
  },

  isConditional: (sentence) => /\b(?:if|when|unless|until|once|while|where|before|after)\b/i.test(sentence),

  usualQuestions: (text) =>
    USUAL.flatMap(({ asked, about, unless }) =>
      (about === undefined || about.test(text)) && !unless?.test(text) ? [asked] : [],
    ),
};
