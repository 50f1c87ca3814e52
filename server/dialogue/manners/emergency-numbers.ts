import type { AgentProfile } from '../contract.ts';

/** What to call in a country. */
interface EmergencyNumbers {
  /** For police, fire and ambulance. */
  emergency: string;
  /** Where people in despair are listened to at any hour, if one number is known for the whole country. */
  crisis: string | null;
}

interface Country {
  /** ISO 3166. */
  codes: readonly string[];
  emergency: string;
  crisis?: string;
  /** Of telephone numbers, without the plus. */
  dials: readonly string[];
  /** How texts name it. */
  named: RegExp;
  /** How its addresses and telephone numbers are written, where no other country's are. */
  written?: RegExp;
}

/** Numbers as of 2026-11, from the national authorities; in the European Union 112 reaches all services. */
const countries: readonly Country[] = [
  {
    codes: ['US', 'CA'],
    emergency: '911',
    crisis: '988',
    dials: ['1'],
    named: /\b(?:USA|U\.S\.|United States|Canada)(?!\w)/g,
    written: /\(\d{3}\) ?\d{3}-\d{4}|\b\d{3}-\d{3}-\d{4}\b|\b[A-Z]{2} \d{5}\b|\b(?:call|dial) 911\b/g,
  },
  {
    codes: ['GB'],
    emergency: '999',
    crisis: '116 123',
    dials: ['44'],
    named: /\b(?:UK|United Kingdom|England|Scotland|Wales)\b/g,
    written: /\b[A-Z]{1,2}\d{1,2}[A-Z]? \d[A-Z]{2}\b|£\d|\b(?:call|dial|ring) 999\b/g,
  },
  { codes: ['IE'], emergency: '112', crisis: '116 123', dials: ['353'], named: /\b(?<!Northern )Ireland\b/g },
  {
    codes: ['AU'],
    emergency: '000',
    crisis: '13 11 14',
    dials: ['61'],
    named: /\bAustralia\b/g,
    written: /\b(?:NSW|VIC|QLD) \d{4}\b|\b(?:call|dial|ring) (?:000|triple zero)\b/gi,
  },
  { codes: ['NZ'], emergency: '111', crisis: '1737', dials: ['64'], named: /\bNew Zealand\b/g },
  {
    codes: 'AT BE BG CH CY CZ DE DK EE ES FI FR GR HR HU IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(
      ' ',
    ),
    emergency: '112',
    dials:
      '43 32 359 41 357 420 49 45 372 34 358 33 30 385 36 354 39 423 370 352 371 356 31 47 48 351 40 46 386 421'.split(
        ' ',
      ),
    named:
      /\b(?:Austria|Belgium|Bulgaria|Switzerland|Cyprus|Czechia|Germany|Deutschland|Denmark|Estonia|Spain|Finland|France|Greece|Croatia|Hungary|Iceland|Italy|Lithuania|Luxembourg|Latvia|Malta|Netherlands|Norway|Poland|Portugal|Romania|Sweden|Slovenia|Slovakia)\b/g,
    written: /\b(?:call|dial|ring) 112\b/g,
  },
  { codes: ['IN'], emergency: '112', dials: ['91'], named: /\bIndia\b/g },
  { codes: ['ZA'], emergency: '112', dials: ['27'], named: /\bSouth Africa\b/g },
  { codes: ['SG'], emergency: '999', dials: ['65'], named: /\bSingapore\b/g },
  { codes: ['TR'], emergency: '112', dials: ['90'], named: /\bT(?:urkey|ürkiye)\b/g },
];

/** A telephone number says more than a name: shops deliver abroad. */
const BY_NUMBER = 3;
const BY_WRITING = 2;
/** Names of other countries stand in texts about travel and delivery: they count as this many at most. */
const MOST_NAMES = 2;
/** What counts less tells nothing. */
const LEAST = 2;

/**
 * The numbers to call where a business is: by the region of its agent's language ("en-GB"), else by the telephone numbers,
 * addresses and names in its company information.
 * @returns null where that tells no country, or two alike
 */
export function emergencyNumbersOf({
  language,
  companyInfo,
}: Pick<AgentProfile, 'language' | 'companyInfo'>): EmergencyNumbers | null {
  const region = /-([A-Za-z]{2})\b/.exec(language)?.[1]?.toUpperCase();
  const ofRegion = countries.find(({ codes }) => codes.some((code) => code === region));
  if (ofRegion) return numbersOf(ofRegion);
  const dialled = [...companyInfo.matchAll(/\+(\d{1,4})/g)].map(([, digits = '']) => digits);
  const counted = countries
    .map((country) => {
      const { dials, named, written } = country;
      const byNumber = dialled.filter((digits) => dials.some((dial) => digits.startsWith(dial))).length;
      const byName = Math.min(MOST_NAMES, countOf(companyInfo, named));
      const byWriting = written ? countOf(companyInfo, written) : 0;
      return { country, points: BY_NUMBER * byNumber + BY_WRITING * byWriting + byName };
    })
    .sort((a, b) => b.points - a.points);
  const [best, next] = counted;
  return best && best.points >= LEAST && best.points > (next?.points ?? 0) ? numbersOf(best.country) : null;
}

const numbersOf = ({ emergency, crisis }: Country): EmergencyNumbers => ({
  emergency,
  crisis: crisis ?? null,
});

const countOf = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].length;
