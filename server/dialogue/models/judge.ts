import type { Claims, Figure } from '#server/languages/claims';
import type { Words } from '#server/languages/contract';
import { beginsWithYesOrNo } from '#server/languages/elsewhere';
import type { Messages } from '#server/languages/messages';
import { sentencesWrittenIn } from '../written-in.ts';
import type { CloserLook } from './closer-look.ts';
import { isDateWorkedOut } from './dates-worked-out.ts';
import { evidenceAmong } from './evidence.ts';
import { numbersIn, standsAmong } from './figures-anywhere.ts';
import { isMadeUp, readingAgainst } from './made-up.ts';
import { meets, type Sources } from './sources.ts';
import { isWorkedOut } from './worked-out.ts';

/** "Call us at [phone number]": a placeholder from training texts, not to be said. */
const PLACEHOLDER = /\[[\p{L}_ ]{3,60}\]|\{\{|<[\p{L}_ ]{3,60}>/u;
/** Addresses of mail and pages, in any language. */
const ADDRESS = /[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})+|\b(?:https?:\/\/|www\.)[^\s,;)]{3,200}/giu;
/** "the three plans": counts up to this need no written number. */
const COUNTED = 12;
/** More new figures in one sentence are not calculated results; each takes a while to check. */
const WORKED_OUT_AT_MOST = 4;
/** Logits of a sentence's entailment, and share of its words in one statement, above which it is beyond doubt. */
const SURELY_FOLLOWS = 3;
const STANDS_THERE = 0.9;

/** The judgement of a language model's sentence. */
export type Judgement =
  /** It has no claim that could be wrong. */
  | { is: 'free' }
  /** It is not said, whatever the source. */
  | { is: 'forbidden'; reason: string }
  | {
      is: 'statement';
      /** It has no figure and no name, grants, permits and promises nothing, and cites nothing. */
      isLoose: boolean;
      /** Its possible evidence. */
      evidence: string;
      /** Whether the evidence surely supports it. @throws the signal's reason */
      isSure(): Promise<boolean>;
      /** The reason for withholding it without a model's verdict; null if it is said. @throws the signal's reason */
      strictly(): Promise<string | null>;
    };

export type Judge = (sentence: string, cited: readonly number[]) => Judgement;

/**
 * Judges sentences by their evidence. In all languages it forbids addresses, long numbers and figures that are nowhere
 * in it and follow from no sum; in the pack's own language also claims of actions that were not done.
 */
