import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';

/**
 * A telephone number in the groups in which people of its country write and say it: "07700900123" → "07700 900123".
 * @param country ISO 3166, of numbers that begin with no plus
 * @returns the same figures; as they came where they are in groups already, or no number of that country
 */
export function inGroups(number: string, country: string | null): string {
  if (!/^\+?\d+$/.test(number)) return number;
  const parsed = parsePhoneNumberFromString(
    number,
    country && isSupportedCountry(country) ? country : undefined,
  );
  if (!parsed?.isPossible()) return number;
  const written = number.startsWith('+') ? parsed.formatInternational() : parsed.formatNational();
  // Without either in front, groups of figures sound like several numbers.
  if (!/^[+(0]/.test(written)) return number;
  // A nought may be missing in front, or a 1 be too many: what they said is read back to them.
  return written.replace(/[^\d+]/g, '') === number ? written : number;
}
