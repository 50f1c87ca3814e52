import type { LanguagePack } from '#server/languages/contract';
import { closure, type Saying, sayPlaces } from '../knowledge/choose.ts';
import { citationOf, type Passage, type Statement } from '../passages/contract.ts';
import type { Tellable } from './state.ts';

/** Words said of a passage, unless more is asked for; one statement may be longer. */
const MOST_WORDS = 35;
/** The same for an offer. */
const OFFERED_WORDS = 25;
/** Extra words allowed for tied statements: a rule without its exception is wrong. */
const TIED_WORDS = 20;
/** So few extra words are said rather than cut off. */
const SLACK_WORDS = 5;
/** Weight of a shared word, the requested amount or time, or a range that contains a figure: like a tenth in cosine. */
const SHARED = 0.2;
const OF_KIND = 0.08;
const IN_RANGE = 0.25;
/** Bonus of a statement that begins the passage: others continue it. */
const BEGINS = 0.08;

type Told = Pick<Tellable, 'sentences' | 'citations'>;

/** The question, alone and with its dependencies. */
interface Asked {
  own: string;
  all: string;
}

/**
 * The words said of a passage, in sentences: rows and prices are told in speech, headings and mere questions are
 * omitted, and of a long passage only the most relevant part is kept, with its dependencies.
 * @param likeness of the passage's statements to the question; null if unknown
 * @param isOffer whether the passage is uncertain: then less relevant statements are omitted
 */
export function saidOf(
  saying: Saying,
  asked: Asked,
  likeness: readonly number[] | null,
  language: LanguagePack,
  isOffer: boolean,
): Told & { places: number[]; isTelling: boolean; rest: Told | null } {
  const { passage } = saying;
  const places = shortened(saying, asked, likeness, language, isOffer);
  const cut = saying.places.filter((at) => !places.includes(at));
  const rest =
    isOffer && cut.length > 0 ? toldAt(passage, fitting(passage, cut, language), asked.own, language) : null;
  const isTelling = places.some((at) => {
    const statement = passage.statements[at];
    return statement !== undefined && tellsSomething(statement, language);
  });
  return {
    ...toldAt(passage, places, asked.own, language),
    places,
    isTelling,
    rest: rest && rest.sentences.length > 0 ? rest : null,
  };
}

/** The continuation of a passage after these places, as much as a reply holds. */
export function furtherIn(
  passage: Passage,
  told: readonly number[],
  asked: string,
  language: LanguagePack,
): Told {
  const last = Math.max(...told, -1);
  const order = passage.statements.map((_, at) => at).filter((at) => !told.includes(at));
  const next = [...order.filter((at) => at > last), ...order.filter((at) => at < last)];
  return toldAt(passage, fitting(passage, next, language), asked, language);
}

/** The first of these statements that fit into a reply, in the order of the text. */
function fitting({ statements }: Passage, places: readonly number[], language: LanguagePack): number[] {
  const kept: number[] = [];
  let words = 0;
  for (const at of places) {
    const statement = statements[at];
    if (!statement || !tellsSomething(statement, language)) continue;
    words += wordsIn(statement);
    if (kept.length > 0 && words > MOST_WORDS) break;
    kept.push(at);
  }
  return kept.sort((a, b) => a - b);
}

function toldAt(passage: Passage, places: number[], asked: string, language: LanguagePack): Told {
  const chosen = places.flatMap((at) => passage.statements[at] ?? []);
  const { sentences } = sayPlaces(passage, places, language.documents);
  const heading = passage.headings.at(-1) ?? '';
  return {
    sentences: chosen.some(({ kind }) => kind === 'row')
      ? language.telling.rows([
          ...new Set(chosen.map((statement) => sentenceOf(statement, asked, heading, language))),
        ])
      : sentences.map(language.telling.item),
    citations: chosen.map(({ text }) => citationOf(passage, text, language.documents.nowhere)),
  };
}

function sentenceOf(
  { kind, told, cells, leansOn }: Statement,
  asked: string,
  heading: string,
  { telling }: LanguagePack,
): string {
  const isOwn = cells !== undefined && (leansOn.length === 0 || told.startsWith(cells[0]?.value ?? ''));
  return (kind === 'row' && isOwn ? telling.row(cells, asked, heading) : null) ?? telling.item(told);
}

