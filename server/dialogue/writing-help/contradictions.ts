import { setImmediate as breathe } from 'node:timers/promises';
import type { ReadingEngine } from '#server/engines/reading/contract';
import { dot } from '../likeness.ts';
import type { ReadStatement } from './statements.ts';

/** Cosine from which two statements are about the same, where one says nothing of its own beside its figures. */
const ALIKE = 0.7;
/** The same where one word is its own: Saturdays are no Mondays, and a fee is what something costs. */
const VERY_ALIKE = 0.88;
/** Words that both must have. */
const MIN_SHARED = 2;
/** Of their words, for one that denies what the other says. */
const SAME_WORDS = 0.75;
/** Statements that are compared, each with each. */
const MAX_STATEMENTS = 800;
/** Rows of comparisons after which others get their turn. */
const ROWS_AT_ONCE = 25;
/** Pairs whose meaning is read. */
const MAX_PAIRS = 100;

interface Pair {
  one: ReadStatement;
  other: ReadStatement;
  /** Words of the shorter that the other one lacks. */
  own: number;
}

/**
 * Pairs of statements that say something else of the same thing: other figures of one kind, or that it is not so. Words choose
 * who is compared, meaning decides. Within one passage things are told apart, and what differs there is meant to.
 */
export async function contradictionsIn(
  statements: readonly ReadStatement[],
  reading: ReadingEngine,
  signal: AbortSignal,
): Promise<Pair[]> {
  const compared = statements
    .filter(({ figures, terms }) => terms.size >= MIN_SHARED && figures.length > 0)
    .concat(statements.filter(({ figures, terms }) => terms.size >= MIN_SHARED && figures.length === 0))
    .slice(0, MAX_STATEMENTS);
  const pairs: Pair[] = [];
  for (const [row, one] of compared.entries()) {
    if (row % ROWS_AT_ONCE === 0) await breathe();
    signal.throwIfAborted();
    for (const other of compared.slice(row + 1)) {
      const pair = differing(one, other);
      if (pair) pairs.push(pair);
    }
  }
  const asked = pairs.slice(0, MAX_PAIRS);
  const vectors = await reading.embed(
    asked.flatMap(({ one, other }) => [one.statement.told, other.statement.told]),
    { urgency: 'index', signal },
  );
  return asked.filter(({ own }, n) => {
    const likeness = dot(vectors[2 * n], vectors[2 * n + 1]);
    return likeness >= (own === 0 ? ALIKE : VERY_ALIKE);
  });
}

function differing(one: ReadStatement, other: ReadStatement): Pair | null {
  if (one.passage === other.passage) return null;
  // A table tells cases apart, in whatever pieces it was read.
  if (one.statement.kind === 'row' && other.statement.kind === 'row') return null;
  const [shorter, longer] = one.terms.size <= other.terms.size ? [one, other] : [other, one];
  let shared = 0;
  let own = 0;
  for (const term of shorter.terms) {
    if (longer.terms.has(term)) shared++;
    else if (!longer.context.has(term)) {
      // A number that counts nothing tells what it is about: "Polar 100".
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

/** They count the same, and no figure of the one is the other's. */
const haveOtherFigures = (one: ReadStatement, other: ReadStatement) => {
  const alike = one.figures.flatMap((figure) =>
    other.figures.flatMap(({ unit, value }) => (unit === figure.unit ? [value === figure.value] : [])),
  );
  return alike.length > 0 && !alike.includes(true);
};
