import type { ReadingEngine } from '#server/engines/reading/contract';
import type { AskedInstead, ContactAskedFor, LanguagePack, Words } from '#server/languages/contract';
import { packOf } from '#server/languages/index';
import { noted } from '#server/telemetry/timeline';
import type { AgentProfile } from '../contract.ts';
import type { Passage } from '../passages/contract.ts';
import { choose, chooseByWords, type Saying, sayPlaces } from './choose.ts';
import { lookClosely, READ_AT_MOST, UNRELATED } from './closer-look.ts';
import { confidenceOf, SURE, SURE_AT_A_GLANCE } from './confidence.ts';
import type { Library } from './library.ts';
import { nearText } from './near-text.ts';
import { rewritten } from './rewritten.ts';
import type { Candidate, SearchResult } from './search-index.ts';

/** Passages per search. */
const SEARCHED = 12;
/** A question with a reference is joined with the previous one, unless alone it is this much surer. */
const POINTS = 0.1;
/** Bonus in confidence if the answer contains the alternative that was asked for. */
const NAMES = 0.2;
/** Highest confidence of a correction's result under the last topic. */
const UNDER_TOLD = 0.7;
/** Confidence of a question whose words are all in a passage, while only words can be read. */
const BY_WORDS = 0.95;
/** Weight of a cross-encoder logit beside similarity, in cosines (docs/dialogue.md). */
const RELEVANCE = 0.04;
/** Cross-encoder logit above which a passage may be relevant to a question without a known word. */
const RELATED = -2;
/** A passage without a read relevance counts as irrelevant. */
const UNREAD = -9.5;
/** The probability of a logit. */
const chance = (logit: number) => 1 / (1 + Math.exp(-logit));
/**
 * A fixed answer is sure above this similarity, or this cross-encoder logit: its business intends it for exactly that
 * question (docs/dialogue.md).
 */
const ANSWERS = 0.7;
const BEARS = 1;
/** Above this similarity a fixed answer is possible: its topic is offered. */
const NEAR_FIXED = 0.5;
/** Whether a passage may be said as the answer, if it is fixed. */
export const mayAnswer = (
  { passage, likeness, isGuessed }: Candidate,
  relevance: number | null = null,
): boolean => !passage.isFixed || (!isGuessed && likeness >= ANSWERS) || (relevance ?? UNREAD) >= BEARS;
/** The words to say, or the part of the passage with the requested number or address. */
function withContact(saying: Saying, { isIn }: ContactAskedFor, { documents }: LanguagePack): Saying {
  const places = saying.passage.statements.flatMap(({ told }, at) => (isIn(told) ? [at] : []));
  const isThere = places.length === 0 || saying.sentences.some(isIn);
  return isThere ? saying : sayPlaces(saying.passage, places, documents);
}

/** Lower bound of a fixed answer's confidence, whatever the cross-encoder's score; 0 for other passages. */
function leastOfFixed({ candidate, relevance }: Ranked): number {
  if (!candidate.passage.isFixed) return 0;
  if (mayAnswer(candidate, relevance)) return SURE;
  return candidate.likeness >= NEAR_FIXED ? WITHOUT_KIND : 0;
}
/** Highest confidence without the requested amount, duration or number, or with an unsure fixed answer. */
const WITHOUT_KIND = 0.4;
/** Longer questions are cut, in characters: the models read no more. */
const MAX_QUESTION = 600;
/** Time for all reading of a turn, in milliseconds; the rest is skipped. */
export const READING_WAIT_MS = 3_000;

export interface Knowing {
  library: Library;
  /** Null: words only. */
  reading: ReadingEngine | null;
  /** Aborts when the time for reading in this turn is over; null: no caller waits, so models may take their time. */
  readingEnds: AbortSignal | null;
  /** Searches in every way, whatever was found already: for comparing search results. */
  searchesAll?: boolean;
  /** Uses the cross-encoder even if the fast path is sure: for fitting the weights of the confidence. */
  looksClosely?: boolean;
}

/** A customer's question. */
interface Asked {
  text: string;
  /** The previous question, if the text may depend on it; null if it stands alone. */
  context: string | null;
  /** It continues or corrects the last answer: it may depend on that. */
  goesOn?: boolean;
  /** The topic of the last answer. */
  about?: string | null;
  /** The original message, if the text omits part of it. */
  said?: string;
  /** The message takes an earlier statement back. */
  isCorrection?: boolean;
  /** The heading of the conversation's topic, if the customer named one. */
  section?: string | null;
  /** The customer chose this topic: every question is about it until another is named. */
  isFocused?: boolean;
  /** Statements told a moment ago: others are preferred. */
  told?: readonly string[];
  /** Searches only these passages. */
  among?: readonly number[];
}