/** The places to tell: all of them if they are few words, else the best ones. */
function shortened(
  { passage, places, best }: Saying,
  asked: Asked,
  likeness: readonly number[] | null,
  language: LanguagePack,
  isOffer: boolean,
): number[] {
  const steps = stepsIn(passage, asked, likeness, language);
  if (steps?.some((at) => !places.includes(at))) return steps;
  const { statements } = passage;
  const most = isOffer ? OFFERED_WORDS : MOST_WORDS;
  const sayable = places.filter((at) => {
    const statement = statements[at];
    return statement !== undefined && tellsSomething(statement, language);
  });
  const all = namedRows(passage, sayable.length > 0 ? sayable : [...places], asked, language);
  const count = (some: Iterable<number>) =>
    [...some].reduce((sum, at) => sum + (statements[at] ? wordsIn(statements[at]) : 0), 0);
  if (count(all) <= most + (isOffer ? 0 : SLACK_WORDS)) return all;
  const bears = bearing(passage, asked, likeness, language);
  const order = [...all].sort(
    (a, b) => Number(b === best) - Number(a === best) || bears(b) - bears(a) || a - b,
  );
  const chosen = new Set<number>();
  for (const at of order) {
    const more = closure(passage, at).filter((place) => all.includes(place) && !chosen.has(place));
    if (chosen.size === 0 || count([...chosen, ...more]) <= most) for (const place of more) chosen.add(place);
  }
  // A limit or completion is said with its rule.
  for (const at of [...chosen])
    if (
      all.includes(at + 1) &&
      statements[at + 1]?.leansOn.includes(at) &&
      count([...chosen, at + 1]) <= most + TIED_WORDS
    )
      chosen.add(at + 1);
  return [...chosen].sort((a, b) => a - b);
}

/** The steps for a how-to question, if the passage has them; null if not. */
function stepsIn(
  passage: Passage,
  asked: Asked,
  likeness: readonly number[] | null,
  language: LanguagePack,
): number[] | null {
  if (!language.questions.asksTheWay(asked.own)) return null;
  const { termsOf } = language.words;
  const terms = new Set(termsOf(asked.own));
  const bears = bearing(passage, asked, likeness, language);
  const steps = passage.statements
    .map((_, at) => at)
    .filter((at) => {
      const { told } = passage.statements[at] ?? { told: '' };
      return language.telling.isStep(told) && termsOf(told).some((term) => terms.has(term));
    })
    .sort((a, b) => bears(b) - bears(a));
  const [best] = steps;
  return best === undefined ? null : closure(passage, best);
}

/**
 * In a table or a list of named things, the ones that the question names; else the last one named before. A row with a
 * repeated name belongs to the one above.
 */
function namedRows(
  { statements }: Passage,
  places: number[],
  asked: Asked,
  { words: { termsOf } }: LanguagePack,
): number[] {
  const nameOf = (at: number) => nameIn(statements[at]);
  const rows = places.filter((at) => nameOf(at) !== '');
  const namedIn = (text: string) => {
    const terms = termsOf(text);
    return rows.flatMap((at) => {
      // "Standard, continental US" is asked for as "standard".
      const name = termsOf(nameOf(at).split(',')[0] ?? '');
      const isNamed = name.length > 0 && name.every((term) => terms.includes(term));
      return isNamed ? [{ at, last: Math.max(...name.map((term) => terms.lastIndexOf(term))) }] : [];
    });
  };
  const own = namedIn(asked.own);
  const before = namedIn(asked.all);
  const latest = Math.max(...before.map(({ last }) => last));
  const named = (own.length > 0 ? own : before.filter(({ last }) => last === latest)).map(({ at }) => at);
  if (named.length === 0) return places;
  const isBelow = (at: number) => statements.filter((one) => nameIn(one) === nameOf(at)).length > 1;
  return places.filter(
    (at) => !rows.includes(at) || named.includes(at) || (isBelow(at) && named.includes(at - 1)),
  );
}

/** The name of a row or a list item; '' for others. */
function nameIn(statement: Statement | undefined): string {
  if (statement?.kind === 'row') return statement.cells?.[0]?.value ?? '';
  return statement?.kind === 'item' ? (/^([^:]{2,40}):\s/.exec(statement.text)?.[1] ?? '') : '';
}

/** A statement's relevance to the question, by similarity, if known, and by words. */
function bearing(
  { kind, statements }: Passage,
  asked: Asked,
  likeness: readonly number[] | null,
  { words: { termsOf }, questions }: LanguagePack,
) {
  const terms = new Set(termsOf(asked.all));
  const scores = statements.map(({ told }, at) => {
    const own = new Set(termsOf(told));
    const shared = [...terms].filter((term) => own.has(term)).length / Math.max(1, terms.size);
    return (
      (likeness?.[at] ?? 0) +
      SHARED * shared +
      (questions.hasAskedKind(asked.own, told) === true ? OF_KIND : 0) +
      (questions.quantitiesMeet(asked.all, told) ? IN_RANGE : 0) +
      (at === 0 && kind !== 'table' ? BEGINS : 0)
    );
  });
  return (at: number) => scores[at] ?? 0;
}

const tellsSomething = ({ kind, text }: Statement, { telling }: LanguagePack) =>
  kind !== 'sentence' || telling.tells(text);

const wordsIn = ({ told }: Statement) => told.split(/\s+/).length;
