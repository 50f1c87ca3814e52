import { DAYS, MONTHS } from '../calendar.ts';
import { cardinal, ordinal, year } from './number-words.ts';

const MONTH =
  '(Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)';
const DAY = String.raw`(\d{1,2})(?:st|nd|rd|th)?`;
const YEAR = String.raw`((?:19|20)\d{2})`;
const DASH = ' ?(?:[-–—]|to|through|until) ?';

const fullMonth = (name: string) => MONTHS.find((month) => month.startsWith(name.slice(0, 3))) ?? name;
const isDay = (day: number) => day >= 1 && day <= 31;

const ISO = new RegExp(
  String.raw`\b${YEAR}-(\d{2})-(\d{2})(?:T(\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?(?![\w-])`,
  'g',
);
const NUMERIC = /(?<![\w/.-])(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})(?![\w/])/g;
const NUMERIC_SHORT =
  /\b(on|by|before|after|until|since|from|dated|due|starting|through|(?:mon|tues|wednes|thurs|fri|satur|sun)day,?) (\d{1,2})\/(\d{1,2})(?![\w/%])/gi;
const MONTH_DAY = new RegExp(
  String.raw`\b${MONTH}\.? ${DAY}(?:${DASH}(?:${MONTH}\.? )?${DAY})?(?:,? ${YEAR})?(?![\w:/]|-\d)`,
  'g',
);
const DAY_MONTH = new RegExp(
  String.raw`(?<![\w/.:-])(?:the )?${DAY}(?:${DASH}${DAY})?(?: of)? ${MONTH}\b\.?(?:,? ${YEAR})?`,
  'g',
);
const MONTH_YEAR = new RegExp(String.raw`\b${MONTH}\.?,? ${YEAR}(?![\w%])`, 'g');
const PLAIN_YEAR =
  /\b(in|since|until|till|of|year|years|from|early|late|mid|spring|summer|autumn|fall|winter|quarter|Q[1-4]|copyright|by|before|after|between)([ -])((?:19|20)\d{2})(?:( ?[-–—] ?| to | and | or )((?:19|20)\d{2}))?(?![\w%:/]|[.,]\d| (?:units|points|items|orders|people|customers|pieces|miles|dollars|euros|pounds))/gi;