interface Ranked {
  passage: Passage;
  /** Logit of the cross-encoder; null if it was not read. */
  relevance: number | null;
  score: number;
  candidate: Candidate;
}

export interface Found {
  /** The question by itself, with typing errors corrected. */
  asked: string;
  /** The question for the models: the text, with its dependencies. */
  question: string;
  /** The standalone question, if it was combined with the previous one: "And on Sundays?". */
  standing: string | null;
  /** Best first. */
  ranked: Ranked[];
  /** Probability that the first passage answers the question, 0 to 1. */
  confidence: number;
  /** The words to say of the first passage; null without a result. */
  saying: Saying | null;
  /** The words to say of a further one. */
  sayingOf(place: number): Saying | null;
  /** The heading that the question names, or that the conversation keeps. */
  section: string | null;
  /** The knowledge has none of the question's words. */
  isUnknown: boolean;
  /** The result is relevant to the previous question, not to the current one. */
  isBorrowed: boolean;
  /** The question itself names the heading, and hardly anything else. */
  isNamed: boolean;
  features: readonly number[];
  /** Even the rarest known word of the question is in many passages. */
  isCommon: boolean;
}

/**
 * Searches the knowledge for a question, with a confidence. A question that may depend on the previous one is read in
 * several ways: inserted into that, alone, after that, and under the last topic; the best result counts.
 */
export async function find(
  knowing: Knowing,
  agent: AgentProfile,
  given: Asked,
  signal: AbortSignal,
): Promise<Found> {
  const { leaning, askedInstead } = packOf(agent.language).questions;
  const [text = given.text, context = null] = await knowing.library.spelled(
    agent,
    [given.text, given.context ?? []].flat(),
    signal,
  );
  const asked = { ...given, text, context };
  const own = `${asked.isFocused && asked.section ? `${asked.section}: ` : ''}${text}`.slice(0, MAX_QUESTION);
  if (context === null) return findOne(knowing, agent, asked, { question: own, leans: 'no' }, signal);
  const leans = given.goesOn && leaning(text) === 'no' ? 'maybe' : leaning(text);
  const isOpen = (found: Found | null) => !found || found.confidence < SURE || knowing.searchesAll === true;
  const instead = leans === 'no' && !given.isCorrection ? null : askedInstead(given.said ?? text);
  const standing = async () => {
    const question = instead && (await standingQuestion(knowing, agent, asked, instead, signal));
    if (!question) return null;
    // The last answer may answer this as well.
    const own = { ...asked, text: question, section: asked.isFocused ? asked.section : null, told: [] };
    const found = await findOne(knowing, agent, own, { question, leans: 'no' }, signal);
    return { ...found, standing: question };
  };
  const { termsOf } = packOf(agent.language).words;
  const wanted = termsOf(instead?.said ?? '');
  /** The answer contains the alternative that was asked for. */
  const names = ({ saying }: Found) => {
    const told = new Set(termsOf(saying?.sentences.join(' ') ?? ''));
    return wanted.some((term) => told.has(term));
  };
  // A correction, or a continuation with "and", says little by itself.
  const isFirst = leans === 'surely' || given.isCorrection === true;
  const put = isFirst ? await standing() : null;
  if (put && !isOpen(put) && names(put)) return put;
  const alone =
    leans === 'surely' ? null : await findOne(knowing, agent, asked, { question: own, leans: 'no' }, signal);
  if (alone && (leans === 'no' || !isOpen(alone))) return alone;
  const joined = `${context.slice(0, MAX_QUESTION / 2)} ${own}`.slice(0, MAX_QUESTION);
  const behind = await findOne(knowing, agent, asked, { question: joined, leans }, signal);
  const readings = [put ?? (await standing()), behind, alone].flatMap((found) => found ?? []);
  if (given.about && readings.every(isOpen)) {
    const question = `${given.about}: ${own}`.slice(0, MAX_QUESTION);
    const under = await findOne(knowing, agent, { ...asked, section: null }, { question, leans }, signal);
    // A correction may leave the last topic: results under it are only offered.
    const most = given.isCorrection ? UNDER_TOLD : 1;
    readings.push({ ...under, confidence: Math.min(under.confidence, most) });
  }
  // Of two equally sure results, the one that depends on the previous question wins.
  const worth = (found: Found) =>
    found.confidence +
    (names(found) ? NAMES : 0) -
    (found === alone ? POINTS : 0) -
    (found.isBorrowed && alone ? 1 : 0);
  return readings.reduce((best, other) => (worth(other) > worth(best) ? other : best));
}

