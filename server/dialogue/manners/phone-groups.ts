import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';

/**
 * A telephone number in the groups in which people of its country write and say it: "07700900123" → "07700 900123".
 * @param country ISO 3166, for numbers without a plus
 * @returns the same figures; unchanged if grouped already, or no number of that country
 */
export function inGroups(number: string, country: string | null): string {
  if (!/^\+?\d+$/.test(number)) return number;
  const parsed = parsePhoneNumberFromString(
    number,
    country && isSupportedCountry(country) ? country : undefined,
  );
  if (!parsed?.isPossible()) return number;
  const written = number.startsWith('+') ? parsed.formatInternational() : parsed.formatNational();
  // Without a plus or zero in front, groups of figures sound like several numbers.
  if (!/^[+(0]/.test(written)) return number;
  // A zero may be missing in front, or a 1 be added: the figures read back must be the customer's own.
  return written.replace(/[^\d+]/g, '') === number ? written : number;
}
