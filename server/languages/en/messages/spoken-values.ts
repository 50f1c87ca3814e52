import type { AskedValue } from '../../messages.ts';
import { contactIn } from './contact.ts';
import { dateIn } from './dates-in.ts';

const units = 'zero one two three four five six seven eight nine'.split(' ');
const teens = 'ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ');
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const scales: Readonly<Record<string, number>> = { hundred: 100, thousand: 1_000 };
const word = `(?:${[...units, ...teens, ...tens, ...Object.keys(scales), 'oh', 'nought', 'double', 'triple'].join('|')})`;
const figures = '(?<![\\w.,$£€])\\d+(?![\\w%]|[.,]\\d)';
const token = new RegExp(`\\b${word}\\b|${figures}|(?<=\\b${word},? )and(?= ${word}\\b)`, 'gi');

/** A number that nobody asked for is one from so many figures on: "two lamps" and "3 weeks" are none. */
const MIN_UNASKED = 3;

/** What a message says for an input, the likeliest first: digits and letters as people write, say and spell them. */
export function valuesIn(message: string, { type, isAsked, today }: AskedValue): string[] {
  const text = message.replaceAll('’', "'").trim();
  switch (type) {
    case 'digits':
      return numbersIn(text).filter((number) => isAsked || number.length >= MIN_UNASKED);
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
      return [...codesIn(text), ...(isAsked ? [plainAnswer(text)] : [])].filter(Boolean);
  }
}

/** Numbers as figures: written, said figure by figure, in pairs, or as one number. */
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
    // "One moment": an article more often than a number.
    if (run.join() === 'one' && /\w\W+\w/.test(text)) return [];
    const whole = numberOf(run);
    const written = run.filter((each) => /^\d{2,}$/.test(each));
    return [whole, ...written.filter((each) => each !== whole)].filter(Boolean);
  });
}

function numberOf(run: readonly string[]): string {
  if (run.some((said) => said in scales)) return String(cardinalOf(run));
  let number = '';
  let times = 1;
  for (const [place, said] of run.entries()) {
    if (said === 'and') continue;
    if (said === 'double' || said === 'triple') {
      times = said === 'double' ? 2 : 3;
      continue;
    }
    const next = units.indexOf(run[place + 1] ?? '');
    const ten = tens.indexOf(said);
    // "Forty-four": the unit comes next and stands in for the nought.
    const figure = ten >= 0 ? String(ten + 2) + (next > 0 ? '' : '0') : figureOf(said);
    number += figure.repeat(times);
    times = 1;
  }
  return number;
}

const figureOf = (said: string) => {
  if (/^\d+$/.test(said)) return said;
  if (said === 'oh' || said === 'nought') return '0';
  const teen = teens.indexOf(said);
  return teen >= 0 ? String(teen + 10) : String(units.indexOf(said));
};

/** "Four thousand four hundred and seventy-one". */
function cardinalOf(run: readonly string[]): number {
  let total = 0;
  let group = 0;
  for (const said of run) {
    const scale = scales[said];
    if (said === 'and') continue;
    if (scale === 1_000) {
      total += (group || 1) * scale;
      group = 0;
    } else if (scale) group = (group || 1) * scale;
    else {
      const ten = tens.indexOf(said);
      group += ten >= 0 ? (ten + 2) * 10 : Number(figureOf(said));
    }
  }
  return total + group;
}

/** Tokens that mix letters and figures, and what was spelled: "A B one two". */
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

/** What is left of an answer without the words it is introduced with. */
function plainAnswer(text: string): string {
  return text
    .replace(
      /^(?:(?:um+|uh+|er+|well|oh|so|yes|yeah|sure|ok(?:ay)?)[,.]?\s+)*(?:(?:it(?:'s| is| was)|that(?:'s| is| would be)|this is|my [\w-]+(?: [\w-]+)? is|the [\w-]+(?: [\w-]+)? is|because)\s+)?/i,
      '',
    )
    .replace(/[\s.!,]+$/, '');
}
