import { cardinal, isOne, NUMBER, numberWords, SCALES, TO } from './number-words.ts';

interface Currency {
  one: string;
  many: string;
  cent: string;
  cents: string;
}
const currency = (one: string, many: string, cent: string, cents = `${cent}s`): Currency => ({
  one,
  many,
  cent,
  cents,
});
const dollars = (prefix = '') => currency(`${prefix}dollar`, `${prefix}dollars`, 'cent');

const CURRENCIES: Readonly<Record<string, Currency>> = {
  $: dollars(),
  US$: dollars('US '),
  CA$: dollars('Canadian '),
  C$: dollars('Canadian '),
  AU$: dollars('Australian '),
  A$: dollars('Australian '),
  NZ$: dollars('New Zealand '),
  '£': currency('pound', 'pounds', 'penny', 'pence'),
  '€': currency('euro', 'euros', 'cent'),
  '¥': currency('yen', 'yen', 'sen', 'sen'),
  '₹': currency('rupee', 'rupees', 'paisa', 'paise'),
  USD: dollars('US '),
  CAD: dollars('Canadian '),
  AUD: dollars('Australian '),
  NZD: dollars('New Zealand '),
  GBP: currency('pound', 'pounds', 'penny', 'pence'),
  EUR: currency('euro', 'euros', 'cent'),
  CHF: currency('Swiss franc', 'Swiss francs', 'rappen', 'rappen'),
  JPY: currency('yen', 'yen', 'sen', 'sen'),
  INR: currency('rupee', 'rupees', 'paisa', 'paise'),
};
const SIGN = String.raw`((?:US|CA|AU|NZ|C|A)?\$|[£€¥₹])`;
const CODE = '(USD|CAD|AUD|NZD|GBP|EUR|CHF|JPY|INR)';
const SCALE = '(?: ?(k|mn?|bn?|thousand|million|billion|trillion)(?![A-Za-z]))?';
const MONEY_RANGE = new RegExp(
  `(-?)${SIGN} ?(${NUMBER})${SCALE}${TO}(?:${SIGN} ?)?(${NUMBER})${SCALE}(?![\\w%]|[.,]\\d)`,
  'gi',
);
const MONEY_ADJECTIVE = new RegExp(
  `\\b([Aa]n?) ${SIGN}(\\d{1,3}(?:,\\d{3})*)(?:\\.00)?[ -](?=[a-z]{3,})(?!(?:and|or|to|for|per|is|was|more|less|off|each|plus)\\b)`,
  'g',
);
const MONEY = new RegExp(`(-?)${SIGN} ?(-?)(${NUMBER})${SCALE}`, 'gi');
const MONEY_CODE_FIRST = new RegExp(`\\b${CODE} ?(${NUMBER})${SCALE}(?!\\w)`, 'g');
const MONEY_CODE_LAST = new RegExp(
  `(?<![\\w.,])(${NUMBER})${SCALE} ?(?:${CODE}\\b|(?:(?<=\\d) ?([€£])))`,
  'g',
);
const EURO_COMMA =
  /(?<![\d.,])(\d{1,3}(?:\.\d{3})*),(\d{2})(?= ?€)|(?<=€ ?)(\d{1,3}(?:\.\d{3})*),(\d{2})(?![\d,])/g;
const PENCE = /(?<![\w.,:])(\d{1,3}(?:\.\d{1,3})?)p(?!\w)/g;
const FRACTION_OF_POUND = /(?<=[$£€]\d{1,6}) ?([13])\/([24])(?![\w/])/g;
const TIMES_MONEY = /(?<=\d) ?[x×] ?(?=[$£€]\d)/g;
const PLUS_MONEY = /(?<![\w)] ?)\+ ?(?=[$£€]\d)/g;
/** A sign without an amount, as in a table's head. */
const LONE_SIGN = /(?<![\w£€])[£€](?![\w£€])/g;
const CENTS = /(?<![\w.,])(\d{1,2}) ?¢/g;

/** Reads amounts of money: "$12.50" → "twelve dollars and fifty cents", "£3m" → "three million pounds". */
export function sayMoney(text: string): string {
  return text
    .replace(FRACTION_OF_POUND, (_, top: string, bottom: string) =>
      (Number(top) / Number(bottom)).toFixed(2).slice(1),
    )
    .replace(PLUS_MONEY, 'plus ')
    .replace(TIMES_MONEY, ' times ')
    .replace(
      EURO_COMMA,
      (_, a?: string, b?: string, c?: string, d?: string) =>
        `${(a ?? c ?? '').replaceAll('.', '')}.${b ?? d}`,
    )
    .replace(
      MONEY_RANGE,
      (
        _,
        minus: string,
        sign: string,
        from: string,
        fromScale: string | undefined,
        sign2: string | undefined,
        to: string,
        toScale?: string,
      ) => {
        const unit = CURRENCIES[sign.toUpperCase()];
        const second = CURRENCIES[(sign2 ?? sign).toUpperCase()];
        if (!unit || !second) return _;
        // "$5–10" needs the unit once; "$5.50–$7.25" at both ends.
        const plain = !from.includes('.') && unit === second;
        const first = plain ? numberWords(from) + scaleWord(fromScale) : sum(unit, from, fromScale);
        return `${minus ? 'minus ' : ''}${first} to ${sum(second, to, toScale)}`;
      },
    )
    .replace(MONEY_ADJECTIVE, (_, article: string, sign: string, amount: string) => {
      return `${article} ${numberWords(amount)} ${CURRENCIES[sign.toUpperCase()]?.one ?? ''} `;
    })
    .replace(MONEY, (_, minus: string, sign: string, inner: string, amount: string, scale?: string) => {
      const unit = CURRENCIES[sign.toUpperCase()];
      return unit ? `${minus || inner ? 'minus ' : ''}${sum(unit, amount, scale)}` : _;
    })
    .replace(MONEY_CODE_FIRST, (_, code: string, amount: string, scale?: string) => {
      const unit = CURRENCIES[code];
      return unit ? sum(unit, amount, scale) : _;
    })
    .replace(
      MONEY_CODE_LAST,
      (_, amount: string, scale: string | undefined, code?: string, sign?: string) => {
        const unit = CURRENCIES[code ?? sign ?? ''];
        return unit ? sum(unit, amount, scale) : _;
      },
    )
    .replace(LONE_SIGN, (sign) => CURRENCIES[sign]?.many ?? sign)
    .replace(PENCE, (_, amount: string) => (amount === '1' ? 'one penny' : `${numberWords(amount)} pence`))
    .replace(CENTS, (_, amount: string) => `${cardinal(Number(amount))} ${isOne(amount) ? 'cent' : 'cents'}`);
}

const scaleWord = (scale: string | undefined) => (scale ? ` ${SCALES[scale.toLowerCase()] ?? ''}` : '');

function sum(unit: Currency, amount: string, scale?: string): string {
  if (scale) return `${numberWords(amount)}${scaleWord(scale)} ${unit.many}`;
  const [whole = '0', fraction = ''] = amount.replaceAll(',', '').split('.');
  if (fraction.length !== 2) return `${numberWords(amount)} ${isOne(amount) ? unit.one : unit.many}`;
  const cents = Number(fraction);
  const main = `${numberWords(whole || '0')} ${isOne(whole || '0') ? unit.one : unit.many}`;
  if (cents === 0) return main;
  const small = `${cardinal(cents)} ${cents === 1 ? unit.cent : unit.cents}`;
  return Number(whole) === 0 ? small : `${main} and ${small}`;
}
