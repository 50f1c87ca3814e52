/** A calendar day in a time zone, as a range of quarters of an hour since 1970 UTC. */
interface LocalDay {
  /** `YYYY-MM-DD` */
  date: string;
  /** First quarter of an hour in the day. */
  from: number;
  /** First quarter of an hour after it; equal to `from` for a day that the zone skipped. */
  until: number;
}

export const QUARTER_HOUR_MS = 15 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** Local time is at most 12 hours behind UTC and 14 ahead; plus one hour as a margin. */
const EARLIEST = -15 * 4;
const LATEST = 13 * 4;

/**
 * The last `count` calendar days in a time zone, oldest first; the last one contains `now`. Right for zones on half and
 * quarter hours and for days of 23, 23½, 24½ or 25 hours: looks up the beginning of each day in the zone's own calendar
 * instead of computing it from an offset. All zones have kept to quarters of an hour since 1972.
 * @param timeZone an IANA name that this Node.js knows
 * @throws RangeError for another name
 */
export function lastDays(timeZone: string, count: number, now: Date): LocalDay[] {
  const dateAt = calendar(timeZone);
  const [year = 0, month = 0, day = 0] = dateAt(now.getTime()).split('-').map(Number);
  const today = Date.UTC(year, month - 1, day);
  const dates = Array.from({ length: count + 1 }, (_, index) => today + (index + 1 - count) * DAY_MS);
  const starts = dates.map((utcMidnight) => firstQuarterHour(dateAt, utcMidnight));
  return dates.slice(0, count).map((utcMidnight, index) => {
    const from = starts[index] ?? 0;
    return { date: isoDate(utcMidnight), from, until: starts[index + 1] ?? from };
  });
}

/** The first quarter of an hour at which the calendar shows this date or a later one, by binary search. */
function firstQuarterHour(dateAt: (ms: number) => string, utcMidnight: number): number {
  const date = isoDate(utcMidnight);
  let before = utcMidnight / QUARTER_HOUR_MS + EARLIEST;
  let reached = utcMidnight / QUARTER_HOUR_MS + LATEST;
  while (reached - before > 1) {
    const middle = Math.floor((before + reached) / 2);
    if (dateAt(middle * QUARTER_HOUR_MS) >= date) reached = middle;
    else before = middle;
  }
  return reached;
}

/** @returns the local date at a moment (ms since 1970), as `YYYY-MM-DD` */
function calendar(timeZone: string): (ms: number) => string {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return (ms) => {
    const [month, day, year] = format.format(ms).split('/');
    return `${year}-${month}-${day}`;
  };
}

const isoDate = (ms: number) => new Date(ms).toISOString().slice(0, 10);
