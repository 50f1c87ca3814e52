import type { ReadingEngine } from '#server/engines/reading/contract';
import type { Documents, LanguagePack } from '#server/languages/contract';
import type { Citation } from '#shared/conversations';
import { citationOf, type Passage, type Statement } from '../passages/contract.ts';
import { sharesFigure } from './shares-figure.ts';

/** The most words of two spoken sentences; an inseparable list or rule may be longer. */
const MAX_WORDS = 55;
/** Statements whose relevance is read, the likeliest by words and meaning first. */
const READ = 4;
/** A further statement is said if its relevance is within this many logits. */
const NEARLY = 2;
/** Statements of a list count as equally good if the best is only this many logits above the middle one. */
const EVEN = 1.5;
/** Weight of a word shared by question and statement, in logits for the whole question. */
const SHARED = 2;
/** Penalty of a fragment such as a menu's entry, in logits. */
const SCRAP = 5;
/** Fewer words without a figure are only a fragment. */
const isScrap = (told: string) => told.split(/\s+/).length < 4 && !/[\d@]/.test(told);
/** Penalty of a statement told a moment ago, in logits. */
const TOLD = 3;
/** Weight of a word of the question that only this statement has, in logits. */
const NAMED = 3;
/**
 * Weight of similarity, in logits from none to equal; and the smaller weight beside a read relevance, which is a better
 * signal.
 */
const LIKE = 20;
const LIKE_WHERE_READ = 15;
/** Weight of a statement with the requested amount, duration or number, in logits. */
const ASKED_KIND = 3;
/** Weight of a figure from the question that is in the statement, or in a range of it, in logits. */
const IN_RANGE = 3;

/** The sentences said of a passage. */
export interface Saying {
  passage: Passage;
  /** In the order of the text, as sentences. */
  sentences: string[];
  citations: Citation[];
  /** Places of the statements within the passage. */
  places: number[];
  /** The place of the most relevant one; null if the passage is said whole. */
  best: number | null;
  /** Logit of the most relevant statement; null if none was read by itself. */
  relevance: number | null;
}

/** A question about a passage. */
interface AskedOf {
  /** As the models read it. */
  question: string;
  /** The words that count: with the previous question if it depends on that. */
  words: string;
  /** The question's vector; null without the encoder. */
  vector: Float32Array | null;
  language: LanguagePack;
}

/** The models used to choose: only meaning on the fast path, also relevance if there is time. */
type ChoosingReader = Pick<ReadingEngine, 'embed'> & Partial<Pick<ReadingEngine, 'relevance'>>;

/**
 * Chooses the words to say of a passage: all of a short one, else the most relevant statement with its dependencies.
 */
export async function choose(
  asked: AskedOf,
  found: { passage: Passage; statements: readonly number[] | null },
  reading: ChoosingReader | null,
  signal: AbortSignal,
  told: readonly string[] = [],
): Promise<Saying> {
  return isWhole(found.passage)
    ? sayAll(found.passage, asked.language.documents)
    : chooseStatement(asked, found, reading, signal, told);
}

/** The most relevant statement of a passage with its dependencies, also of a short one. */
export async function chooseStatement(
  asked: AskedOf,
  { passage, statements: likeness }: { passage: Passage; statements: readonly number[] | null },
  reading: ChoosingReader | null,
  signal: AbortSignal,
  told: readonly string[] = [],
): Promise<Saying> {
  const near =
    likeness ??
    (passage.statements.length > READ ? await likenessOf(asked.vector, passage, reading, signal) : null);
  const { scores, relevance } = await scoresOf(asked, passage, near, reading, signal);
  const saying = chosenBy(
    passage,
    scores.map((score, at) =>
      told.includes(passage.statements[at]?.text.slice(0, 200) ?? '') ? score - TOLD : score,
    ),
    asked.language.documents,
  );
  return { ...saying, relevance };
}

/** In a text of too many statements, some have no vector until they are needed. */
async function likenessOf(
  asked: Float32Array | null,
  { statements }: Passage,
  reading: Pick<ReadingEngine, 'embed'> | null,
  signal: AbortSignal,
): Promise<number[] | null> {
  if (!asked) return null;
  try {
    const vectors = await reading?.embed(
      statements.map(({ told }) => told),
      { signal },
    );
    if (!vectors) return null;
    return vectors.map((vector) => vector.reduce((sum, x, n) => sum + x * (asked[n] ?? 0), 0));
  } catch {
    return null;
  }
}

