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

/** Passages that the search brings. */
const SEARCHED = 12;
/** A question that points at something is taken with the one before, unless by itself it is so much surer. */
const POINTS = 0.1;
/** What it counts that what is asked instead stands in what would be said, in confidence. */
const NAMES = 0.2;
/** Confidence at most of what a correction finds under the topic told last. */
const UNDER_TOLD = 0.7;
/** Confidence for a question all of whose words a passage has, while nothing but words can be read. */
const BY_WORDS = 0.95;
/** What a logit of the cross-encoder counts beside likeness, in cosines (docs/dialogue.md). */
const RELEVANCE = 0.04;
/** Logit of the cross-encoder from which on a passage may bear on what is asked, where not a word of that is known. */
const RELATED = -2;
/** A passage without a read relevance counts as one that does not bear on the question. */
const UNREAD = -9.5;
/** The chance that a logit stands for. */
const chance = (logit: number) => 1 / (1 + Math.exp(-logit));
/**
 * A fixed answer is sure from this likeness, or this logit of the cross-encoder, on: its business wants it said to that question
 * and to no other (docs/dialogue.md).
 */
const ANSWERS = 0.7;
const BEARS = 1;
/** From this likeness on a fixed answer is perhaps meant: it is named. */
const NEAR_FIXED = 0.5;
/** Whether a passage may be said as the answer, as far as it is fixed. */
export const mayAnswer = (
  { passage, likeness, isGuessed }: Candidate,
  relevance: number | null = null,
): boolean => !passage.isFixed || (!isGuessed && likeness >= ANSWERS) || (relevance ?? UNREAD) >= BEARS;
/** What is said, or of its passage what has the number or the address that is asked for. */
function withContact(saying: Saying, { isIn }: ContactAskedFor, { documents }: LanguagePack): Saying {
  const places = saying.passage.statements.flatMap(({ told }, at) => (isIn(told) ? [at] : []));
  const isThere = places.length === 0 || saying.sentences.some(isIn);
  return isThere ? saying : sayPlaces(saying.passage, places, documents);
}

/** How sure a fixed answer is at least, whatever the cross-encoder makes of it; 0 for what a business has not fixed. */
function leastOfFixed({ candidate, relevance }: Ranked): number {
  if (!candidate.passage.isFixed) return 0;
  if (mayAnswer(candidate, relevance)) return SURE;
  return candidate.likeness >= NEAR_FIXED ? WITHOUT_KIND : 0;
}
/** Confidence at most where the amount, duration or number asked for is missing, or a fixed answer is not surely meant. */
const WITHOUT_KIND = 0.4;
/** Longer questions are cut, in characters: the models read no more. */
const MAX_QUESTION = 600;
/** What the models have not read of a turn by then is done without, in milliseconds. */
export const READING_WAIT_MS = 3_000;

export interface Knowing {
  library: Library;
  /** Null: by words alone. */
  reading: ReadingEngine | null;
  /** Aborts when what was not read in this turn is done without; null: nobody waits on the line, so models may take their time. */
  readingEnds: AbortSignal | null;
  /** All that may be looked for is, whatever was found already: for who compares what searches bring. */
  searchesAll?: boolean;
  /** Looks closely even where a glance is sure: for who fits the weights of the confidence. */
  looksClosely?: boolean;
}

/** What a customer wants to know. */
interface Asked {
  text: string;
  /** What was asked before, which the text may lean on; null where it stands by itself. */
  context: string | null;
  /** It goes on with what was told before, or corrects it: at least perhaps it leans on that. */
  goesOn?: boolean;
  /** What was told last is about it. */
  about?: string | null;
  /** The message as it was said, where the text leaves something of it out. */
  said?: string;
  /** What was said takes something back. */
  isCorrection?: boolean;
  /** The heading that the talk is under, where the customer named one. */
  section?: string | null;
  /** They said that this is what they want to talk about: every question is about it until another is named. */
  isFocused?: boolean;
  /** Statements that were told a moment ago: others are told. */
  told?: readonly string[];
  /** Looks only among these passages. */
  among?: readonly number[];
}

interface Ranked {
  passage: Passage;
  /** Logit of the cross-encoder; null where it was not read. */
  relevance: number | null;
  score: number;
  candidate: Candidate;
}

export interface Found {
  /** What was asked by itself, its typing errors read. */
  asked: string;
  /** What the models were asked: the text, with what it leans on. */
  question: string;
  /** The question as it stands by itself, where it was put together from the one before: "And on Sundays?". */
  standing: string | null;
  /** Best first. */
  ranked: Ranked[];
  /** How likely the first passage answers the question, 0 to 1. */
  confidence: number;
  /** What to say of the first passage; null where nothing was found. */
  saying: Saying | null;
  /** What to say of a further one. */
  sayingOf(place: number): Saying | null;
  /** The heading that the question names, or the talk stays under. */
  section: string | null;
  /** None of the question's words stands in the knowledge. */
  isUnknown: boolean;
  /** What was found bears on what was asked before, not on what is asked now. */
  isBorrowed: boolean;
  /** It is the question itself that names it, and it names hardly anything else. */
  isNamed: boolean;
  features: readonly number[];
  /** Even the rarest known word of the question stands in many passages. */
  isCommon: boolean;
}

