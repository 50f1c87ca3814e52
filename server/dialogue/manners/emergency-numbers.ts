import { getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/min';
import type { AgentProfile } from '../contract.ts';

/** Emergency numbers of a country. */
interface EmergencyNumbers {
  /** For police, fire and ambulance. */
  emergency: string;
  /** The crisis line at any hour, if one is known for the whole country. */
  crisis: string | null;
}

interface Country {
  /** ISO 3166. */
  codes: readonly string[];
  emergency: string;
  crisis?: string;
  /** Its names in texts. */
  named: RegExp;
  /** The form of its addresses and telephone numbers, if unique to it. */
  written?: RegExp;
}

/** Numbers as of 2026-11, from the national authorities; in the European Union 112 reaches all services. */
const countries: readonly Country[] = [
  {
    codes: ['US', 'CA'],
    emergency: '911',
    crisis: '988',
    named: /\b(?:USA|U\.S\.|United States|Canada)(?!\w)/g,
    written: /\(\d{3}\) ?\d{3}-\d{4}|\b\d{3}-\d{3}-\d{4}\b|\b[A-Z]{2} \d{5}\b|\b(?:call|dial) 911\b/g,
  },
  {
    codes: ['GB'],
    emergency: '999',
    crisis: '116 123',
    named: /\b(?:UK|United Kingdom|England|Scotland|Wales)\b/g,
    written: /\b[A-Z]{1,2}\d{1,2}[A-Z]? \d[A-Z]{2}\b|£\d|\b(?:call|dial|ring) 999\b/g,
  },
  { codes: ['IE'], emergency: '112', crisis: '116 123', named: /\b(?<!Northern )Ireland\b/g },
  {
    codes: ['AU'],
    emergency: '000',
    crisis: '13 11 14',
    named: /\bAustralia\b/g,
    written: /\b(?:NSW|VIC|QLD) \d{4}\b|\b(?:call|dial|ring) (?:000|triple zero)\b/gi,
  },
  { codes: ['NZ'], emergency: '111', crisis: '1737', named: /\bNew Zealand\b/g },
  {
    codes: 'AT BE BG CH CY CZ DE DK EE ES FI FR GR HR HU IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(
      ' ',
    ),
    emergency: '112',
    named:
      /\b(?:Austria|Belgium|Bulgaria|Switzerland|Cyprus|Czechia|Germany|Deutschland|Denmark|Estonia|Spain|Finland|France|Greece|Croatia|Hungary|Iceland|Italy|Lithuania|Luxembourg|Latvia|Malta|Netherlands|Norway|Poland|Portugal|Romania|Sweden|Slovenia|Slovakia)\b/g,
    written: /\b(?:call|dial|ring) 112\b/g,
  },
  { codes: ['IN'], emergency: '112', named: /\bIndia\b/g },
  { codes: ['ZA'], emergency: '112', named: /\bSouth Africa\b/g },
  { codes: ['SG'], emergency: '999', named: /\bSingapore\b/g },
  { codes: ['TR'], emergency: '112', named: /\bT(?:urkey|ürkiye)\b/g },
];

/** A telephone number is stronger evidence than a name: shops deliver abroad. */
const BY_NUMBER = 3;
const BY_WRITING = 2;
/** Texts about travel and delivery name other countries: names count at most this much. */
const MOST_NAMES = 2;
/** Weaker evidence does not count. */
const LEAST = 2;

type Known = Pick<AgentProfile, 'language' | 'companyInfo'>;

/**
 * The emergency numbers at a business's place: by the region of its agent's language ("en-GB"), else by the telephone
 * numbers, addresses and names in its company information.
 * @returns null if that suggests no country, or two equally
 */
export function emergencyNumbersOf(agent: Known): EmergencyNumbers | null {
  const country = countryOf(agent);
  return country && { emergency: country.emergency, crisis: country.crisis ?? null };
}

/** @returns the ISO 3166 code of the country of customers' telephone numbers; null if unknown */
export function dialledFrom(agent: Known): string | null {
  const codes = countryOf(agent)?.codes ?? [];
  const dialled = dialledIn(agent.companyInfo);
  const isOne = new Set(codes.map(dialOf)).size === 1;
  return (
    regionOf(agent) ??
    codes.find((code) => isOne || dialled.some((digits) => digits.startsWith(dialOf(code)))) ??
    null
  );
}

const regionOf = ({ language }: Known) => /-([A-Za-z]{2})\b/.exec(language)?.[1]?.toUpperCase();
const dialledIn = (text: string) => [...text.matchAll(/\+(\d{1,4})/g)].map(([, digits = '']) => digits);
/** The country's calling code. */
const dialOf = (code: string) => (isSupportedCountry(code) ? getCountryCallingCode(code) : code);

function countryOf(agent: Known): Country | null {
  const region = regionOf(agent);
  const ofRegion = countries.find(({ codes }) => codes.some((code) => code === region));
  if (ofRegion) return ofRegion;
  const { companyInfo } = agent;
  const dialled = dialledIn(companyInfo);
  const counted = countries
    .map((country) => {
      const { codes, named, written } = country;
      const dials = codes.map(dialOf);
      const byNumber = dialled.filter((digits) => dials.some((dial) => digits.startsWith(dial))).length;
      const byName = Math.min(MOST_NAMES, countOf(companyInfo, named));
      const byWriting = written ? countOf(companyInfo, written) : 0;
      return { country, points: BY_NUMBER * byNumber + BY_WRITING * byWriting + byName };
    })
    .sort((a, b) => b.points - a.points);
  const [best, next] = counted;
  return best && best.points >= LEAST && best.points > (next?.points ?? 0) ? best.country : null;
}

const countOf = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].length;