/** The same by words only, at once. */
export function chooseByWords(
  question: string,
  { passage, statements }: { passage: Passage; statements: readonly number[] | null },
  language: LanguagePack,
): Saying {
  return isWhole(passage)
    ? sayAll(passage, language.documents)
    : chosenBy(passage, scoresBy(marksOf(question, passage, language), statements), language.documents);
}

/** Shorter passages are said whole. */
const FEW_WORDS = 30;

/** Fixed, or short enough to be said whole. */
const isWhole = ({ kind, statements, isFixed }: Passage) =>
  isFixed === true ||
  wordsIn(statements) <= FEW_WORDS ||
  (wordsIn(statements) <= MAX_WORDS && (statements.length <= 2 || kind === 'answer'));

/** The whole passage. */
export const sayAll = (passage: Passage, documents: Documents) =>
  sayPlaces(
    passage,
    passage.statements.map((_, at) => at),
    documents,
  );

function chosenBy(passage: Passage, scores: readonly number[], documents: Documents): Saying {
  const { statements } = passage;
  const every = statements.map((_, at) => at);
  const order = [...every].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
  const best = order[0] ?? 0;
  const isList = passage.kind === 'list' && statements.every(({ kind }) => kind === 'item');
  const middle = scores[order[Math.floor(order.length / 2)] ?? 0] ?? 0;
  if (isList && (scores[best] ?? 0) - middle < EVEN && wordsIn(statements) <= 2 * MAX_WORDS)
    return { ...sayPlaces(passage, every, documents), best };
  const chosen = new Set<number>();
  let words = 0;
  for (const at of order) {
    if ((scores[at] ?? 0) < (scores[best] ?? 0) - NEARLY) break;
    const more = closure(passage, at).filter((place) => !chosen.has(place));
    const count = wordsIn(more.flatMap((place) => statements[place] ?? []));
    if (chosen.size > 0 && (words + count > MAX_WORDS || chosen.size >= 3)) continue;
    for (const place of more) chosen.add(place);
    words += count;
  }
  // A limit or completion of a rule is never omitted.
  for (const at of [...chosen]) {
    const next = statements[at + 1];
    if (!next?.leansOn.includes(at) || chosen.has(at + 1)) continue;
    words += wordsIn([next]);
    if (words <= MAX_WORDS) chosen.add(at + 1);
  }
  const saying = sayPlaces(
    passage,
    [...chosen].sort((a, b) => a - b),
    documents,
  );
  return { ...saying, best };
}

/** A statement with its dependencies, in the order of the text. */
export function closure({ statements }: Passage, at: number): number[] {
  const all = new Set([at]);
  for (const place of all)
    for (const other of statements[place]?.leansOn ?? []) if (all.size < 4) all.add(other);
  return [...all].sort((a, b) => a - b);
}

async function scoresOf(
  { question, words, language }: AskedOf,
  passage: Passage,
  likeness: readonly number[] | null,
  reading: ChoosingReader | null,
  signal: AbortSignal,
): Promise<{ scores: number[]; relevance: number | null }> {
  const heading = passage.headings.at(-1) ?? '';
  const marks = marksOf(words, passage, language, words !== question);
  const base = scoresBy(marks, likeness);
  if (!reading?.relevance) return { scores: base, relevance: null };
  const first = base
    .map((score, at) => [score, at] as const)
    .sort(([a], [b]) => b - a)
    .slice(0, READ)
    .map(([, at]) => at);
  try {
    const texts = first.map((at) => [heading, passage.statements[at]?.told].filter(Boolean).join(': '));
    const logits = await reading.relevance(question, texts, { signal });
    // The previous question counts half: it explains "that".
    if (words !== question)
      for (const [n, logit] of (await reading.relevance(words, texts, { signal })).entries())
        logits[n] = ((logits[n] ?? logit) + logit) / 2;
    const lowest = Math.min(...logits);
    const scores = marks.map((mark, at) => {
      const place = first.indexOf(at);
      const relevance = place < 0 ? lowest : (logits[place] ?? lowest);
      return relevance + mark.certain + LIKE_WHERE_READ * (likeness?.[at] ?? 0);
    });
    return { scores, relevance: Math.max(...logits) };
  } catch {
    return { scores: base, relevance: null };
  }
}

