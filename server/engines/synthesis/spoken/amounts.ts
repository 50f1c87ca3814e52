import { cardinal, digitGroups, digits, isOne, NUMBER, numberWords, ordinal, TO } from './number-words.ts';

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
const SCALES: Readonly<Record<string, string>> = {
  k: 'thousand',
  thousand: 'thousand',
  m: 'million',
  mn: 'million',
  million: 'million',
  b: 'billion',
  bn: 'billion',
  billion: 'billion',
  trillion: 'trillion',
};
const SIGN = String.raw`((?:US|CA|AU|NZ|C|A)?\$|[£€¥₹])`;
const CODE = '(USD|CAD|AUD|NZD|GBP|EUR|CHF|JPY|INR)';
const SCALE = String.raw`(?: ?(k|mn?|bn?|thousand|million|billion|trillion)(?![A-Za-z]))?`;
const PER =
  /(?<=dollars?|cents?|pounds?|pence|penny|euros?|yen|rupees?|percent|grams?|meters?|bytes?|bits?|miles?) ?\/ ?(month|mo|year|yr|week|wk|day|hour|hr|h|minute|min|second|sec|s|night|person|user|seat|item|unit|piece|order|kg|lb|GB|mile|km|use|call)\b\.?/g;
const PER_WORDS: Readonly<Record<string, string>> = {
  mo: 'month',
  yr: 'year',
  wk: 'week',
  hr: 'hour',
  h: 'hour',
  min: 'minute',
  sec: 'second',
  s: 'second',
  kg: 'kilogram',
  lb: 'pound',
  GB: 'gigabyte',
  km: 'kilometer',
};

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
const PENCE = /(?<![\w.,:])(\d{1,2})p(?!\w)/g;
const CENTS = /(?<![\w.,])(\d{1,2}) ?¢/g;

/** Sums of money: "$12.50" → "twelve dollars and fifty cents", "£3m" → "three million pounds". */
export function sayMoney(text: string): string {
  return text
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
        // "$5–10" names the unit once; "$5.50–$7.25" needs it at both ends.
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
    .replace(PENCE, (_, amount: string) => (amount === '1' ? 'one penny' : `${numberWords(amount)} pence`))
    .replace(CENTS, (_, amount: string) => `${cardinal(Number(amount))} ${isOne(amount) ? 'cent' : 'cents'}`)
    .replace(PER, sayPer);
}

const sayPer = (_: string, unit: string) => ` per ${PER_WORDS[unit] ?? unit}`;
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

