/** Units of a price, after a slash or abbreviated after the amount. */
const UNITS = String.raw`month|mo|mth|year|yr|week|wk|day|hour|hr|h|minute|min|second|sec|s|night|person|pers|head|guest|adult|child|dog|user|seat|item|unit|piece|order|kg|lb|GB|MB|kWh|mile|mi|km|use|call|visit|session|lesson|class|sq\.? ?ft|sq\.? ?m|sqm|sqft|m2|cu\.? ?ft|cu\.? ?m|m|ft|litre|liter|l|L`;
const AMOUNT =
  'dollars?|cents?|pounds?|pence|penny|euros?|yen|rupees?|percent|grams?|meters?|bytes?|bits?|miles?|kcal|kJ';
const PER = new RegExp(String.raw`(?<=${AMOUNT}) ?\/ ?(${UNITS})(?![\w/])\.?`, 'g');
const WRITTEN_PER = new RegExp(String.raw`\bper (${UNITS})(?![\w/])(?:\.(?= \p{Ll}))?`, 'gu');
const PER_WORDS: Readonly<Record<string, string>> = {
  mo: 'month',
  mth: 'month',
  yr: 'year',
  wk: 'week',
  hr: 'hour',
  h: 'hour',
  min: 'minute',
  sec: 'second',
  s: 'second',
  pers: 'person',
  kg: 'kilogram',
  lb: 'pound',
  GB: 'gigabyte',
  MB: 'megabyte',
  kWh: 'kilowatt hour',
  mi: 'mile',
  km: 'kilometer',
  m: 'meter',
  ft: 'foot',
  l: 'liter',
  L: 'liter',
  sqft: 'square foot',
  sqm: 'square meter',
  m2: 'square meter',
  'sq ft': 'square foot',
  'sq m': 'square meter',
  'cu ft': 'cubic foot',
  'cu m': 'cubic meter',
};
const wordFor = (unit: string) => PER_WORDS[unit] ?? PER_WORDS[unit.replace('.', '')] ?? unit;

/** "…dollars/month" → "…dollars per month", after amounts in words. */
export const sayPer = (text: string) =>
  text
    .replace(PER, (_, unit: string) => ` per ${wordFor(unit)}`)
    .replace(WRITTEN_PER, (_, unit: string) => `per ${wordFor(unit)}`);

/**
 * "£12pp" → "£12 per person": abbreviations used only after amounts. "p.m." stays, since it may be a month or
 * an afternoon.
 */
const BEHIND_SUM =
  /(?<=[$£€]\d[\d,]{0,9}(?:\.\d{1,2})?) ?(pppn|pp|p\.p\.?|pcm|p\.?w\b\.?|p\.?a\b\.?|p\/?h\b)(?!\w)/g;
const PER_AMOUNT =
  /(?<=[$£€]\d[\d,]{0,9}(?:\.\d{1,2})?|\dp|\bkcal|\bkJ) ?\/ ?(?=\d+ ?(?:k?g|m?l|L|k?m|hrs?|hours|mins?|minutes|days|nights|weeks|months|people)\b)/g;
const SHORT: Readonly<Record<string, string>> = {
  pppn: 'person per night',
  pp: 'person',
  pcm: 'calendar month',
  pw: 'week',
  pa: 'year',
  ph: 'hour',
};

/** Runs before the reader of money, which would take the letters for part of the amount. */
export const sayPerShort = (text: string) =>
  text.replace(PER_AMOUNT, ' per ').replace(BEHIND_SUM, (whole, short: string) => {
    const words = SHORT[short.replace(/[./]/g, '')];
    return words ? ` per ${words}` : whole;
  });
