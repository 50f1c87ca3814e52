import { listOf } from '../document-words.ts';
import type { SentenceMarks } from '../sentences.ts';

/** Common abbreviations, and whether a sentence can end after them. */
export const sentenceMarks: SentenceMarks = {
  neverEnd: listOf(`
    p.o|u.s|u.k|u.s.a|e.u|e.g|i.e|eg|ie|vs|viz|cf|mr|mrs|ms|dr|prof|rev|hon|st|ste|mt|ft|ave|blvd|rd|sr|jr|
    fig|figs|vol|pp|art|arts|abt|ca|nr|nos|opp|betw|esp|tel|ph|fax|str|ref|chem|gen|col|sgt|capt|lt|cpl
  `),
  mayEnd: listOf(`
    etc|incl|excl|exc|inc|ltd|co|corp|plc|llc|a.m|p.m|am|pm|ph.d|min|mins|max|hr|hrs|sec|secs|wk|wks|yr|yrs|
    mth|mths|approx|appt|appts|dept|est|ext|no|mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun|
    jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec
  `),
  beforeFigures: ['no'],
  months: listOf('jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec'),
};

const ENDS_SENTENCE = String.raw`(?=\s+\p{Lu}|\s*$)`;

/** Abbreviations with a dot, and some without; longer ones before those they begin with. */
const ABBREVIATIONS: readonly [RegExp, string][] = [
  [/\bMr\b\.?(?= ?\p{Lu})/gu, 'Mister'],
  [/\bMrs\b\.?(?= ?\p{Lu})/gu, 'Missus'],
  [/\bMs\b\.?(?= ?\p{Lu})/gu, 'Miz'],
  [/\bMx\b\.?(?= ?\p{Lu})/gu, 'Mix'],
  [/(?<=\b\p{Lu}\p{Ll}+ )Dr\b\.?(?=,|;|$|\s*\n)/gu, 'Drive'],
  [/\bDr\b\.?(?= ?\p{Lu})/gu, 'Doctor'],
  [/\bProf\b\.?(?= ?\p{Lu})/gu, 'Professor'],
  [/(?<=\p{L} |, )Jr\b\.?/gu, 'Junior'],
  [/(?<=\p{L} |, )Sr\b\.?(?! ?\p{Lu})/gu, 'Senior'],
  [/(?<=\b(?:\p{Lu}\p{Ll}+|\d+(?:st|nd|rd|th)) )St\b\.?(?=,|;|$| (?!\p{Lu}\p{Ll})|[.!?])/gu, 'Street'],
  [/\bSt\b\.? (?=\p{Lu}\p{Ll})/gu, 'Saint '],
  [/(?<=\p{L} )Ave\b\.?/gu, 'Avenue'],
  [/(?<=\p{L} )Rd\b\.?/gu, 'Road'],
  [/(?<=\p{L} )Blvd\b\.?/gu, 'Boulevard'],
  [/\bApt\b\.?(?= ?#?[\dA-Z])/g, 'apartment'],
  [/\bP\.?O\. ?Box\b|\bPO Box\b/g, 'P O Box'],
  [new RegExp(String.raw`\bInc\.${ENDS_SENTENCE}`, 'gu'), 'Incorporated.'],
  [/\bInc\b\.?/g, 'Incorporated'],
  [new RegExp(String.raw`\bLtd\.${ENDS_SENTENCE}`, 'gu'), 'Limited.'],
  [/\bLtd\b\.?/g, 'Limited'],
  [new RegExp(String.raw`\bCo\.${ENDS_SENTENCE}`, 'gu'), 'Company.'],
  [/\bCo\./g, 'Company'],
  [/\bCorp\b\.?/g, 'Corporation'],
  [/\b[Dd]ept\b\.?/g, 'department'],
  [/\b[Aa]pprox\b\.?/g, 'approximately'],
  [/\b[Ee]st\. ?(?=\d)/g, 'established '],
  [/\bInc\b\.?(?= VAT\b)|\b[Ii]ncl\b\.?|\binc\b\.?(?= ?[\w£$€])/g, 'including'],
  [/\b[Ee]xcl\b\.?|\bexc\b\.?(?= ?[\w£$€])/g, 'excluding'],
  [/\b[Aa]bt\b\.? ?(?=[\d£$€])/g, 'about '],
  [/(?<![\w.])ca?\. ?(?=1[5-9]\d\d\b)/g, 'circa '],
  [/(?<![\w.])ca?\. ?(?=[£$€]\d|\d{2})/g, 'about '],
  [/\bnr\b\.? (?=the\b|our\b|an?\b|\p{Lu}\p{Ll})/gu, 'near '],
  [/\b([Aa])ppt(s?)\b\.?/g, '$1ppointment$2'],
  [
    /\b([Mm])(ax|in)\b\.? (?=(?:age|booking|charge|deposit|height|hire|length|notice|of|order|purchase|spend|stay|term|weight)\b)/g,
    '$1$2imum ',
  ],
  [/\b[Mm]ax\b\.? (?=\d)/g, 'maximum '],
  [/\b[Mm]in\b\.? (?=\d)/g, 'minimum '],
  [/\b[Mm]ax\./g, 'maximum'],
  [/(?<!\d ?)\b[Mm]in\.(?= [a-z])/g, 'minimum'],
  [/\b[Qq]ty\b\.?/g, 'quantity'],
  [/\b[Tt]el\b[.:]*(?= ?[\d+(])/g, 'telephone'],
  [/\b[Aa]cct\b\.?/g, 'account'],
  [/\b[Ii]nfo\./g, 'info.'],
  [/(?<![\w.])(?:e\.?g\.|E\.g\.|eg(?=[,:]? ))[,:]?/g, 'for example,'],
  [/(?<![\w.])(?:i\.?e\.|I\.e\.|ie(?=[,:]? ))[,:]?/g, 'that is,'],
  [new RegExp(String.raw`(?:, )?\betc\.${ENDS_SENTENCE}`, 'gu'), ', et cetera.'],
  [/(?:, )?\betc\b\.?/g, ', et cetera'],
  [/\bvs?\.(?= )|\bvs\b/g, 'versus'],
  [/\bw\/(?:o|out)\b/g, 'without'],
  [/\b([Ww])\/(end|day)(s?)\b/g, '$1eek$2$3'],
  [/\bw\/ (?=\w)|\bw\/(?=\p{L}{3})|(?<=[\p{L})] )w\. (?=\p{Ll}{3})/gu, 'with '],
  [/\bc\/o\b/g, 'care of'],
  [/\b[nN]\/[aA]\b/g, 'not applicable'],
  [/\ba\.?k\.?a\b\.?/gi, 'also known as'],
  [/\b(?:ASAP|asap)\b/g, 'as soon as possible'],
  [/\bT&Cs?\b/g, 'terms and conditions'],
  [/\bP\.?S\.(?= )/g, 'P S,'],
  [/\bOK\b/g, 'okay'],
  [/\bre:(?= )/gi, 'regarding'],
  [/§§ ?(?=\d)/g, 'sections '],
  [/§ ?(?=\d)/g, 'section '],
  [/\bno\.(?= of\b)/gi, 'number'],
  [/\bNos\b\.? ?(?=\d)/g, 'numbers '],
  [/\b[Rr]eg\b\.? (?=[Nn]o\b)/g, 'registration '],
  [
    /(?<=\b(?:account|charity|company|item|order|phone|policy|ref|reference|registration|room|route|VAT) )no\b\.? ?(?=[A-Z]{0,2} ?\d)/gi,
    'number ',
  ],
];

/** "Mr." → "Mister", "e.g." → "for example". */
export const sayAbbreviations = (text: string) =>
  ABBREVIATIONS.reduce((result, [pattern, words]) => result.replace(pattern, words), text);
