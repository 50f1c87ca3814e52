import type { Claims, Figure } from '#server/languages/claims';
import type { Words } from '#server/languages/contract';
import { chanceOf } from '../chance.ts';
import { meets, type Sources } from './sources.ts';

/**
 * Weights of a logistic regression over the features of `readingAgainst`, in their order, by `npm run fit:support`; the
 * last is the constant. A sentence with at least probability `from` of being made up is withheld: a false one does more
 * harm than quoting instead of a true one.
 */
const BY_WORDS = {
  weights: [
    1.084, 0.264, 1.178, 0.69, -2.617, -0.938, 0.758, 0.68, -1.392, 0.376, 1.344, -1.066, 2.613, -0.957,
    0.175,
  ],
  from: 0.4,
};
/** The same with the logit of `ReadingEngine.entailment` after the features. */
const BY_A_LOOK = {
  weights: [
    0.72, -0.229, 0.646, 0.158, -2.936, 1.217, 0.469, 0.409, -0.913, -0.151, 1.368, -0.42, 2.14, -0.869,
    -0.304, -0.065,
  ],
  from: 0.2,
};

/** Statements are about the same topic as the best match of a sentence if they share this fraction of its overlap. */
const ABOUT_THE_SAME = 0.75;

/**
 * Whether a sentence is probably made up.
 * @param entailment how surely it follows from the evidence, in logits; null if unknown
 */
export const isMadeUp = (features: readonly number[], entailment: number | null): boolean =>
  entailment === null
    ? chanceOf(BY_WORDS.weights, features) >= BY_WORDS.from
    : chanceOf(BY_A_LOOK.weights, [...features, entailment]) >= BY_A_LOOK.from;

/** A sentence with fewer content words makes no claim, unless it has a figure, a grant or a promise. */
const MIN_TERMS = 2;

interface Told {
  figures: Figure[];
  terms: ReadonlySet<string>;
  isDenial: boolean;
}

/** Properties of a sentence by comparing its words with the evidence. */
interface SentenceReading {
  /** "Sure, happy to.": it has nothing to check. */
  saysLittle(sentence: string): boolean;
  /** Features for and against being made up. */
  features(sentence: string): number[];
  /** Whether neither a statement nor the customer has a figure. */
  isNowhere(figure: Figure): boolean;
  /** Whether one statement has this share of its words, all its figures, and the same negation. */
  standsIn(sentence: string, share: number): boolean;
}

/** Compares sentences with the evidence and the customer's words, which are read once. */
export function readingAgainst(
  { claims, words }: { claims: Claims; words: Words },
  sources: Sources,
): SentenceReading {
  const told: Told[] = sources.told.map((text) => ({
    figures: claims.figuresIn(text),
    terms: new Set(words.termsOf(text)),
    isDenial: claims.isDenial(text),
  }));
  const nothing: Told = { figures: [], terms: new Set(), isDenial: false };
  const toldTerms = new Set(told.flatMap(({ terms }) => [...terms]));
  const customerTerms = new Set(words.termsOf(sources.customer.join(' ')));
  const customerFigures = sources.customer.flatMap((text) => claims.figuresIn(text));
  const asked = words.termsOf(sources.question);

  /** A word in one of many statements identifies that statement best. */
  const weightOf = (term: string) =>
    Math.log(1 + told.length / Math.max(1, told.filter(({ terms }) => terms.has(term)).length));
  const overlap = (terms: readonly string[], statement: Told) =>
    terms.reduce((sum, term) => sum + (statement.terms.has(term) ? weightOf(term) : 0), 0);

  const isCustomers = (figure: Figure) => customerFigures.some((known) => meets(figure, known));
  const termsOf = (sentence: string) => [...new Set(words.termsOf(claims.withoutFigures(sentence)))];

  /** Figures of a sentence that are not in statements on its topic. */
  const misplaced = (sentence: string): Figure[] => {
    const figures = claims.figuresIn(sentence);
    const terms = termsOf(sentence);
    const about = told.map((statement) => overlap(terms, statement) + overlap(asked, statement));
    const most = Math.max(0, ...about);
    const isTold = (figure: Figure) =>
      told.some(
        (statement, n) =>
          (about[n] ?? 0) >= most * ABOUT_THE_SAME && statement.figures.some((known) => meets(figure, known)),
      );
    // The customer's figures may be denied, may have no unit, such as an order's number, and may come with related
    // facts: "for four kilos you pay ten dollars".
    const mayBeCustomers = claims.isDenial(sentence) || !claims.isStatement(sentence) || figures.some(isTold);
    return figures.filter(
      (each) => !isTold(each) && !(isCustomers(each) && (mayBeCustomers || each.unit === null)),
    );
  };

  const meaningOf = (sentence: string) => termsOf(sentence).filter((term) => term.length > 1);

  return {
    saysLittle: (sentence) =>
      meaningOf(sentence).length < MIN_TERMS &&
      [claims.figuresIn, claims.grantsIn, claims.undertakingsIn].every((read) => read(sentence).length === 0),
    features(sentence) {
      const isDenial = claims.isDenial(sentence);
      const figures = claims.figuresIn(sentence);
      const meaning = meaningOf(sentence);
      const count = Math.max(1, meaning.length);
      const stands = (term: string, among: ReadonlySet<string>) =>
        among.has(term) || (isDenial && customerTerms.has(term));
      const shareIn = (among: ReadonlySet<string>) =>
        meaning.filter((term) => stands(term, among)).length / count;
      const weighed = meaning.map((term) => ({ term, weight: weightOf(term) }));
      const whole = weighed.reduce((sum, { weight }) => sum + weight, 0) || 1;
      const weighedShareIn = ({ terms }: Told) =>
        weighed.reduce((sum, { term, weight }) => sum + (stands(term, terms) ? weight : 0), 0) / whole;
      const shares = told.map(weighedShareIn);
      const most = Math.max(0, ...shares);
      const nearest = told[shares.indexOf(most)] ?? nothing;
      const isMissing = (term: string) => !toldTerms.has(term);
      return [
        Number(misplaced(sentence).length > 0),
        Number(
          figures.some((each) => !nearest.figures.some((known) => meets(each, known)) && !isCustomers(each)),
        ),
        Number(claims.grantsIn(sentence).some((term) => isMissing(term) && !stands(term, toldTerms))),
        Number(claims.undertakingsIn(sentence).some(isMissing)),
        shareIn(nearest.terms),
        most,
        shareIn(toldTerms),
        Math.log1p(meaning.length),
        Number(isDenial),
        Number(isDenial !== nearest.isDenial),
        Number(claims.affirms(sentence)),
        Math.min(2, figures.length),
        meaning.filter((term) => customerTerms.has(term)).length / count,
        meaning.filter((term) => isMissing(term) && !customerTerms.has(term)).length / count,
      ];
    },
    isNowhere: (figure) =>
      !isCustomers(figure) && !told.some(({ figures }) => figures.some((known) => meets(figure, known))),
    standsIn(sentence, share) {
      const meaning = meaningOf(sentence);
      const figures = claims.figuresIn(sentence);
      const isDenial = claims.isDenial(sentence);
      return told.some(
        (statement) =>
          meaning.filter((term) => statement.terms.has(term)).length >= share * meaning.length &&
          figures.every((each) => statement.figures.some((known) => meets(each, known))) &&
          statement.isDenial === isDenial,
      );
    },
  };
}