export function judgeBy(
  pack: { claims: Claims; words: Words; messages: Pick<Messages, 'valuesIn'> },
  sources: Sources,
  look: CloserLook,
): Judge {
  const { claims, words, messages } = pack;
  const reading = readingAgainst(pack, sources);
  const evidenceFor = evidenceAmong(sources.told, sources.question, words);
  const tellsOfDays = sources.told.some((text) => claims.tellsOfDays(text));
  const known = plain(
    [...sources.told, ...sources.names, ...sources.customer, dateOf(sources.today)].join('\n'),
  );
  let everywhere: Figure[] | null = null;
  let everyNumber: number[][] | null = null;
  let everyWord: string[] | null = null;
  const knownWords = () => {
    everyWord ??= known.split(/[^\p{L}]+/u);
    return everyWord;
  };
  const customerFigures = sources.customer.flatMap((text) => claims.figuresIn(text));

  const isOwn = sentencesWrittenIn(words, [...sources.told, ...sources.customer], sources.isOwnLanguage);
  const evidenceOf = (sentence: string, cited: readonly number[]) =>
    [...cited.flatMap((n) => sources.passages[n - 1] ?? []), evidenceFor(sentence)].join('\n');

  const addressNowhere = (sentence: string) =>
    (sentence.match(ADDRESS) ?? []).find(
      (each) => !known.includes(plain(each).replace(/(?<![.!?])[.!?]+$/, '')),
    );
  const isKnownName = (name: string) =>
    known.includes(name) ||
    (claims.isDay(name) && (tellsOfDays || known.includes(name.slice(0, 3)))) ||
    (isCalendar(name) && knownWords().some((word) => word.startsWith(name.slice(0, 3))));

  return (sentence, cited) => {
    if (PLACEHOLDER.test(sentence)) return forbidden('a gap to be filled in');
    const address = addressNowhere(sentence);
    if (address) return forbidden('an address that stands nowhere');
    if (!isOwn(sentence)) return inAnyLanguage(sentence, cited);
    const figures = claims.figuresIn(sentence);
    const nowhere = figures.filter(reading.isNowhere);
    const evidence = evidenceOf(sentence, cited);
    const unknown = unworked(sentence, figures, nowhere, evidence);
    if (unknown && !stands(unknown)) return forbidden(`figure ${named(unknown)}`);
    if (claims.actsItself(sentence) && !sources.hasActed) return forbidden('an action of its own');
    const isBare = cited.length > 0 && figures.length > 0;
    if (!claims.isStatement(sentence) && !isBare) return { is: 'free' };
    const name = claims.namesIn(sentence).find((each) => !isKnownName(each));
    return {
      is: 'statement',
      isLoose:
        cited.length === 0 &&
        figures.length === 0 &&
        claims.namesIn(sentence).length === 0 &&
        claims.grantsIn(sentence).length === 0 &&
        claims.undertakingsIn(sentence).length === 0 &&
        !claims.affirms(sentence) &&
        !claims.permits(sentence),
      evidence,
      isSure: once(async () => {
        if (
          name ||
          nowhere.length > 0 ||
          claims.affirms(sentence) ||
          !reading.standsIn(sentence, STANDS_THERE)
        )
          return false;
        const entailment = await look(sentence, evidenceFor(sentence));
        return entailment !== null && entailment >= SURELY_FOLLOWS;
      }),
      strictly: once(async () => {
        if (unknown) return `figure ${named(unknown)}`;
        if (name) return `name ${name}`;
        if (claims.affirms(sentence) && !sources.isKnown) return 'a yes to what is not known';
        if (reading.saysLittle(sentence)) return null;
        const entailment = await look(sentence, evidenceFor(sentence));
        return isMadeUp(reading.features(sentence), entailment) ? 'likely made up' : null;
      }),
    };
  };

  /** The first figure of a sentence that is nowhere in the evidence and follows from no sum, time or date. */
  function unworked(
    sentence: string,
    figures: readonly Figure[],
    nowhere: readonly Figure[],
    evidence: string,
  ): Figure | null {
    if (nowhere.length === 0) return null;
    const told = [...customerFigures, ...claims.figuresIn(evidence)];
    const known = figures.filter((each) => !nowhere.includes(each) || isCount(each));
    let open = nowhere.filter((each) => !isCount(each));
    if (open.length > WORKED_OUT_AT_MOST) return open[0] ?? null;
    // Calculated figures may be used again: nine hours, and their cost.
    for (let before = -1; open.length > 0 && open.length !== before; ) {
      before = open.length;
      open = open.filter((each) => {
        const isKnown = isWorkedOut(each, [...known, ...told], [...known, ...customerFigures]);
        if (isKnown) known.push(each);
        return !isKnown;
      });
    }
    const [first] = open;
    if (!first) return null;
    const [date] = datesIn(sentence);
    const from = [isoOf(sources.today), ...sources.customer.flatMap(datesIn), ...datesIn(evidence)];
    return date && isDateWorkedOut(date, from, [...told, ...known]) ? null : first;
  }

  function datesIn(text: string): string[] {
    return messages.valuesIn(text, { type: 'date', isAsked: false, today: sources.today });
  }

  /** Elsewhere in the business's texts: the passages are not all of them. */
  function stands(figure: Figure): boolean {
    everywhere ??= claims.figuresIn(sources.everything());
    return everywhere.some((each) => meets(figure, each));
  }

  /** In a language without a pack, addresses and numbers are looked up; only the model understands the rest. */
  function inAnyLanguage(sentence: string, cited: readonly number[]): Judgement {
    const numbers = numbersIn(sentence);
    const unknown = numbers.find(
      (each) => Math.max(...each) > COUNTED && !standsAmong(each, numbersKnown()) && !isSum(each),
    );
    if (unknown) return forbidden(`figure ${unknown[0]}`);
    if (/[?？؟]["'”’»)]*\s*$/u.test(sentence)) return { is: 'free' };
    const isLoose = cited.length === 0 && numbers.length === 0 && !beginsWithYesOrNo(sentence);
    return {
      is: 'statement',
      isLoose,
      evidence: evidenceOf(sentence, cited),
      isSure: async () => false,
      strictly: async () => null,
    };
  }

  /** The passages were found by words of another language: all texts of the business count. */
  function numbersKnown(): number[][] {
    everyNumber ??= numbersIn(`${known}\n${sources.everything()}`);
    return everyNumber;
  }

  /**
   * Whether a number is the result of a calculation with numbers of the texts and counts of the customer. The clock is
   * left out: with its minute almost any number could be calculated at some time of the day.
   */
  function isSum(number: readonly number[]): boolean {
    const from = bare(
      numbersIn(`${[...sources.told, ...sources.customer].join('\n')}\n${sources.everything()}`),
    );
    const times = bare(numbersIn(sources.customer.join('\n')));
    return number.some((value) => isWorkedOut({ value: String(value), unit: null }, from, times));
  }
}

const bare = (numbers: readonly number[][]): Figure[] =>
  numbers.flatMap(([value]) => (value === undefined ? [] : [{ value: String(value), unit: null }]));

const forbidden = (reason: string): Judgement => ({ is: 'forbidden', reason });

/** "the three plans" */
const isCount = ({ value, unit }: Figure) =>
  unit === null && Number.isInteger(Number(value)) && Number(value) <= COUNTED;

const CALENDAR = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}*$/u;
const isCalendar = (name: string) => CALENDAR.test(name);

const isoOf = (day: Date) => day.toISOString().slice(0, 10);

const dateOf = (today: Date) =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short' }).format(today).toLowerCase();

/** Runs at most once, and then repeats its result. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | null = null;
  return () => {
    done ??= work();
    return done;
  };
}

const named = ({ value, unit }: Figure) => (unit ? `${value} ${unit}` : value);

const plain = (text: string) => text.toLowerCase().replaceAll('’', "'");