/** Scores of the statements, in logits: those that always count, and those that only count without reading. */
function marksOf(
  question: string,
  passage: Passage,
  { words: { termsOf }, questions }: LanguagePack,
  isJoined = false,
): { certain: number; byWords: number }[] {
  const asked = new Set(termsOf(question));
  const own = passage.statements.map(({ told }) => new Set(termsOf(told)));
  return passage.statements.map(({ told }, at) => {
    const terms = own[at] ?? new Set();
    const shared = [...asked].filter((term) => terms.has(term)).length / Math.max(1, asked.size);
    // After a question about Canada "how long does that take?" means its row.
    const isNamed =
      isJoined &&
      [...asked].some((term) => terms.has(term) && own.filter((other) => other.has(term)).length === 1);
    return {
      certain:
        (isNamed ? NAMED : 0) +
        (questions.quantitiesMeet(question, told) || sharesFigure(question, told) ? IN_RANGE : 0) -
        (isScrap(told) ? SCRAP : 0),
      byWords: SHARED * shared + (questions.hasAskedKind(question, told) ? ASKED_KIND : 0),
    };
  });
}

const scoresBy = (marks: ReturnType<typeof marksOf>, likeness: readonly number[] | null) =>
  marks.map(({ certain, byWords }, at) => certain + byWords + LIKE * (likeness?.[at] ?? 0));

const wordsIn = (statements: readonly Statement[]) =>
  statements.reduce((sum, { told }) => sum + told.split(/\s+/).length, 0);

/** The statements at these places, in the order of the text, as sentences. */
export function sayPlaces(passage: Passage, places: number[], documents: Documents): Saying {
  const chosen = places.flatMap((at) => passage.statements[at] ?? []);
  const isWholeList =
    passage.kind === 'list' &&
    places.length === passage.statements.length &&
    places.length > 1 &&
    chosen.every(({ kind }) => kind === 'item');
  return {
    passage,
    places,
    best: null,
    relevance: null,
    sentences: isWholeList ? [wholeList(passage, documents)] : withoutRepeats(chosen.map(({ told }) => told)),
    citations: chosen.map(({ text }) => citationOf(passage, text, documents.nowhere)),
  };
}

/** Says a common introduction of several list items once: "To cancel: Go to settings. Choose Cancel." */
function withoutRepeats(sentences: readonly string[]): string[] {
  const said: string[] = [];
  let introduction = '';
  for (const [at, sentence] of sentences.entries()) {
    const bare = sentence.replace(/(?<![\s:.])[\s:.]+$/, '');
    if (sentences[at + 1]?.startsWith(`${bare}:`)) continue;
    if (
      sentences.some(
        (other, place) => place !== at && other.length > sentence.length && other.includes(essence(bare)),
      )
    )
      continue;
    const own = introductionOf(sentence);
    const rest = own && own === introduction ? sentence.slice(own.length).trim() : sentence;
    introduction = own;
    said.push(rest.charAt(0).toUpperCase() + rest.slice(1));
  }
  return said;
}

/** A sentence without its introduction. */
const essence = (sentence: string) => sentence.slice(introductionOf(`${sentence} `).length).trim();

/** "To cancel:" of "To cancel: go to settings."; '' without one. */
const introductionOf = (sentence: string) => /^[^:]{2,120}:(?=\s)/.exec(sentence)?.[0] ?? '';

/** A whole list in one sentence: "You can pay by: card, PayPal and bank transfer." */
function wholeList({ lead, statements }: Passage, { listed }: Documents): string {
  const items = statements.map(({ text }) => text.replace(/(?<![.;,])[.;,]+$/, ''));
  const isShort = items.every((item) => item.split(/\s+/).length <= 12);
  if (!isShort) return [lead, ...statements.map(({ text }) => ended(text))].filter(Boolean).join(' ');
  return lead ? `${lead.replace(/(?<![:\s])[:\s]+$/, '')}: ${listed(items)}.` : `${listed(items)}.`;
}

const ended = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);