const QUARTER_YEAR = new RegExp(String.raw`\bQ([1-4])(?: of)? ${YEAR}(?!\w)`, 'g');
const DOTTED_DATE = /(?<![\w.])(\d{1,2})\.(\d{1,2})\.((?:19|20)\d{2})(?![\w])/g;
const DASHED_DATE = /(?<![\w-])(\d{1,2})-(\d{1,2})-((?:19|20)\d{2})(?![\w-])/g;
const OLD_YEAR = /\b(since|established|founded in|built in|dating from|circa) (1[5-9]\d{2})(?![\w,.]\d|\w)/gi;
const YEAR_RANGE = /(?<![\w$£€.,/-])((?:19|20)\d{2}) ?[-–—] ?((?:19|20)\d{2})(?![\w%/-]|[.,]\d)/g;
/** Four digits that are most likely a year. */
const LIKELY_YEAR =
  /(?<![\w$£€#.,:/-]|[$£€#] )(19[5-9]\d|20[1-3]\d)(?![\w%:/-]|[.,]\d| (?:units|points|items|orders|people|customers|pieces|miles|dollars|euros|pounds|words|characters|kg|km|GB|MB))/g;
/** Short month names that are not other words, where the context shows a date. */
const SHORT_MONTH =
  /(?<=\b(?:in|from|until|till|by|since|every|each|during|early|late|mid|end of|start of|to|and) )(Jan|Feb|Mar|Apr|Aug|Sept?|Oct|Nov|Dec)\b(?!\.)/g;
const TO_MONTH = new RegExp(
  String.raw`\b${MONTH}(\b\.?(?:,? ${YEAR})?) ?[-–—] ?(?=(?:${DAY} (?:of )?)?${MONTH}\b)`,
  'g',
);
const MONTH_RANGE = new RegExp(String.raw`\b${MONTH}\b\.? to ${MONTH}\b(?! \d)`, 'g');
const QUARTER = /\bQ([1-4])(?=\W|$)/g;
const DECADE = /(?<![\w$£€.])(?:'|(19|20))?(\d)0s\b/g;

/**
 * Reads dates: "2026-11-20" → "November twentieth, twenty twenty-six". Three numbers are read as in the US.
 */
export function sayDates(text: string): string {
  return text
    .replace(TO_MONTH, '$1$2 to ')
    .replace(ISO, (whole, y: string, m: string, d: string, time?: string) => {
      const date = monthDayYear(Number(m), Number(d), y);
      return date ? date + (time ? ` at ${time}` : '') : whole;
    })
    .replace(DOTTED_DATE, (whole, day: string, month: string, y: string) => {
      return monthDayYear(Number(month), Number(day), y) ?? whole;
    })
    .replace(DASHED_DATE, (whole, first: string, second: string, y: string) => {
      return (
        monthDayYear(Number(first), Number(second), y) ??
        monthDayYear(Number(second), Number(first), y) ??
        whole
      );
    })
    .replace(QUARTER_YEAR, (_, quarter: string, y: string) => {
      return `the ${ordinal(Number(quarter))} quarter of ${year(Number(y))}`;
    })
    .replace(NUMERIC, (whole, first: string, second: string, y: string) => {
      const full = y.length === 4 ? y : String(Number(y) + (Number(y) < 70 ? 2000 : 1900));
      return (
        monthDayYear(Number(first), Number(second), full) ??
        monthDayYear(Number(second), Number(first), full) ??
        whole
      );
    })
    .replace(NUMERIC_SHORT, (whole, before: string, first: string, second: string) => {
      const date = monthDayYear(Number(first), Number(second)) ?? monthDayYear(Number(second), Number(first));
      return date ? `${before} ${date}` : whole;
    })
    .replace(MONTH_DAY, (whole, month: string, day: string, toMonth?: string, toDay?: string, y?: string) => {
      if (!isDay(Number(day)) || (toDay && !isDay(Number(toDay)))) return whole;
      const to = toDay ? ` to ${toMonth ? `${fullMonth(toMonth)} ` : ''}${ordinal(Number(toDay))}` : '';
      return `${fullMonth(month)} ${ordinal(Number(day))}${to}${sayYear(y)}`;
    })
    .replace(DAY_MONTH, (whole, day: string, toDay: string | undefined, month: string, y?: string) => {
      if (!isDay(Number(day)) || (toDay && !isDay(Number(toDay)))) return whole;
      const to = toDay ? ` to the ${ordinal(Number(toDay))}` : '';
      return `the ${ordinal(Number(day))}${to} of ${fullMonth(month)}${sayYear(y)}`;
    })
    .replace(MONTH_YEAR, (_, month: string, y: string) => `${fullMonth(month)} ${year(Number(y))}`)
    .replace(MONTH_RANGE, (_, from: string, to: string) => `${fullMonth(from)} to ${fullMonth(to)}`)
    .replace(SHORT_MONTH, fullMonth)
    .replace(OLD_YEAR, (_, before: string, y: string) => `${before} ${year(Number(y))}`)
    .replace(YEAR_RANGE, (_, from: string, to: string) => `${year(Number(from))} to ${year(Number(to))}`)
    .replace(PLAIN_YEAR, (_, before: string, gap: string, y: string, dash?: string, toYear?: string) => {
      const joint = dash?.trim().match(/^[-–—]$/) ? ' to ' : dash;
      return `${before}${gap}${year(Number(y))}${toYear ? `${joint}${year(Number(toYear))}` : ''}`;
    })
    .replace(LIKELY_YEAR, (y) => year(Number(y)))
    .replace(QUARTER, (_, quarter: string) => `the ${ordinal(Number(quarter))} quarter`)
    .replace(DECADE, (_, century: string | undefined, decade: string) => {
      const tens =
        decade === '0'
          ? 'hundreds'
          : decade === '1'
            ? 'tens'
            : `${cardinal(Number(decade) * 10).slice(0, -1)}ies`;
      if (century === '20' && decade === '0') return 'two thousands';
      return century ? `${cardinal(Number(century))} ${tens}` : tens;
    });
}

const sayYear = (y: string | undefined) => (y ? `, ${year(Number(y))}` : '');

function monthDayYear(month: number, day: number, y?: string): string | null {
  const name = MONTHS[month - 1];
  return name && isDay(day) ? `${name} ${ordinal(day)}${sayYear(y)}` : null;
}

const WEEKDAY = '(Mon|Tues?|Weds?|Thu(?:rs?)?|Fri|Sat|Sun)';
const LONG_WEEKDAY = '(Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)';
const WEEKDAY_RANGE = new RegExp(String.raw`\b${WEEKDAY}\.? ?[-–—] ?${WEEKDAY}\b\.?(:)?`, 'gi');
const LOUD_WEEKDAY =
  /\b(MON|TUES?|WEDS?|THU(?:RS?)?|FRI|SAT|SUN)\b(?=:|\.? \d{1,2}(?:[.:]\d\d)?(?: ?[-–—]| ?[AaPp]\.?[Mm]))/g;
const WEEKDAYS_BY_SLASH = new RegExp(
  String.raw`(?<![\w–—-]|[–—-] )${WEEKDAY}(?:\/${WEEKDAY})+\b(?! ?[–—-])`,
  'g',
);
const LONG_WEEKDAY_RANGE = new RegExp(String.raw`\b${LONG_WEEKDAY}(s?) ?[-–—] ?${LONG_WEEKDAY}`, 'g');
const WEEKDAY_LIST = new RegExp(String.raw`\b${WEEKDAY}\.?(,| &| and| or) ?${WEEKDAY}\b\.?`, 'g');
const WEEKDAY_BEFORE_NUMBER = new RegExp(
  String.raw`\b${WEEKDAY}\b\.?(,?:? )(?=\d|${MONTH}\b|closed|from|until|by app)`,
  'g',
);
const CLEAR_WEEKDAY = /\b(Mon|Tues?|Weds|Thu|Thurs?|Fri)\b\.?(?! [a-z]+ (?:is|was)\b)/g;

const fullDay = (name: string) =>
  DAYS.find((day) => day.toLowerCase().startsWith(name.slice(0, 3).toLowerCase())) ?? name;

/**
 * "Mon–Fri" → "Monday to Friday". "Sat" and "Sun" are also ordinary words, so they need a neighbouring
 * weekday.
 */
export function sayWeekdays(text: string): string {
  return text
    .replace(WEEKDAYS_BY_SLASH, (days) => days.split('/').map(fullDay).join(', '))
    .replace(
      WEEKDAY_RANGE,
      (_, from: string, to: string, colon?: string) =>
        `${fullDay(from)} to ${fullDay(to)}${colon ? ',' : ''}`,
    )
    .replace(LOUD_WEEKDAY, fullDay)
    .replace(LONG_WEEKDAY_RANGE, (_, from: string, plural: string, to: string) => `${from}${plural} to ${to}`)
    .replace(WEEKDAY_LIST, (_, first: string, joint: string, second: string) => {
      return `${fullDay(first)}${joint === ' &' ? ' and' : joint} ${fullDay(second)}`;
    })
    .replace(
      WEEKDAY_BEFORE_NUMBER,
      (_, day: string, gap: string) => `${fullDay(day)}${gap.replace(':', ',')}`,
    )
    .replace(CLEAR_WEEKDAY, (_, day: string) => fullDay(day));
}
