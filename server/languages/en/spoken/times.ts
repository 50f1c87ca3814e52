import { cardinal, digits, TO } from './number-words.ts';
import { MEASURED } from './units.ts';

/** The last dot of "a.m." also ends a sentence if a new one begins after it. */
const HALF = String.raw`([AaPp])(?:\.[Mm]\.(?!\s*$|\s+(?![ECMP][SD]?T\b|Mon|Tue|Wed|Thu|Fri|Sat|Sun)\p{Lu})|\.?[Mm]\b)`;
const CLOCK = String.raw`(\d{1,2}):(\d{2})(?::\d{2})?`;
const CLOCK_RANGE = new RegExp(
  String.raw`(?<![\w:.$£€])${CLOCK}(?: ?${HALF})?${TO}${CLOCK}(?: ?${HALF})?(?![\w:])`,
  'gu',
);
const HOUR_RANGE = new RegExp(
  String.raw`(?<![\w:.$£€])(\d{1,2})(?:[:.](\d{2}))?(?: ?${HALF})?${TO}(\d{1,2})(?:[:.](\d{2}))? ?${HALF}(?!\w)`,
  'gu',
);
const CLOCK_TIME = new RegExp(String.raw`(?<![\w:.$£€-])${CLOCK}(?: ?${HALF})?(?![\w:])`, 'gu');
const HOUR_TIME = new RegExp(String.raw`(?<![\w:.$£€])(\d{1,2}) ?${HALF}(?!\w)`, 'gu');
const DOT_TIME = new RegExp(String.raw`(?<![\w:.$£€])(\d{1,2})\.(\d{2}) ?${HALF}(?!\w)`, 'gu');
/**
 * "8.30–5": a range with quarter hours after a point is a range of times, unless the context shows a measure
 * or a numbering.
 */
