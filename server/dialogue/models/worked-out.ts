import type { Figure } from '#server/languages/claims';
import { meets } from './sources.ts';

/** Figures used in calculations: with more, almost any number would be reachable by chance. */
const MOST = 12;
/** Factors in words: "half of", "twice". */
const PLAIN = [2, 3, 4, 0.5].map((value) => ({ value, unit: null }));
/** Common knowledge: a year has twelve months. */
const IN_OTHER_UNITS: readonly [from: string, to: string, times: number][] = [
  ['year', 'month', 12],
  ['year', 'day', 365],
  ['year', 'week', 52],
  ['month', 'day', 30],
  ['week', 'day', 7],
  ['day', 'hour', 24],
  ['hour', 'minute', 60],
];
const HALF_DAY = 12;

const MONEY = new Set(['dollar', 'euro', 'pound', 'cent']);

interface Amount {
  value: number;
  unit: string | null;
}

/**
 * Whether a figure follows from others in one or two steps: a sum or a difference, a half, a percentage, or a multiple
 * by a number of the customer or the sentence.
 * @param from figures to calculate with, the nearest first
 * @param times known counts
 */
export function isWorkedOut(figure: Figure, from: readonly Figure[], times: readonly Figure[]): boolean {
  const areBare = from.every(({ unit }) => unit === null);
  // Opening hours and lists are full of bare numbers, from which anything could be calculated.
  const known = inOtherUnits(amountsOf(from.filter(({ unit }) => unit !== null || areBare)));
  const counts = distinct([
    ...amountsOf(times.filter(({ unit }) => unit === null || !MONEY.has(unit))),
    ...hoursBetween(times),
    ...PLAIN,
  ]);
  const isIt = ({ value, unit }: Amount) =>
    meets({ value: plainValue(value), unit }, { ...figure, value: plainValue(Number(figure.value)) });
  const multiplied = distinct(products(known, counts));
  const shared = distinct(shares(known));
  const added = distinct(sums(known, known));
  const once = [
    ...known,
    ...EVERYWHERE,
    ...hoursBetween([...times, ...from]),
    ...multiplied,
    ...shared,
    ...added,
  ];
  const calculated = [...multiplied, ...shared];
  return (
    once.some(isIt) ||
    isSum(figure, calculated, [...known, ...calculated]) ||
    isSum(figure, added, known) ||
    products([...added, ...shared], counts).some(isIt) ||
    shares([...added, ...multiplied]).some(isIt)
  );

  function shares(amounts: readonly Amount[]): Amount[] {
    const percents = known.filter(({ unit }) => unit === 'percent').map(({ value }) => value / 100);
    return amounts.flatMap(({ value, unit }) =>
      unit === 'percent'
        ? []
        : percents.flatMap((percent) =>
            [percent, 1 - percent, 1 + percent].map((share) => ({ value: value * share, unit })),
          ),
    );
  }
}

/**
 * Whether a figure is the sum or the difference of one amount of each side. Looks up the difference to each amount,
 * since thousands on either side have millions of sums.
 */
function isSum(figure: Figure, left: readonly Amount[], right: readonly Amount[]): boolean {
  const others = new Set(right.map(keyOf));
  const wanted = Number(figure.value);
  return left.some(
    ({ value, unit }) =>
      (unit === figure.unit || unit === null || figure.unit === null) &&
      [wanted - value, value - wanted, wanted + value].some(
        (missing) => missing > 0 && others.has(keyOf({ value: missing, unit })),
      ),
  );
}

const products = (amounts: readonly Amount[], counts: readonly Amount[]): Amount[] =>
  amounts.flatMap(({ value, unit }) =>
    counts.flatMap((count) =>
      count.value === 0 || unit === 'percent'
        ? []
        : [
            { value: value * count.value, unit },
            { value: value / count.value, unit },
          ],
    ),
  );

/** "From eight till five" are nine hours. */
function hoursBetween(figures: readonly Figure[]): Amount[] {
  const times = figures
    .filter(
      ({ value, unit }) => (unit === null || unit === 'am' || unit === 'pm') && Number(value) <= 2 * HALF_DAY,
    )
    .map(({ value }) => Number(value))
    .slice(0, MOST);
  return distinct(
    times.flatMap((from) =>
      times
        .filter((to) => to !== from)
        .flatMap((to) => [
          { value: (to - from + HALF_DAY) % HALF_DAY, unit: 'hour' },
          { value: Math.abs(to - from), unit: 'hour' },
        ]),
    ),
  );
}

const inOtherUnits = (amounts: readonly Amount[]): Amount[] =>
  amounts.flatMap((amount) => [
    amount,
    ...IN_OTHER_UNITS.flatMap(([from, to, times]) =>
      amount.unit === from ? [{ value: amount.value * times, unit: to }] : [],
    ),
  ]);

/** "Twelve months" need no evidence. */
const EVERYWHERE: readonly Amount[] = inOtherUnits(
  ['year', 'month', 'week', 'day', 'hour'].map((unit) => ({ value: 1, unit })),
);

const sums = (left: readonly Amount[], right: readonly Amount[]): Amount[] =>
  left.flatMap((a) =>
    right.flatMap((b) =>
      a.unit === b.unit
        ? [
            { value: a.value + b.value, unit: a.unit },
            { value: Math.abs(a.value - b.value), unit: a.unit },
          ]
        : [],
    ),
  );

const keyOf = ({ value, unit }: Amount) => `${plainValue(value)} ${unit}`;

const distinct = (amounts: readonly Amount[]): Amount[] => [
  ...new Map(amounts.map((amount) => [keyOf(amount), amount])).values(),
];

const amountsOf = (figures: readonly Figure[]): Amount[] =>
  [
    ...new Map(
      figures.map(({ value, unit }) => [`${value} ${unit}`, { value: Number(value), unit }]),
    ).values(),
  ].slice(0, MOST);

/** As figures are written: two decimals at most. */
const plainValue = (value: number) => String(Math.round(value * 100) / 100);