/**
 * Finds what the knowledge says to a question, and how sure that is. What may lean on what was asked before is read in several
 * ways: put into the question before, by itself, behind that question, and under what was told last; whichever finds more counts.
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
    // What was told before may answer this as well.
    const own = { ...asked, text: question, section: asked.isFocused ? asked.section : null, told: [] };
    const found = await findOne(knowing, agent, own, { question, leans: 'no' }, signal);
    return { ...found, standing: question };
  };
  const { termsOf } = packOf(agent.language).words;
  const wanted = termsOf(instead?.said ?? '');
  /** What is asked instead stands in what would be said. */
  const names = ({ saying }: Found) => {
    const told = new Set(termsOf(saying?.sentences.join(' ') ?? ''));
    return wanted.some((term) => told.has(term));
  };
  // What corrects, or goes on with an "and", says little by itself.
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
    // A correction may leave what was told: what is found under it is no more than offered.
    const most = given.isCorrection ? UNDER_TOLD : 1;
    readings.push({ ...under, confidence: Math.min(under.confidence, most) });
  }
  // Where two are as sure, what leans on the question before is meant.
  const worth = (found: Found) =>
    found.confidence +
    (names(found) ? NAMES : 0) -
    (found === alone ? POINTS : 0) -
    (found.isBorrowed && alone ? 1 : 0);
  return readings.reduce((best, other) => (worth(other) > worth(best) ? other : best));
}

/** The question before with what is asked now in its place; null where it has none. */
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

/** What is looked for. */
interface LookedFor {
  /** The text, alone or behind what was asked before. */
  question: string;
  /** How surely it leans on that, `no` where it is alone. Where it only may, what it borrowed is not said: nothing is read for it. */
  leans: ReturnType<LanguagePack['questions']['leaning']>;
}

/**
 * Looks at a glance first: what likeness and words find so surely is said without a closer look, which takes most of the
 * time of a turn. What leans on a question before is always looked at closely.
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
  /** What the models cannot tell in time is done without; a turn that was given up is given up. */
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
  // Who asks how the business is reached is told a number or an address, wherever one of those found has it.
  const reachable = contact
    ? possible.filter(({ passage }) => passage.statements.some(({ told }) => contact.isIn(told)))
    : [];
  const candidates = (reachable.length > 0 ? reachable : possible).slice(0, READ_AT_MOST);

  const ranked = (candidate: Candidate, relevance: number | null): Ranked => ({
    passage: candidate.passage,
    candidate,
    relevance,
    // What a business fixed as the answer need not look like one, and a number or an address never does.
    score:
      (vector ? candidate.likeness : candidate.standsOut) +
      RELEVANCE *
        (candidate.passage.isFixed || contact ? Math.max(relevance ?? 0, 0) : (relevance ?? UNREAD)),
  });
  /** Null where there is no time for it. */
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
      // It stands before nothing that answers.
      const others = ranked.filter(({ candidate, relevance }) => mayAnswer(candidate, relevance));
      const found = others.length > 0 ? await foundBy(others, isGlance) : null;
      if (found && found.confidence >= (isGlance ? SURE_AT_A_GLANCE : SURE)) return found;
    }
    // Near only by what was asked before.
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
    // It shares no word with the knowledge, and the cross-encoder sees no relation: being nearest is no answer.
    const isUnsupported = result.unknown === 1 && (best?.relevance ?? UNREAD) < RELATED;
    // Who asks for a price is not answered by a rule without one, however near it is.
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
 * The heading that a question names as a name ("Harbor Court", "the Premium plan"), not as a word among others: then
 * the talk stays under it until another is named.
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

/** A word is common that stands in so many passages, and in so large a share of them. */
const COMMON = 2;
const COMMON_SHARE = 0.03;
export const isCommon = ({ spread, total }: Pick<SearchResult, 'spread' | 'total'>): boolean =>
  spread >= COMMON + COMMON_SHARE * total;

/**
 * What the confidence is judged by; `docs/dialogue.md` says how their weights were found.
 * @param saying null: it was found at a glance
 */
function featuresOf(
  [best, second]: readonly Ranked[],
  saying: Saying | null,
  unknown: number,
  isPicked: boolean,
): number[] {
  if (!best) return [];
  // Being the only one speaks for nothing, or an agent with one passage would answer everything with it; unless the
  // customer has picked it.
  const lead = second ? best.score - second.score : isPicked ? 1 : 0;
  const glanced = [best.candidate.likeness, best.candidate.coverage, lead, unknown];
  if (!saying) return glanced;
  const relevance = best.relevance ?? UNREAD;
  const ofStatement = saying.relevance ?? relevance;
  return [chance(relevance), relevance, ...glanced, ofStatement, chance(ofStatement)];
}