const QUARTERS = '(?:00|15|30|45)';
const NUMBERED = String.raw`(?<!\b(?:v|ver\.|version|section|clause|paragraph|para\.?|chapter|rule|article|step|figure|table|page|§|of|is|rates?|ratio|scores?|factor|grade|GPA|sizes?|index|pH|prices?|costs?):? ?)`;
const DOT_RANGE = new RegExp(
  String.raw`(?<![\w:.,/$£€-]|[$£€] )${NUMBERED}(?:(\d{1,2})\.(${QUARTERS})${TO}(\d{1,2})(?:\.(${QUARTERS}))?|(\d{1,2})${TO}(\d{1,2})\.(${QUARTERS}))(?![\w:/]|[.,-]\d)${MEASURED}`,
  'g',
);
/** "until 10.30": a word that introduces a time, and minutes as people write them. */
const DOT_AFTER_WORD = new RegExp(
  String.raw`(?<=\b(?:at|until|till?|'til|by|before|after|from|opens?|closes?|closed|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?,?) )(\d{1,2})\.([0-5][05])(?![\w:/]|[.,-]\d|${TO}\d)${MEASURED}`,
  'gi',
);
const UNTIL_LATE = /(?<=\d|[ap]\.?m\.?) ?[-–—] ?late\b/gi;
const O_CLOCK = /(?<![\w:.])(\d{1,2}) o'clock\b/gi;
const ALWAYS = /(?<![\w/])24 ?[/x] ?7(?:[/x]365)?(?![\w/])/g;
const ZONES: readonly [RegExp, string][] = [
  [/\b(?:EST|EDT)\b|(?<=[AP]M |o'clock |\d )ET\b/g, 'Eastern time'],
  [/\b(?:CST|CDT)\b|(?<=[AP]M |o'clock |\d )CT\b/g, 'Central time'],
  [/\b(?:MST|MDT)\b|(?<=[AP]M |o'clock |\d )MT\b/g, 'Mountain time'],
  [/\b(?:PST|PDT)\b|(?<=[AP]M |o'clock |\d )PT\b/g, 'Pacific time'],
  [/\b(?:CET|CEST)\b/g, 'Central European time'],
];

type Half = 'AM' | 'PM' | null;
const halfOf = (letter: string | undefined): Half =>
  letter ? (letter.toLowerCase() === 'a' ? 'AM' : 'PM') : null;

/** Reads times of day: "14:00" → "two PM", "9:05 am" → "nine oh five AM". */
export function sayTimes(text: string): string {
  const spoken = text
    .replace(ALWAYS, (whole) => (whole.includes('365') ? 'twenty-four seven, all year' : 'twenty-four seven'))
    .replace(UNTIL_LATE, ' until late')
    .replace(
      CLOCK_RANGE,
      (whole, h1: string, m1: string, a1: string | undefined, h2: string, m2: string, a2?: string) =>
        range(whole, { hour: h1, minute: m1, half: a1 }, { hour: h2, minute: m2, half: a2 }),
    )
    .replace(
      HOUR_RANGE,
      (
        whole,
        h1: string,
        m1: string | undefined,
        a1: string | undefined,
        h2: string,
        m2: string | undefined,
        a2: string,
      ) => range(whole, { hour: h1, minute: m1, half: a1 }, { hour: h2, minute: m2, half: a2 }),
    )
    .replace(
      DOT_RANGE,
      (whole, h1?: string, m1?: string, h2?: string, m2?: string, h3?: string, h4?: string, m4?: string) =>
        range(
          whole,
          { hour: h1 ?? h3 ?? '', minute: m1, half: undefined },
          { hour: h2 ?? h4 ?? '', minute: m2 ?? m4, half: undefined },
          true,
        ),
    )
    .replace(
      DOT_TIME,
      (whole, hour: string, minute: string, half: string) => sayClock({ hour, minute, half }) ?? whole,
    )
    .replace(
      DOT_AFTER_WORD,
      (whole, hour: string, minute: string) => sayClock({ hour, minute, half: undefined }) ?? whole,
    )
    .replace(
      CLOCK_TIME,
      (whole, hour: string, minute: string, half?: string) => sayClock({ hour, minute, half }) ?? whole,
    )
    .replace(
      HOUR_TIME,
      (whole, hour: string, half: string) => sayClock({ hour, minute: undefined, half }) ?? whole,
    )
    .replace(O_CLOCK, (_, hour: string) => `${cardinal(Number(hour))} o'clock`);
  return ZONES.reduce((result, [pattern, name]) => result.replace(pattern, name), spoken);
}

interface Clock {
  hour: string;
  minute: string | undefined;
  half: string | undefined;
}

/** "9:00–17:00": the second half shows that the first is in the morning. */
function range(whole: string, from: Clock, to: Clock, isBare = false): string {
  const by24 = Number(to.hour) > 12 && from.half === undefined && to.half === undefined;
  const bare = by24 && Number(from.hour) < 12 ? { ...from, half: 'a' } : from;
  const first = sayClock(bare, isBare || to.half !== undefined);
  const second = sayClock(to, isBare || from.half !== undefined);
  if (!first || !second) return whole;
  return `${first} to ${second}`;
}

function sayClock({ hour, minute, half }: Clock, beside = false): string | null {
  const hours = Number(hour);
  const minutes = Number(minute ?? 0);
  if (hours > 24 || minutes > 59 || (half && hours > 12)) return null;
  const said = halfOf(half) ?? (hours > 12 ? 'PM' : hours === 0 ? 'AM' : null);
  if (hours === 24 || (hours === 0 && minutes === 0)) return 'midnight';
  const on12 = cardinal(hours > 12 ? hours - 12 : hours === 0 ? 12 : hours);
  const past = minutes === 0 ? '' : minutes < 10 ? ` oh ${digits(String(minutes))}` : ` ${cardinal(minutes)}`;
  if (said) return `${on12}${past} ${said}`;
  return past || beside || minute === undefined ? `${on12}${past}` : `${on12} o'clock`;
}
