import { format, formatDistance, isValid } from 'date-fns';

/** `h:mm a` in the reader's time zone, such as "3:05 PM"; "Invalid time" for what is no time. */
export function formatTime(iso: string): string {
  const date = new Date(iso);
  return isValid(date) ? format(date, 'h:mm a') : 'Invalid time';
}

/** `MMM d, yyyy h:mm a`, such as "Nov 20, 2026 3:05 PM"; "Invalid time" for what is no time. */
export function formatDateTime(iso: string): string {
  const date = new Date(iso);
  return isValid(date) ? format(date, 'MMM d, yyyy h:mm a') : 'Invalid time';
}

/** Length of a conversation from seconds, as `m:ss`; anything that is no length reads "0:00". */
export function formatClock(seconds: number): string {
  const whole = Number.isFinite(seconds) && seconds > 0 ? Math.floor(seconds) : 0;
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** Average length from seconds: "{n}s" under a minute, otherwise "{m}m {s}s". */
export function formatAverage(seconds: number): string {
  const whole = Number.isFinite(seconds) && seconds > 0 ? Math.round(seconds) : 0;
  return whole < 60 ? `${whole}s` : `${Math.floor(whole / 60)}m ${whole % 60}s`;
}

/**
 * How long ago something was, such as "5 minutes ago"; "Never" when it is absent or no time.
 * A moment that a server's clock puts into the future counts as now.
 */
export function formatAgo(iso: string | null, now: Date = new Date()): string {
  const date = iso ? new Date(iso) : null;
  if (!date || !isValid(date)) return 'Never';
  return formatDistance(date > now ? now : date, now, { addSuffix: true });
}

/** US dollars: to the cent, less than a cent to its two leading digits; "$0.00" for nothing. */
export function formatCost(dollars: number): string {
  const digits = dollars > 0 && dollars < 0.01 ? { maximumSignificantDigits: 2 } : {};
  return dollars.toLocaleString('en-US', { style: 'currency', currency: 'USD', ...digits });
}

/** A number of things with its noun: "1 message", "1,204 messages". */
export function formatCount(count: number, singular: string, plural = `${singular}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? singular : plural}`;
}
