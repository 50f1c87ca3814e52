import type { AskedValue } from '../../messages.ts';
import { contactIn } from './contact.ts';
import { dateIn } from './dates-in.ts';
import { numberOf, numberWords } from './spoken-numbers.ts';

const word = `(?:${numberWords.join('|')})`;
const figures = '(?<![\\w.,$£€])\\d+(?![\\w%]|[.,]\\d)';
const token = new RegExp(`\\b${word}\\b|${figures}|(?<=\\b${word},? )and(?= ${word}\\b)`, 'gi');

/** Digits needed for a number that was not asked for: excludes "two lamps" and "3 weeks". */
const MIN_UNASKED = 3;
/** Most candidates: each is compared with what the business expects. */
const MAX_VALUES = 20;

/**
 * Values in a message for an input, most likely first: digits and letters as people write, say and spell
 * them.
 */
export function valuesIn(message: string, { type, isAsked, today }: AskedValue): string[] {
  const text = message.replaceAll('’', "'").trim();
  switch (type) {
    case 'digits':
      return numbersIn(text)
        .filter((number) => isAsked || number.length >= MIN_UNASKED)
        .slice(0, MAX_VALUES);
    case 'email':
      return [contactIn(text, null).email].filter((found) => found !== undefined);
    case 'phone': {
      const { phone } = contactIn(text, 'phone');
      return phone ? [phone] : [];
    }
    case 'date': {
      const date = dateIn(text, today);
      return date ? [date] : [];
    }
    case 'text':
      return [...codesIn(text).slice(0, MAX_VALUES), ...(isAsked ? [plainAnswer(text)] : [])].filter(Boolean);
  }
}

/** Numbers as digits: written, said digit by digit, in pairs, or as one number. */
function numbersIn(text: string): string[] {
  const runs: string[][] = [];
  let end = -1;
  for (const { 0: said, index } of text.matchAll(token)) {
    const isNext = end >= 0 && /^[\s,-]*$/.test(text.slice(end, index));
    if (isNext) runs.at(-1)?.push(said.toLowerCase());
    else runs.push([said.toLowerCase()]);
    end = index + said.length;
  }
  return runs.flatMap((run) => {
    // "One moment": more often an article than a number.
    if (run.join() === 'one' && /\w\W+\w/.test(text)) return [];
    const whole = numberOf(run);
    const written = run.filter((each) => /^\d{2,}$/.test(each));
    return [whole, ...written.filter((each) => each !== whole)].filter(Boolean);
  });
}

/** Tokens of letters and digits, and spelled codes: "A B one two". */
function codesIn(text: string): string[] {
  const written = text.match(/(?<![\w@.-])(?=[\w-]*\d)[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*(?![\w@]|\.\w)/g) ?? [];
  const spelled = new RegExp(
    `(?<![\\w'])(?:(?:[a-z]|\\d+|${word})(?:[\\s,.-]+(?=(?:[a-z]|\\d+|${word})\\b)|(?![\\w']))){2,}`,
    'gi',
  );
  const joined = [...text.matchAll(spelled)].map(([said]) =>
    said
      .split(/[\s,.-]+/)
      .filter(Boolean)
      .map((each) => (/^(?:[a-z]|\d+)$/i.test(each) ? each.toUpperCase() : numberOf([each.toLowerCase()])))
      .join(''),
  );
  return [...joined, ...written];
}

/** An answer without its introductory words. */
function plainAnswer(text: string): string {
  return text
    .replace(
      /^(?:(?:um+|uh+|er+|well|oh|so|yes|yeah|sure|ok(?:ay)?)[,.]?\s+)*(?:(?:it(?:'s| is| was)|that(?:'s| is| would be)|this is|my [\w-]+(?: [\w-]+)? is|the [\w-]+(?: [\w-]+)? is|because)\s+)?/i,
      '',
    )
    .replace(/(?<![\s.!,])[\s.!,]+$/, '');
}
