import type { Claims, Figure } from '#server/languages/claims';
import type { Words } from '#server/languages/contract';
import { chanceOf } from '../chance.ts';
import { meets, type Sources } from './sources.ts';

/**
 * Weights of a logistic regression over the features of `readingAgainst`, in their order, by `npm run fit:support`; the last is the
 * constant. A sentence as likely made up as `from` is not said: a false one does more harm than a true one that is quoted instead.
 */
const BY_WORDS = {
  weights: [
    1.084, 0.264, 1.178, 0.69, -2.617, -0.938, 0.758, 0.68, -1.392, 0.376, 1.344, -1.066, 2.613, -0.957,
    0.175,
  ],
  from: 0.4,
};
/** The same with the logit of `ReadingEngine.entailment` behind the features. */
const BY_A_LOOK = {
  weights: [
    0.72, -0.229, 0.646, 0.158, -2.936, 1.217, 0.469, 0.409, -0.913, -0.151, 1.368, -0.42, 2.14, -0.869,
    -0.304, -0.065,
  ],
  from: 0.2,
};

/** Statements are about the same as the one that shares most with a sentence, if they share so much of that. */
const ABOUT_THE_SAME = 0.75;

/**
 * Whether a sentence is too likely to state what stands nowhere.
 * @param entailment how surely it follows from what was told, in logits; null where that is not known
 */
export const isMadeUp = (features: readonly number[], entailment: number | null): boolean =>
  entailment === null
    ? chanceOf(BY_WORDS.weights, features) >= BY_WORDS.from
    : chanceOf(BY_A_LOOK.weights, [...features, entailment]) >= BY_A_LOOK.from;

/** A sentence of fewer words that carry meaning says little, unless it has a figure, grants or promises something. */
const MIN_TERMS = 2;

interface Told {
  figures: Figure[];
  terms: ReadonlySet<string>;
  isDenial: boolean;
}

/** What can be known of a sentence by its words beside those it may rest on. */
interface SentenceReading {
  /** "Sure, happy to.": nothing in it could be looked up. */
  saysLittle(sentence: string): boolean;
  /** What speaks for its being made up, and against. */
  features(sentence: string): number[];
  /** Whether no statement has a figure, nor the customer said it. */
  isNowhere(figure: Figure): boolean;
  /** Whether one statement has such a share of its words, all its figures, and denies what it denies. */
  standsIn(sentence: string, share: number): boolean;
}

/** Reads sentences against what was told and said, which is read once. */
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

  /** A word that stands in one statement of many says most about which one is meant. */
  const weightOf = (term: string) =>
    Math.log(1 + told.length / Math.max(1, told.filter(({ terms }) => terms.has(term)).length));
  const overlap = (terms: readonly string[], statement: Told) =>
    terms.reduce((sum, term) => sum + (statement.terms.has(term) ? weightOf(term) : 0), 0);

  const isCustomers = (figure: Figure) => customerFigures.some((known) => meets(figure, known));
  const termsOf = (sentence: string) => [...new Set(words.termsOf(claims.withoutFigures(sentence)))];

  /** Figures of a sentence that do not stand where the text speaks of the same. */
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
    // What the customer said may be denied, may be a number without a unit, such as an order's, and may come with what is
    // told of it: "for four kilos you pay ten dollars".
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
