/** A figure or range, and what it counts. */
interface Quantity {
  from: number;
  to: number;
  /** "day", "year", "£" …; '' if not stated. */
  unit: string;
}

const number = '(?<!\\d)\\d+(?:,\\d{3}){0,6}(?:\\.\\d+)?';
const sign = '[$€£]?\\s?';
const unit =
  '(?:business |working |calendar )?(?:minutes?|mins?|hours?|hrs?|days?|nights?|nts?|weeks?|wks?|months?|years?|yrs?|miles?|km|kg|lbs?|people|persons?|adults?|guests?|floors?|%|percent)';
const ranges: [RegExp, (a: number, b: number) => [number, number]][] = [
  [new RegExp(`(${number})\\s*(?:-|–|—|to|and|until)\\s*${sign}(${number})`, 'gi'), (a, b) => [a, b]],
  [
    new RegExp(`(?:more than|over|above|beyond|after|past|exceeding|>)\\s*${sign}(${number})()`, 'gi'),
    (a) => [a + 1e-6, Infinity],
  ],
  [
    new RegExp(`(?:at least|from|minimum(?: of)?|min\\.?|≥)\\s*${sign}(${number})()`, 'gi'),
    (a) => [a, Infinity],
  ],
  [
    new RegExp(
      `(?:less than|under|below|fewer than|within|up to|at most|maximum(?: of)?|max\\.?|<|≤|u)\\s*${sign}(${number})()`,
      'gi',
    ),
    (a) => [0, a],
  ],
  [new RegExp(`(${number})()\\s*(?:and|or|&)\\s*(?:over|above|older|more|up)`, 'gi'), (a) => [a, Infinity]],
  [new RegExp(`(${number})()\\s*(?:and|or|&)\\s*(?:under|below|younger|less|fewer)`, 'gi'), (a) => [0, a]],
];

/** Most figures of a question that are compared. */
const MAX_FIGURES = 20;

const value = (text: string) => Number(text.replaceAll(',', ''));
const unitAfter = new RegExp(`^[\\s-]*(${unit})\\b`, 'i');

const plainUnit = (written: string) =>
  written
    .toLowerCase()
    .replace(/^(?:business|working|calendar) /, '')
    .replace(/^(min|hr|nt|wk|yr|lb)s?$/, (_, short: string) => longUnits[short] ?? short)
    .replace(/s$/, '');
const longUnits: Record<string, string> = {
  min: 'minute',
  hr: 'hour',
  nt: 'night',
  wk: 'week',
  yr: 'year',
  lb: 'pound',
};

/** The figures in a question: "I'm 42", "20 days from now". */
function told(text: string): Quantity[] {
  return [...text.matchAll(new RegExp(`([$€£]?)\\s?(${number})`, 'gi'))].map((match) => {
    const after = text.slice(match.index + match[0].length);
    const figure = value(match[2] ?? '');
    return { from: figure, to: figure, unit: match[1] || plainUnit(unitAfter.exec(after)?.[1] ?? '') };
  });
}

function rangesIn(text: string): Quantity[] {
  return ranges.flatMap(([pattern, bounds]) =>
    [...text.matchAll(pattern)].map((match) => {
      const [from, to] = bounds(value(match[1] ?? ''), value(match[2] ?? ''));
      const after = text.slice(match.index + match[0].length);
      const money = /[$€£]/.exec(text.slice(Math.max(0, match.index - 1), match.index) + match[0])?.[0];
      return { from, to, unit: money ?? plainUnit(unitAfter.exec(after)?.[1] ?? '') };
    }),
  );
}

/**
 * Whether a figure in the question lies in a range in the statement, if both count the same or do not say
 * what: "I'm 42" and "Age 40 to 44", "20 days before" and "14–28 days".
 */
export function quantitiesMeet(question: string, statement: string): boolean {
  const figures = told(question).slice(0, MAX_FIGURES);
  if (figures.length === 0) return false;
  return rangesIn(statement).some(({ from, to, unit: counted }) =>
    figures.some(
      (figure) =>
        figure.from >= from &&
        figure.from <= to &&
        (figure.unit === counted || figure.unit === '' || counted === ''),
    ),
  );
}