interface Unit {
  one: string;
  many: string;
}
const unit = (one: string, many = `${one}s`): Unit => ({ one, many });
const UNITS: Readonly<Record<string, Unit>> = {
  kg: unit('kilogram'),
  kgs: unit('kilogram'),
  g: unit('gram'),
  mg: unit('milligram'),
  lb: unit('pound'),
  lbs: unit('pound'),
  oz: unit('ounce'),
  km: unit('kilometer'),
  m: unit('meter'),
  cm: unit('centimeter'),
  mm: unit('millimeter'),
  mi: unit('mile'),
  ft: unit('foot', 'feet'),
  yd: unit('yard'),
  yds: unit('yard'),
  'in.': unit('inch', 'inches'),
  L: unit('liter'),
  l: unit('liter'),
  ml: unit('milliliter'),
  mL: unit('milliliter'),
  cl: unit('centiliter'),
  gal: unit('gallon'),
  GB: unit('gigabyte'),
  MB: unit('megabyte'),
  TB: unit('terabyte'),
  KB: unit('kilobyte'),
  kB: unit('kilobyte'),
  Gbps: unit('gigabit per second', 'gigabits per second'),
  Mbps: unit('megabit per second', 'megabits per second'),
  kbps: unit('kilobit per second', 'kilobits per second'),
  GHz: unit('gigahertz', 'gigahertz'),
  MHz: unit('megahertz', 'megahertz'),
  kHz: unit('kilohertz', 'kilohertz'),
  Hz: unit('hertz', 'hertz'),
  W: unit('watt'),
  kW: unit('kilowatt'),
  kWh: unit('kilowatt hour'),
  V: unit('volt'),
  mAh: unit('milliamp hour'),
  Wh: unit('watt hour'),
  hr: unit('hour'),
  hrs: unit('hour'),
  h: unit('hour'),
  min: unit('minute'),
  mins: unit('minute'),
  sec: unit('second'),
  secs: unit('second'),
  ms: unit('millisecond'),
  yr: unit('year'),
  yrs: unit('year'),
  wk: unit('week'),
  wks: unit('week'),
  mo: unit('month'),
  mos: unit('month'),
  mph: unit('mile per hour', 'miles per hour'),
  'km/h': unit('kilometer per hour', 'kilometers per hour'),
  kph: unit('kilometer per hour', 'kilometers per hour'),
  'mi/h': unit('mile per hour', 'miles per hour'),
  'm/s': unit('meter per second', 'meters per second'),
  px: unit('pixel'),
  MP: unit('megapixel'),
  'sq ft': unit('square foot', 'square feet'),
  'sq m': unit('square meter'),
  '°C': unit('degree Celsius', 'degrees Celsius'),
  '°F': unit('degree Fahrenheit', 'degrees Fahrenheit'),
  '° C': unit('degree Celsius', 'degrees Celsius'),
  '° F': unit('degree Fahrenheit', 'degrees Fahrenheit'),
  '°': unit('degree'),
  '%': unit('percent', 'percent'),
  dB: unit('decibel'),
  pcs: unit('piece'),
  pc: unit('piece'),
  pkg: unit('package'),
  kcal: unit('kilocalorie'),
};
const UNIT = Object.keys(UNITS)
  .sort((a, b) => b.length - a.length)
  .map((name) => name.replace(/[.°]/g, String.raw`\$&`))
  .join('|');
