/** A national identity number, recognised by its form and, if it has one, its check digit. */
interface NationalId {
  form: RegExp;
  /** Checks a number of this form; without it the form suffices. */
  isValid?: (id: string) => boolean;
}

const CHECK_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE';

/** Spain: a number and the letter for its remainder by 23; foreigners' begin with X, Y or Z. */
function isSpanish(id: string): boolean {
  const number = id.slice(0, -1).replace(/^[XYZ]/i, (letter) => String('XYZ'.indexOf(letter.toUpperCase())));
  return CHECK_LETTERS[Number(number) % 23] === id.slice(-1).toUpperCase();
}

/** France: thirteen figures and the difference to a multiple of 97; Corsica's departments are 2A and 2B. */
function isFrench(id: string): boolean {
  const number = id.slice(0, 13).replace(/A/i, '0').replace(/B/i, '0');
  const corsica = /A/i.test(id) ? 1_000_000n : /B/i.test(id) ? 2_000_000n : 0n;
  return 97n - ((BigInt(number) - corsica) % 97n) === BigInt(id.slice(13));
}

export const nationalIds: readonly NationalId[] = [
  // United States: social security.
  { form: /(?<![\d-])(?!000|666|9)\d{3}[- ](?!00)\d{2}[- ](?!0000)\d{4}(?![\d-])/g },
  // United Kingdom: national insurance.
  {
    form: /\b(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]\b/gi,
  },
  { form: /\b(?:\d{8}|[XYZ]\d{7})[- ]?[A-Z]\b/gi, isValid: isSpanish },
  {
    form: /\b[12] ?\d{2} ?(?:0[1-9]|1[0-2]|[2-9]\d) ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}\b/gi,
    isValid: isFrench,
  },
  // Italy: codice fiscale.
  { form: /\b[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]\b/gi },
];
