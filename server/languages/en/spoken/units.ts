import { fraction } from './fractions.ts';
import { cardinal, isOne, NUMBER, numberWords, TO } from './number-words.ts';

interface Unit {
  one: string;
  many: string;
}
const unit = (one: string, many = `${one}s`): Unit => ({ one, many });
const LENGTHS: Readonly<Record<string, Unit>> = {
  mm: unit('millimeter'),
  cm: unit('centimeter'),
  m: unit('meter'),
  km: unit('kilometer'),
  in: unit('inch', 'inches'),
  ft: unit('foot', 'feet'),
  yd: unit('yard'),
};

/** "sq ft", "cu. m" → "square feet", "cubic meters". */
function squaresAndCubes(marks: readonly string[], word: string): Record<string, Unit> {
  return Object.fromEntries(
    marks.flatMap((mark) =>
      Object.entries(LENGTHS).map(([name, { one, many }]) => [
        `${mark} ${name}`,
        unit(`${word} ${one}`, `${word} ${many}`),
      ]),
    ),
  );
}

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
  'Mbit/s': unit('megabit per second', 'megabits per second'),
  'Gbit/s': unit('gigabit per second', 'gigabits per second'),
  'Mb/s': unit('megabit per second', 'megabits per second'),
  'Gb/s': unit('gigabit per second', 'gigabits per second'),
  'MB/s': unit('megabyte per second', 'megabytes per second'),
  'GB/s': unit('gigabyte per second', 'gigabytes per second'),
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
  mth: unit('month'),
  mths: unit('month'),
  mos: unit('month'),
  mph: unit('mile per hour', 'miles per hour'),
  'km/h': unit('kilometer per hour', 'kilometers per hour'),
  kph: unit('kilometer per hour', 'kilometers per hour'),
  'mi/h': unit('mile per hour', 'miles per hour'),
  'm/s': unit('meter per second', 'meters per second'),
  px: unit('pixel'),
  MP: unit('megapixel'),
  ...squaresAndCubes(['sq', 'sq.'], 'square'),
  ...squaresAndCubes(['cu', 'cu.'], 'cubic'),
  sqft: unit('square foot', 'square feet'),
  sqm: unit('square meter'),
  t: unit('tonne'),
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
  .map((name) => name.replace(/[.]/g, String.raw`\$&`))
  .join('|');
const END = '(?![A-Za-z°])';
/** No unit follows the number: "1.15–1.30 m" is not a time. */
export const MEASURED = `(?! ?(?:${UNIT})${END}| ?(?:[£$€¢]|(?:per|percent|points?|stars?|out of|times|million|billion|met(?:er|re)s?|miles?|lit(?:er|re)s?|kilos?|pounds?|pence|euros?|dollars?)\\b))`;
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
  `(?<![\\w.$£€]|\\d/)([-+]?)(${NUMBER})([ -]?)(${UNIT})${END}(?:\\.(?= [a-z]|[,;]))?(?:( ?)(?=[a-z]))?`,
  'g',
);
const FEET_INCHES = /(?<![\w.'])(\d{1,2})' ?(\d{1,2}(?:\.\d)?)(?:"|''|(?=[\s,.;!?]|$))(?!\w)/g;
const FEET = /(?<![\w.'])(\d{1,3})'(?=[ ,.;)]|$)(?!\w)/g;
const INCH_ADJECTIVE = /\b([Aa]n?) (\d{1,3}(?:\.\d{1,2})?)"(?= [a-z]{3,})/g;
const MARK_OR_INCHES = /(?:(?<![\w.])(\d{1,3}(?:\.\d{1,2})?))?"(?!\d)/g;
const FRACTION_UNIT = new RegExp(`(?<![\\w.$£€/])(?:(\\d{1,3}) )?([13])/([248]) ?(${UNIT})${END}`, 'g');
const HOURS_MINUTES = /(?<![\w.])(\d{1,2}) ?(?:h|hrs?) ?(\d{1,2}) ?(?:m(?:ins?)?)?(?![\w/.]\w|[A-Za-z])/g;
const FEET_INCHES_WORDS = /(?<![\w.])(\d{1,2}) ?ft ?(\d{1,2}(?:\.\d)?) ?ins?\b/g;
/** "a 7 kW charger" and "7 kW charger" alike; before the beginning of another phrase the plural stays. */
const POWER_BEFORE_NOUN = new RegExp(
  `(?<![\\w.$£€])(${NUMBER}) ?(W|kW|V) (?=[a-z]{3,})(?!(?:and|for|per|from|over|with|when|while|are|was|will|which|that|the|max|min|under|off|but|each|only|more|less|than|into|via)\\b)`,
  'g',
);
/** Download and upload, in either order: "500/50 Mbit/s". */
const RATES = new RegExp(`(?<![\\w.,/])(\\d{1,5})/(\\d{1,5}) ?([kMG]bps|[MG]bit/s|[MG]b/s)${END}`, 'g');
const DURATION = /^(?:h|hrs?|mins?|secs?|ms|yrs?|wks?|mos?|mths?)$/;
const TIMES = /(?<![\w.])(\d+(?:\.\d+)?)[x×](?!\w)/gi;
const TIMES_BEFORE = /(?<!\w)[x×] ?(\d+)(?![\w.])/gi;

/** Reads quantities with units: "5 kg", "10×20 cm", `5'10"`, "-5 °C", "5–10%". */
export function sayUnits(text: string): string {
  return sayFeetAndInches(text)
    .replace(
      FEET_INCHES_WORDS,
      (_, feet: string, inches: string) => `${cardinal(Number(feet))} foot ${numberWords(inches)}`,
    )
    .replace(
      HOURS_MINUTES,
      (_, hours: string, minutes: string) => `${withUnit(hours, 'h')} ${withUnit(minutes, 'min')}`,
    )
    .replace(
      RATES,
      (_, a: string, b: string, name: string) =>
        `${numberWords(a)} by ${numberWords(b)} ${UNITS[name]?.many}`,
    )
    .replace(FRACTION_UNIT, sayFractionOfUnit)
    .replace(
      POWER_BEFORE_NOUN,
      (_, amount: string, name: string) => `${numberWords(amount)} ${UNITS[name]?.one} `,
    )
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
        const joint = name && DURATION.test(name) ? ' times ' : ' by ';
        const sizes = [a, b, ...(c ? [c] : [])].map(numberWords).join(joint);
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
    .replace(TIMES, (_, amount: string) => (amount === '2' ? 'two times' : `${numberWords(amount)} times`))
    .replace(TIMES_BEFORE, (_, amount: string) => `times ${numberWords(amount)}`);
}

/** A mark after a number means inches only if it does not close a quotation. */
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

const withUnit = (amount: string, name: string) =>
  `${numberWords(amount)} ${isOne(amount) ? UNITS[name]?.one : UNITS[name]?.many}`;

/** "1/2 hr" → "half an hour"; "2 1/2 hrs" → "two and a half hours". */
function sayFractionOfUnit(
  _: string,
  whole: string | undefined,
  top: string,
  bottom: string,
  name: string,
): string {
  const share = fraction(whole, top, bottom);
  if (whole) return `${share} ${UNITS[name]?.many}`;
  const one = UNITS[name]?.one ?? '';
  return `${share}${share === 'half' ? '' : ' of'} ${/^(?:[aeio]|hour)/.test(one) ? 'an' : 'a'} ${one}`;
}

const signed = (amount: string) =>
  amount.startsWith('-') ? `minus ${numberWords(amount.slice(1))}` : numberWords(amount);