const END = String.raw`(?![A-Za-z°])`;
const DIMENSIONS = new RegExp(
  `(?<![\\w.])(${NUMBER})(?: ?(${UNIT})${END})? ?[x×] ?(${NUMBER})(?: ?(${UNIT})${END})?(?: ?[x×] ?(${NUMBER}))?(?: ?(${UNIT})${END})?(?![\\w.]\\w)`,
  'g',
);
const UNIT_RANGE = new RegExp(
  `(?<![\\w.$£€])(-?${NUMBER})(?: ?(?:${UNIT})${END})?${TO}(${NUMBER})[ -]?(${UNIT})${END}`,
  'g',
);
const UNIT_ADJECTIVE = new RegExp(`\\b([Aa]n?) (${NUMBER})[ -]?(${UNIT})${END} (?=[a-z]{3,})`, 'g');
const WITH_UNIT = new RegExp(
  `(?<![\\w.$£€])([-+]?)(${NUMBER})([ -]?)(${UNIT})${END}(?:\\.(?= [a-z]))?(?:( ?)(?=[a-z]))?`,
  'g',
);
const FEET_INCHES = /(?<![\w.'])(\d{1,2})' ?(\d{1,2}(?:\.\d)?)(?:"|''|(?=[\s,.;!?]|$))(?!\w)/g;
const FEET = /(?<![\w.'])(\d{1,3})'(?=[ ,.;)]|$)(?!\w)/g;
const INCH_ADJECTIVE = /\b([Aa]n?) (\d{1,3}(?:\.\d{1,2})?)"(?= [a-z]{3,})/g;
const MARK_OR_INCHES = /(?:(?<![\w.])(\d{1,3}(?:\.\d{1,2})?))?"(?!\d)/g;
const TIMES = /(?<![\w.])(\d+(?:\.\d+)?)[x×](?!\w)/gi;
const TIMES_BEFORE = /(?<!\w)[x×] ?(\d+)(?![\w.])/gi;

/** Quantities with a unit: "5 kg", "10×20 cm", `5'10"`, "-5 °C", "5–10%". */
export function sayUnits(text: string): string {
  return sayFeetAndInches(text)
    .replace(
      DIMENSIONS,
      (
        _,
        a: string,
        ua: string | undefined,
        b: string,
        ub: string | undefined,
        c: string | undefined,
        uc?: string,
      ) => {
        const name = uc ?? ub ?? ua;
        const sizes = [a, b, ...(c ? [c] : [])].map(numberWords).join(' by ');
        return `${sizes}${name ? ` ${UNITS[name]?.many}` : ''}`;
      },
    )
    .replace(UNIT_RANGE, (_, from: string, to: string, name: string) => {
      return `${signed(from)} to ${numberWords(to)} ${UNITS[name]?.many}`;
    })
    .replace(UNIT_ADJECTIVE, (_, article: string, amount: string, name: string) => {
      return `${article} ${numberWords(amount)} ${UNITS[name]?.one} `;
    })
    .replace(WITH_UNIT, (_, sign: string, amount: string, hyphen: string, name: string, gap?: string) => {
      const words = UNITS[name];
      const before = sign === '-' ? 'minus ' : sign === '+' ? 'plus ' : '';
      const singular = isOne(amount) || hyphen === '-';
      return `${before}${numberWords(amount)}${hyphen === '-' ? '-' : ' '}${singular ? words?.one : words?.many}${gap === undefined ? '' : ' '}`;
    })
    .replace(PER, sayPer)
    .replace(TIMES, (_, amount: string) => (amount === '2' ? 'two times' : `${numberWords(amount)} times`))
    .replace(TIMES_BEFORE, (_, amount: string) => `times ${numberWords(amount)}`);
}

/** A mark after a number is an inch only where it closes no quotation. */
function sayFeetAndInches(text: string): string {
  if (!/\d['"]/.test(text)) return text;
  let quoted = false;
  return text
    .replace(
      FEET_INCHES,
      (_, feet: string, inches: string) => `${cardinal(Number(feet))} foot ${numberWords(inches)}`,
    )
    .replace(FEET, (_, feet: string) => `${cardinal(Number(feet))} ${feet === '1' ? 'foot' : 'feet'}`)
    .replace(INCH_ADJECTIVE, (_, article: string, inches: string) => `${article} ${numberWords(inches)} inch`)
    .replace(MARK_OR_INCHES, (whole, inches?: string) => {
      if (inches === undefined || quoted) {
        quoted = !quoted;
        return whole;
      }
      return `${numberWords(inches)} ${isOne(inches) ? 'inch' : 'inches'}`;
    });
}

const signed = (amount: string) =>
  amount.startsWith('-') ? `minus ${numberWords(amount.slice(1))}` : numberWords(amount);

const DENOMINATORS: Readonly<Record<number, [string, string]>> = {
  2: ['half', 'halves'],
  3: ['third', 'thirds'],
  4: ['quarter', 'quarters'],
  5: ['fifth', 'fifths'],
  6: ['sixth', 'sixths'],
  7: ['seventh', 'sevenths'],
  8: ['eighth', 'eighths'],
  9: ['ninth', 'ninths'],
  10: ['tenth', 'tenths'],
  12: ['twelfth', 'twelfths'],
  16: ['sixteenth', 'sixteenths'],
};
const FRACTION = /(?<![\w/.,-])(?:(\d{1,4})[ -])?(\d{1,3})\/(\d{1,3})(?![\w/]|[.,]\d)/g;
const ORDINAL_RANGE = new RegExp(
  String.raw`(?<![\w.])(\d{1,4})(?:st|nd|rd|th)?${TO}(\d{1,4})(?:st|nd|rd|th)\b`,
  'g',
);
const ORDINAL = /(?<![\w.])(\d{1,6}|\d{1,3}(?:,\d{3})+)(?:st|nd|rd|th)\b/gi;
const RANGE = new RegExp(`(?<![\\w.,/-])(-?)(${NUMBER}) ?[-–—] ?(${NUMBER})(?![\\w/%]|[.,]\\d|-\\d)`, 'g');
const CHAIN = /(?<![\w.-])\d{1,4}(?:-\d{1,4}){2,8}(?![\w-])/g;
const RATIO = /(?<![\w.:])(\d{1,3}):(\d{1,3})(?![\w:])/g;
const SCALED = /(?<![\w.])(\d+(?:\.\d+)?) ?(k|K|M|bn|million|billion|thousand)(?![\w])/g;
const RATING = /(?<![\w/.,])(\d{1,2}\.\d)\/(\d{1,3})(?![\w/])/g;
const COMMA_DECIMAL = /(?<![\w.,])(\d{1,3}),(\d)(?![\d,])/g;
const LONG = /(?<![\w.,])\d{7,}(?![.,]?\d)/g;
const LEADING_ZERO = /(?<![\w.,])0\d{1,19}(?![.,]?\d)/g;
const COMPARISON: readonly [RegExp, string][] = [
  [/(?:<=|≤) ?(?=\d)/g, 'at most '],
  [/(?:>=|≥) ?(?=\d)/g, 'at least '],
  [/< ?(?=\d)/g, 'less than '],
  [/> ?(?=\d)/g, 'more than '],
  [/(?:~|≈) ?(?=[\d$£€])/g, 'about '],
  [/± ?(?=\d)/g, 'plus or minus '],
];
const PLUS_AFTER = /(?<![\w.])(\d+(?:,\d{3})*)\+(?!\d)/g;
const SIGNED = new RegExp(`(?<![\\w.,)]|\\w ?-)([-+])(${NUMBER})(?![\\w-])`, 'g');
const PLAIN = new RegExp(`(?<![A-Za-z_])(?:${NUMBER})`, 'g');

/** What the other readers left: fractions, ordinals, ranges, ratios, and plain numbers. */
export function sayNumbers(text: string): string {
  return text
    .replace(/(?<![\w-])50[/-]50(?![\w-])/g, 'fifty-fifty')
    .replace(
      RATING,
      (_, rating: string, best: string) => `${numberWords(rating)} out of ${numberWords(best)}`,
    )
    .replace(COMMA_DECIMAL, '$1.$2')
    .replace(FRACTION, sayFraction)
    .replace(
      ORDINAL_RANGE,
      (_, from: string, to: string) => `${ordinal(Number(from))} to ${ordinal(Number(to))}`,
    )
    .replace(ORDINAL, (_, number: string) => ordinal(Number(number.replaceAll(',', ''))))
    .replace(CHAIN, (chain) => chain.split('-').map(digits).join(', '))
    .replace(RANGE, (_, minus: string, from: string, to: string) => {
      return `${minus ? 'minus ' : ''}${numberWords(from)} to ${numberWords(to)}`;
    })
    .replace(RATIO, (_, a: string, b: string) => `${cardinal(Number(a))} to ${cardinal(Number(b))}`)
    .replace(
      SCALED,
      (_, amount: string, scale: string) => `${numberWords(amount)} ${SCALES[scale.toLowerCase()]}`,
    )
    .replace(LONG, (number) => (/0{5}$/.test(number) ? numberWords(number) : digitGroups(number)))
    .replace(LEADING_ZERO, digitGroups)
    .replace(PLUS_AFTER, (_, amount: string) => `more than ${numberWords(amount)}`)
    .replace(
      SIGNED,
      (_, sign: string, amount: string) => `${sign === '-' ? 'minus' : 'plus'} ${numberWords(amount)}`,
    )
    .replace(PLAIN, (number) => numberWords(number));
}

/** "< 5", "~20", "≥ 3" ahead of the quantities they belong to. */
export const sayComparisons = (text: string) =>
  COMPARISON.reduce((result, [pattern, words]) => result.replace(pattern, words), text);

function sayFraction(_: string, whole: string | undefined, top: string, bottom: string): string {
  const names = DENOMINATORS[Number(bottom)];
  const n = Number(top);
  if (!names || n >= Number(bottom) || n === 0) {
    const mixed = whole ? `${cardinal(Number(whole))} ` : '';
    return `${mixed}${cardinal(n)} out of ${cardinal(Number(bottom))}`;
  }
  const part = n === 1 ? names[0] : names[1];
  const share = n === 1 && bottom === '2' ? 'half' : `${cardinal(n)} ${part}`;
  if (!whole) return share;
  return `${cardinal(Number(whole))} and ${n === 1 ? `a ${part}` : share}`;
}