/** The previous question with the current one inserted; null without a previous one. */
async function standingQuestion(
  { reading, readingEnds }: Knowing,
  agent: AgentProfile,
  { context }: Asked,
  instead: AskedInstead,
  signal: AbortSignal,
): Promise<string | null> {
  if (!context || reading?.status().state !== 'ready') return null;
  const wait = readingEnds === null ? signal : AbortSignal.any([signal, readingEnds]);
  try {
    return await rewritten(
      context.slice(-MAX_QUESTION),
      instead,
      packOf(agent.language).words,
      reading.embed,
      wait,
    );
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

/** A search request. */
interface LookedFor {
  /** The text, alone or after the previous question. */
  question: string;
  /** How surely it depends on that, `no` if it is alone. If it only may, nothing is read for a borrowed result. */
  leans: ReturnType<LanguagePack['questions']['leaning']>;
}

/**
 * Tries the fast path first: a result that similarity and words make sure enough skips the cross-encoder, which takes
 * most of a turn's time. A question that depends on a previous one always uses the cross-encoder.
 */
async function findOne(
  { library, reading, readingEnds, looksClosely = false }: Knowing,
  agent: AgentProfile,
  asked: Asked,
  { question: given, leans }: LookedFor,
  signal: AbortSignal,
): Promise<Found> {
  const isJoined = leans !== 'no';
  const language = packOf(agent.language);
  const { questions } = language;
  const { termsOf } = language.words;
  const contact = questions.contactAskedFor(asked.text);
  const question = contact?.plainly ?? given;
  const wait = readingEnds === null ? signal : AbortSignal.any([signal, readingEnds]);
  /** Late reading is skipped; a cancelled turn stays cancelled. */
  const orNull = async <T>(task: Promise<T> | undefined): Promise<T | null> => {
    try {
      return (await task) ?? null;
    } catch {
      signal.throwIfAborted();
      return null;
    }
  };
  const ready = reading?.status().state === 'ready' ? reading : null;
  const hasTopic = termsOf(asked.text).length > 0;
  const [vector = null] = (await orNull(ready?.embed([question], { as: 'question', signal: wait }))) ?? [];
  const search = async (under: string | null) => {
    const query = { text: question, vector, under };
    const [result] = await library.search(agent, [query], SEARCHED, signal);
    return result ?? { candidates: [], unknown: 1, spread: 0, total: 0, named: [] };
  };
  const everywhere = await search(null);
  const named = namedIn(asked.text, everywhere.named, language.words);
  const section = named ?? asked.section ?? null;
  const staysUnder =
    section !== null &&
    (named !== null || asked.isFocused === true || questions.leaning(asked.text) !== 'no');
  const result = staysUnder ? await search(section) : everywhere;
  const possible = result.candidates.filter(
    ({ passage }) => !asked.among || asked.among.includes(passage.id),
  );
  // A question for contact details is answered with a number or an address from any result that has it.
  const reachable = contact
    ? possible.filter(({ passage }) => passage.statements.some(({ told }) => contact.isIn(told)))
    : [];
  const candidates = (reachable.length > 0 ? reachable : possible).slice(0, READ_AT_MOST);

  const ranked = (candidate: Candidate, relevance: number | null): Ranked => ({
    passage: candidate.passage,
    candidate,
    relevance,
    // A fixed answer need not resemble an answer, and a number or an address never does.
    score:
      (vector ? candidate.likeness : candidate.standsOut) +
      RELEVANCE *
        (candidate.passage.isFixed || contact ? Math.max(relevance ?? 0, 0) : (relevance ?? UNREAD)),
  });
  /** Null if there is no time for it. */
  const closely = async (): Promise<Ranked[] | null> => {
    const logits = await lookClosely(
      { question, own: isJoined && hasTopic ? asked.text : null, texts: candidates.map(nearText) },
      (asked, texts) => orNull(ready?.relevance(asked, texts, { signal: wait })),
    );
    return (
      logits &&
      candidates.slice(0, logits.length).map((candidate, at) => ranked(candidate, logits[at] ?? null))
    );
  };

  const foundBy = async (look: Ranked[], isGlance: boolean): Promise<Found> => {
    const ranked = look.sort((a, b) => b.score - a.score);
    const best = ranked[0];
    const isUnlike = best !== undefined && !mayAnswer(best.candidate, best.relevance);
    if (isUnlike) {
      // It ranks behind passages that may answer.
      const others = ranked.filter(({ candidate, relevance }) => mayAnswer(candidate, relevance));
      const found = others.length > 0 ? await foundBy(others, isGlance) : null;
      if (found && found.confidence >= (isGlance ? SURE_AT_A_GLANCE : SURE)) return found;
    }
    // Near only because of the previous question.
    const isBorrowed = isJoined && hasTopic && (best?.relevance ?? 0) < UNRELATED;
    const chooser = isGlance && ready ? { embed: ready.embed } : ready;
    const chosen = best
      ? await choose(
          {
            question: isJoined && hasTopic ? asked.text : question,
            words: question,
            vector,
            language,
          },
          best.candidate,
          isBorrowed && leans === 'maybe' ? null : chooser,
          wait,
          isJoined ? asked.told : [],
        )
      : null;
    const saying = chosen && contact ? withContact(chosen, contact, language) : chosen;
    const features = featuresOf(ranked, isGlance ? null : saying, result.unknown, asked.among !== undefined);
    // It shares no word with the knowledge, and the cross-encoder sees no relation: the nearest passage is no answer.
    const isUnsupported = result.unknown === 1 && (best?.relevance ?? UNREAD) < RELATED;
    // A question for a price is not answered by a rule without one, however similar.
    const lacksKind = saying
      ? questions.hasAskedKind(asked.text, saying.sentences.join(' ')) === false
      : false;
    const judged = !best ? 0 : vector ? confidenceOf(features, isGlance) : BY_WORDS * best.candidate.coverage;
    const isReached = contact !== null && saying?.sentences.some(contact.isIn) === true;
    const fixed = best && vector ? leastOfFixed(best) : 0;
    const confidence = Math.max(judged, isReached ? SURE : fixed);
    return {
      asked: asked.text,
      question,
      standing: null,
      ranked,
      features,
      isCommon: isCommon(result),
      confidence:
        lacksKind || isBorrowed || isUnsupported || isUnlike
          ? Math.min(confidence, WITHOUT_KIND)
          : confidence,
      section,
      isBorrowed,
      isUnknown: result.unknown === 1,
      isNamed: named !== null && termsOf(asked.text).length <= termsOf(named).length,
      sayingOf: (place) => {
        const other = ranked[place];
        return other ? chooseByWords(question, other.candidate, language) : null;
      },
      saying,
    };
  };

  const glance = await foundBy(
    candidates.map((candidate) => ranked(candidate, null)),
    true,
  );
  const isSure = glance.confidence >= SURE_AT_A_GLANCE && !candidates.some(({ isGuessed }) => isGuessed);
  if (isSure && vector && !isJoined && !looksClosely) return glance;
  const close = await closely();
  if (!close && vector) noted('glance');
  return close ? foundBy(close, false) : glance;
}

/**
 * The heading that a question names as a name ("Harbor Court", "the Premium plan"), not as a word among others: it
 * stays the topic until another is named.
 */
export function namedIn(text: string, headings: readonly string[], { termsOf }: Words): string | null {
  const said = new Set(termsOf(text));
  const names = headings.filter((heading) => {
    const terms = termsOf(heading);
    if (!terms.every((term) => said.has(term))) return false;
    return terms.length > 1 || new RegExp(`[^.!?]\\s${escaped(heading)}`).test(text);
  });
  return names.reduce<string | null>((best, name) => (name.length > (best?.length ?? 0) ? name : best), null);
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A word in this many passages, and this share of them, is common. */
const COMMON = 2;
const COMMON_SHARE = 0.03;
export const isCommon = ({ spread, total }: Pick<SearchResult, 'spread' | 'total'>): boolean =>
  spread >= COMMON + COMMON_SHARE * total;

/**
 * The features of the confidence; `docs/dialogue.md` says how their weights were found.
 * @param saying null on the fast path
 */
function featuresOf(
  [best, second]: readonly Ranked[],
  saying: Saying | null,
  unknown: number,
  isPicked: boolean,
): number[] {
  if (!best) return [];
  // A single passage gets no lead, or an agent with only one would answer everything with it; unless the customer has
  // picked it.
  const lead = second ? best.score - second.score : isPicked ? 1 : 0;
  const glanced = [best.candidate.likeness, best.candidate.coverage, lead, unknown];
  if (!saying) return glanced;
  const relevance = best.relevance ?? UNREAD;
  const ofStatement = saying.relevance ?? relevance;
  return [chance(relevance), relevance, ...glanced, ofStatement, chance(ofStatement)];
}
