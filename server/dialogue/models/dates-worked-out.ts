import type { Figure } from '#server/languages/claims';

const DAY_MS = 86_400_000;

/**
 * Whether a date follows from another one and a time span: "until the 10th" from two weeks and today.
 * @param date as 2026-12-10
 * @param from known dates
 * @param figures that include time spans
 */
export function isDateWorkedOut(date: string, from: readonly string[], figures: readonly Figure[]): boolean {
  const wanted = Date.parse(date);
  return from.some((day) =>
    figures.some(({ value, unit }) =>
      [1, -1].some((sign) => {
        const end = after(new Date(Date.parse(day)), sign * Number(value), unit);
        // "Within 30 days" may count the day itself or not.
        return end !== null && Math.abs(end.getTime() - wanted) <= DAY_MS;
      }),
    ),
  );
}

function after(day: Date, count: number, unit: string | null): Date | null {
  const end = new Date(day);
  switch (unit) {
    case 'day':
      end.setUTCDate(end.getUTCDate() + count);
      return end;
    case 'week':
      end.setUTCDate(end.getUTCDate() + 7 * count);
      return end;
    case 'month':
      end.setUTCMonth(end.getUTCMonth() + count);
      return end;
    case 'year':
      end.setUTCFullYear(end.getUTCFullYear() + count);
      return end;
    default:
      return null;
  }
}
