import { cardinal, digits, TO } from './number-words.ts';

/** The last dot of "a.m." also ends a sentence when a new one begins after it. */
const HALF = String.raw`([AaPp])(?:\.[Mm]\.(?!\s*$|\s+(?![ECMP][SD]?T\b|Mon|Tue|Wed|Thu|Fri|Sat|Sun)\p{Lu})|\.?[Mm]\b)`;
const CLOCK = String.raw`(\d{1,2}):(\d{2})(?::\d{2})?`;
const CLOCK_RANGE = new RegExp(
  String.raw`(?<![\w:.$£€])${CLOCK}(?: ?${HALF})?${TO}${CLOCK}(?: ?${HALF})?(?![\w:])`,
  'gu',
);
const HOUR_RANGE = new RegExp(
  String.raw`(?<![\w:.$£€])(\d{1,2})(?::(\d{2}))?(?: ?${HALF})?${TO}(\d{1,2})(?::(\d{2}))? ?${HALF}(?!\w)`,
  'gu',
);
const CLOCK_TIME = new RegExp(String.raw`(?<![\w:.$£€-])${CLOCK}(?: ?${HALF})?(?![\w:])`, 'gu');
const HOUR_TIME = new RegExp(String.raw`(?<![\w:.$£€])(\d{1,2}) ?${HALF}(?!\w)`, 'gu');
const DOT_TIME = new RegExp(String.raw`(?<![\w:.$£€])(\d{1,2})\.(\d{2}) ?${HALF}(?!\w)`, 'gu');
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

/** Times of day as they are said: "14:00" → "two PM", "9:05 am" → "nine oh five AM". */
export function sayTimes(text: string): string {
  const spoken = text
    .replace(ALWAYS, (whole) => (whole.includes('365') ? 'twenty-four seven, all year' : 'twenty-four seven'))
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
      DOT_TIME,
      (whole, hour: string, minute: string, half: string) => sayClock({ hour, minute, half }) ?? whole,
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

/** "9:00–17:00" tells by its second half that the first is in the morning. */
function range(whole: string, from: Clock, to: Clock): string {
  const by24 = Number(to.hour) > 12 && from.half === undefined && to.half === undefined;
  const bare = by24 && Number(from.hour) < 12 ? { ...from, half: 'a' } : from;
  const first = sayClock(bare, to.half !== undefined);
  const second = sayClock(to, from.half !== undefined);
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
