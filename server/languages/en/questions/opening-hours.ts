import { DAYS } from '../calendar.ts';

/** A moment in the business's time zone. */
interface LocalMoment {
  /** 0 is Sunday. */
  weekday: number;
  /** Minutes since midnight. */
  minutes: number;
}

const day = '(?:sun|mon|tues?|wed(?:nes)?|thur?s?|fri|sat(?:ur)?)(?:day)?s?';
const time = '(?:\\d{1,2}(?:[.:]\\d{2})?\\s?(?:a\\.?m\\.?|p\\.?m\\.?)?|noon|midnight)';
/** "Monday to Friday 7 am to 8 pm", "daily from 9.30 to 17.00", "Sundays closed". */
const entry = new RegExp(
  `\\b(?:(${day})(?:\\s?(?:-|–|to|through|until)\\s?(${day})|((?:,| and| &) ?${day}(?:(?:,| and| &) ?${day})?))?|(every day|daily|seven days a week|all week))[\\s,:]{0,3}(?:(closed)|(?:from |between |open )?(${time})\\s?(?:-|–|to|until|till|and)\\s?(${time}))`,
  'gi',
);

/**
 * Whether a business is open according to its hours, and until when that day; null if they do not tell or
 * contradict each other.
 */
export function openAt(
  hours: string,
  { weekday, minutes }: LocalMoment,
): { isOpen: boolean; closes: string | null } | null {
  const ofDay = [...hours.slice(0, 2_000).matchAll(entry)].filter((match) => daysOf(match).includes(weekday));
  const [only] = ofDay;
  if (!only || ofDay.length > 1) return null;
  if (only[5]) return { isOpen: false, closes: null };
  const to = minutesOf(only[7] ?? '', null);
  const from = minutesOf(only[6] ?? '', to);
  if (from === null || to === null || from >= to) return null;
  return { isOpen: minutes >= from && minutes < to, closes: (only[7] ?? '').trim() };
}

function daysOf(match: RegExpExecArray): number[] {
  if (match[4]) return [0, 1, 2, 3, 4, 5, 6];
  const first = dayOf(match[1] ?? '');
  const last = match[2] ? dayOf(match[2]) : first;
  const others = [...(match[3] ?? '').matchAll(new RegExp(day, 'gi'))].map(([name]) => dayOf(name));
  const range: number[] = [];
  for (let n = first; range.length < 7; n = (n + 1) % 7) {
    range.push(n);
    if (n === last) break;
  }
  return [...range, ...others];
}

const dayOf = (name: string) =>
  DAYS.findIndex((written) => written.slice(0, 3).toLowerCase() === name.slice(0, 3).toLowerCase());

/** @param closes closing time; "9 to 5 pm" begins in the morning, before it */
function minutesOf(written: string, closes: number | null): number | null {
  if (/noon/i.test(written)) return 12 * 60;
  if (/midnight/i.test(written)) return 24 * 60;
  const [, hour = '', minute = '0', half = ''] = /(\d{1,2})(?:[.:](\d{2}))?\s?([ap])?/i.exec(written) ?? [];
  if (hour === '') return null;
  const at = (Number(hour) % (half ? 12 : 24)) * 60 + Number(minute);
  if (half.toLowerCase() === 'p') return at + 12 * 60;
  // "8:00 - 5:00 pm" begins in the morning already; "9 to 5" ends in the afternoon.
  return closes === null && !half && at < 8 * 60 ? at + 12 * 60 : at;
}
