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

/** A statement of so many words that carry meaning is looked at as a whole. */
const MIN_TERMS = 4;
/** Of those words so many at least stand somewhere: a true sentence in other words has about two thirds of them. */
const MIN_SHARE = 0.4;

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
  const toldTerms = new Set(told.flatMap(({ terms }) => [...terms]));
  const toldText = plain(sources.told.join('\n'));
  const customerText = plain(sources.customer.join('\n'));
  const customerTerms = new Set(words.termsOf(sources.customer.join(' ')));
  const customerFigures = sources.customer.flatMap((text) => claims.figuresIn(text));
  const ownNames = plain(sources.names.join(' '));
  const asked = words.termsOf(sources.question);

  const figureStands = (figure: Figure, terms: readonly string[], isDenial: boolean) => {
    if (customerFigures.some((known) => meets(figure, known)) && (isDenial || figure.unit === null))
      return true;
    return told.some(
      (statement) =>
        statement.figures.some((known) => meets(figure, known)) &&
        (terms.length === 0 || terms.some((term) => statement.terms.has(term))),
    );
  };

  return (sentence) => {
    const isStatement = claims.isStatement(sentence);
    const isDenial = claims.isDenial(sentence);
    const figures = claims.figuresIn(sentence);
    const terms = words.termsOf(sentence).filter((term) => term.length > 1 && !/\d/.test(term));
    const context = [...new Set([...terms, ...asked])];
    const figure = figures.find((each) => !figureStands(each, context, isDenial || !isStatement));
    if (figure) return `figure ${figure.value}${figure.unit ? ` ${figure.unit}` : ''}`;
    const name = claims
      .namesIn(sentence)
      .filter((each) => sources.isOwnLanguage || each.includes('.'))
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
    const known = terms.filter((term) => toldTerms.has(term) || customerTerms.has(term));
    if (terms.length >= MIN_TERMS && known.length / terms.length < MIN_SHARE) return 'words of its own';
    return null;
  };
}

const meets = (claimed: Figure, known: Figure) =>
  claimed.value === known.value &&
  (claimed.unit === known.unit || claimed.unit === null || known.unit === null);

const plain = (text: string) => text.toLowerCase().replaceAll('’', "'");
