import type { WritingHint } from '#shared/agents';
import { quoted, type ReadStatement } from './statements.ts';

/** Words that both must have. */
const MIN_SHARED = 2;
/** Share of their words, if one denies the other. */
const SAME_WORDS = 0.75;
/** Statements that are compared, each with each. */
const MAX_STATEMENTS = 800;
/** Figures compared per statement: more of them are a list. */
const MAX_FIGURES = 20;
/** Pairs whose meaning is read. */
const MAX_PAIRS = 100;

/** Two statements that seem to contradict each other, by their words. */
export interface Contradiction {
  statements: readonly [string, string];
  /** Words of the shorter that the other one lacks. */
  own: number;
  /** The hint for the writer if they have the same topic. */
  hint: WritingHint;
}

interface Pair {
  one: ReadStatement;
  other: ReadStatement;
  own: number;
}

/**
 * Pairs of contradicting statements: other figures of one kind, or a denial. Words choose the pairs, meaning decides
 * (`about-one-thing.ts`). Within one passage, differences distinguish cases and are intended.
 */
export function contradictionsIn(statements: readonly ReadStatement[]): Contradiction[] {
  const compared = statements
    .filter(({ figures, terms }) => terms.size >= MIN_SHARED && figures.length > 0)
    .concat(statements.filter(({ figures, terms }) => terms.size >= MIN_SHARED && figures.length === 0))
    .slice(0, MAX_STATEMENTS)
    .map((statement) => ({ ...statement, figures: statement.figures.slice(0, MAX_FIGURES) }));
  const found: Contradiction[] = [];
  for (const [row, one] of compared.entries())
    for (const other of compared.slice(row + 1)) {
      const pair = differing(one, other);
      if (pair) found.push(contradictionOf(pair));
      if (found.length === MAX_PAIRS) return found;
    }
  return found;
}

const contradictionOf = ({ one, other, own }: Pair): Contradiction => ({
  statements: [one.statement.told, other.statement.told],
  own,
  hint: {
    kind: 'contradiction',
    text: one.figures.length > 0 ? [one, other].map(figuresOf).join(' / ') : '',
    passages: [one, other].map(quoted),
  },
});

const figuresOf = ({ figures }: ReadStatement) => figures.map(({ value }) => value).join(', ');

function differing(one: ReadStatement, other: ReadStatement): Pair | null {
  if (one.passage === other.passage) return null;
  // A table distinguishes cases, in whatever pieces it was read.
  if (one.statement.kind === 'row' && other.statement.kind === 'row') return null;
  const [shorter, longer] = one.terms.size <= other.terms.size ? [one, other] : [other, one];
  let shared = 0;
  let own = 0;
  for (const term of shorter.terms) {
    if (longer.terms.has(term)) shared++;
    else if (!longer.context.has(term)) {
      // A number without a unit is a name: "Polar 100".
      if (/\d/.test(term)) return null;
      own++;
    }
  }
  if (shared < MIN_SHARED || own > 1) return null;
  if (one.figures.length > 0 && other.figures.length > 0)
    return haveOtherFigures(one, other) ? { one, other, own } : null;
  if (one.figures.length + other.figures.length > 0 || one.isConditional || other.isConditional) return null;
  const isSame = own === 0 && shared / longer.terms.size >= SAME_WORDS;
  return isSame && one.isDenial !== other.isDenial ? { one, other, own } : null;
}

/** They count the same, and share no figure. */
function haveOtherFigures(one: ReadStatement, other: ReadStatement): boolean {
  let areAlike = false;
  for (const { unit, value } of one.figures)
    for (const figure of other.figures) {
      if (figure.unit !== unit) continue;
      if (figure.value === value) return false;
      areAlike = true;
    }
  return areAlike;
}
