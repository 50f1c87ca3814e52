import type { Claims, Figure } from '#server/languages/claims';
import type { Words } from '#server/languages/contract';

/** What a reply may rest on. */
interface Sources {
  /** What the business wrote, and what its systems answered: statements, each with the headings it stands under. */
  told: readonly string[];
  /** What the customer said in this conversation. */
  customer: readonly string[];
  /** Names that stand for themselves: the agent's, the company's. */
  names: readonly string[];
  /** What was asked in this turn. */
  question: string;
  /** What was found is likely to answer it. */
  isKnown: boolean;
  /** The reply is in the language of the pack; in another only figures and addresses are looked up. */
  isOwnLanguage: boolean;
}

/** "Call us at [phone number]": learnt from forms, and meant for nobody's ears. */
const PLACEHOLDER = /\[[\p{L}_ ]{3,}\]|\{\{|<[\p{L}_ ]{3,}>/u;
/** Statements are about the same as the one that shares most with a sentence, if they share so much of that. */
const ABOUT_THE_SAME = 0.75;
/** A statement of so many words that carry meaning is looked at as a whole. */
const MIN_TERMS = 2;
/** Of those words so many at least stand together in one statement. */
const MIN_SHARE = 0.5;

/**
 * Tells whether a sentence that a language model made may be said: what it states stands in what the business wrote, or,
 * where it denies something, in what the customer said. It cannot tell a wrong combination of what stands there.
 * @returns what does not stand anywhere, in words for a log; null where nothing speaks against the sentence
 */
export function supportCheck(
  { claims, words }: { claims: Claims; words: Words },
  sources: Sources,
): (sentence: string) => string | null {
  const told = sources.told.map((text) => ({
    figures: claims.figuresIn(text),
    terms: new Set(words.termsOf(text)),
  }));
  const tellsOfDays = sources.told.some((text) => claims.tellsOfDays(text));
  const toldTerms = new Set(told.flatMap(({ terms }) => [...terms]));
  const toldText = plain(sources.told.join('\n'));
  const customerText = plain(sources.customer.join('\n'));
  const customerTerms = new Set(words.termsOf(sources.customer.join(' ')));
  const customerFigures = sources.customer.flatMap((text) => claims.figuresIn(text));
  const ownNames = plain(sources.names.join(' '));
  const asked = words.termsOf(sources.question);
  /** A word that stands in one statement of many says most about which one is meant. */
  const weightOf = (term: string) => {
    const standing = told.filter(({ terms }) => terms.has(term)).length;
    return standing === 0 ? 0 : Math.log(1 + told.length / standing);
  };
  const overlap = (terms: readonly string[], statement: { terms: ReadonlySet<string> }) =>
    terms.reduce((sum, term) => sum + (statement.terms.has(term) ? weightOf(term) : 0), 0);

  const isCustomers = (figure: Figure) => customerFigures.some((known) => meets(figure, known));
  /** Whether the statements that are about the same have it. */
  const isTold = (figure: Figure, terms: readonly string[]) => {
    const about = told.map((statement) => overlap(terms, statement) + overlap(asked, statement));
    const most = Math.max(0, ...about);
    return told.some(
      (statement, n) =>
        (about[n] ?? 0) >= most * ABOUT_THE_SAME && statement.figures.some((known) => meets(figure, known)),
    );
  };

  return (sentence) => {
    if (PLACEHOLDER.test(sentence)) return 'a gap to be filled in';
    const isStatement = claims.isStatement(sentence);
    const isDenial = claims.isDenial(sentence);
    const figures = claims.figuresIn(sentence);
    const terms = [...new Set(words.termsOf(claims.withoutFigures(sentence)))];
    // What the customer said may be denied, may be a number without a unit, such as an order's, and may come with what is
    // told of it: "for four kilos you pay ten dollars".
    const mayBeCustomers = isDenial || !isStatement || figures.some((each) => isTold(each, terms));
    const figure = figures.find(
      (each) => !isTold(each, terms) && !(isCustomers(each) && (mayBeCustomers || each.unit === null)),
    );
    if (figure) return `figure ${figure.value}${figure.unit ? ` ${figure.unit}` : ''}`;
    const name = claims
      .namesIn(sentence)
      .filter((each) => sources.isOwnLanguage || each.includes('.'))
      .filter((each) => !(claims.isDay(each) && tellsOfDays))
      .find((each) => !toldText.includes(each) && !ownNames.includes(each) && !customerText.includes(each));
    if (name) return `name ${name}`;
    if (!sources.isOwnLanguage) return null;
    if (claims.actsItself(sentence)) return 'an action of its own';
    if (!isStatement) return null;
    const grant = claims
      .grantsIn(sentence)
      .find((each) => !toldTerms.has(each) && !(isDenial && customerTerms.has(each)));
    if (grant) return `grant ${grant}`;
    const undertaking = claims.undertakingsIn(sentence).find((each) => !toldTerms.has(each));
    if (undertaking) return `undertaking ${undertaking}`;
    if (claims.affirms(sentence) && !sources.isKnown) return 'a yes to what is not known';
    const meaning = terms.filter((term) => term.length > 1);
    const shareOf = (statement: ReadonlySet<string>) =>
      meaning.filter((term) => statement.has(term) || (isDenial && customerTerms.has(term))).length /
      meaning.length;
    const most = Math.max(0, ...told.map((statement) => shareOf(statement.terms)));
    if (meaning.length >= MIN_TERMS && most < MIN_SHARE) return 'words of its own';
    return null;
  };
}

const meets = (claimed: Figure, known: Figure): boolean => {
  const [a, b] = [inDays(claimed), inDays(known)];
  return a.value === b.value && (a.unit === b.unit || a.unit === null || b.unit === null);
};

/** Two weeks are fourteen days, 48 hours two. */
function inDays(figure: Figure): Figure {
  const value = Number(figure.value);
  if (figure.unit === 'week') return { value: String(value * 7), unit: 'day' };
  if (figure.unit === 'hour' && value >= 48 && value % 24 === 0)
    return { value: String(value / 24), unit: 'day' };
  return figure;
}

const plain = (text: string) => text.toLowerCase().replaceAll('’', "'");
