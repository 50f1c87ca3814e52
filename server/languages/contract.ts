import type { Sentiment as SentimentLabel } from '#shared/conversations';
import type { Claims } from './claims.ts';
import type { DocumentWords } from './document-words.ts';
import type { Instructions } from './instructions.ts';
import type { Messages } from './messages.ts';
import type { TurnTakingLanguage } from './turn-taking.ts';
import type { Persona, Wording } from './wording.ts';
import type { Writing } from './writing.ts';

/** A number or an address under which a business is reached, which somebody asks for. */
export interface ContactAskedFor {
  /** The question in plain words. */
  plainly: string;
  /** Whether a text has it. */
  isIn(text: string): boolean;
}

/**
 * All that the server knows of one language. A second language is a folder beside `en/` that offers the same, and one
 * line in `index.ts`.
 */
export interface LanguagePack {
  /** BCP 47. */
  readonly tag: string;
  readonly words: Words;
  /** Splits prose into sentences, closing marks included; see `sentences.ts`. */
  splitSentences(text: string): string[];
  readonly documents: Documents;
  readonly questions: Questions;
  readonly messages: Messages;
  /** What the grounded responder says on its own account. */
  readonly say: Wording;
  /** How an agent speaks, read from the personality and prompts that its business wrote. */
  personaOf(agent: { personality: string; prompts: readonly string[] }): Persona;
  /** What is done by the letter of what its business told an agent, so that it needs no language model. */
  instructionsIn(prompts: readonly string[]): Instructions;
  readonly topics: Topics;
  readonly telling: Telling;
  readonly emergencies: Emergencies;
  readonly replies: Replies;
  readonly claims: Claims;
  readonly writing: Writing;
  readonly rooms: Rooms;
  readonly turnTaking: TurnTakingLanguage;
  readonly speech: Speech;
  readonly sentiment: Sentiment;
}

/** Words as they are counted and compared. */
export interface Words {
  /** Lower case, contractions spelled out, marks as they are. */
  normalize(text: string): string;
  /** The stems of the words that carry meaning, in order; figures as they are written. */
  termsOf(text: string): string[];
  /** Whether a text names nothing. */
  stopWordsOnly(text: string): boolean;
}

/** To whom a text speaks: to the customer already, of the customer, or to the agent about the customer. */
export type Audience = 'customer' | 'of-customer' | 'agent';

/** How documents are read, and how what they say is told to a customer. */
export interface Documents extends DocumentWords {
  /** Where a citation stands that is under no heading. */
  readonly nowhere: string;
  /** "a, b and c"; '' of none. */
  listed(items: readonly string[]): string;
  /** Whether a sentence of a prompt tells the agent how to behave instead of telling a customer something. */
  isSteering(sentence: string): boolean;
  audienceOf(text: string): Audience;
  /** Policy text for or about somebody else as words said to the customer. Facts, numbers and conditions stay. */
  toCustomer(text: string, audience: Audience): string;
}

/** What a question asks for, and what it leaves open. */
interface Questions {
  /**
   * Whether a text has what the question asks for: an amount for "how much", a duration for "how long". Null where its
   * form asks for nothing that can be told.
   */
  hasAskedKind(question: string, text: string): boolean | null;
  /** What is asked for where a question asks for nothing but how the business is reached; else null. */
  contactAskedFor(question: string): ContactAskedFor | null;
  /** Whether it leans on what was said before: "how long does that take?", "and to Mexico?". */
  leaning(text: string): 'surely' | 'maybe' | 'no';
  /** Whether a figure that the question tells falls into a range that a statement gives: "I'm 42", "age 40 to 44". */
  quantitiesMeet(question: string, statement: string): boolean;
  /** Whether only somebody who sees this customer's own records could answer. */
  needsOwnRecords(text: string): boolean;
  /** Whether a question asks for something to be done ("can you …?") instead of what holds in general. */
  wantsDone(text: string): boolean;
  /** "Not a refund, just cancel": without what is expressly not meant. */
  withoutNegated(text: string): string;
  /** Whether a term, a stem, says that there is something without saying what: "problem", "help". */
  isEmptyTerm(term: string): boolean;
  /** "How do I return it?": what is to be done is asked for. */
  asksTheWay(text: string): boolean;
  /** What opening hours say of a moment: open or not, and when it closes that day; null where they do not tell. */
  openAt(
    hours: string,
    moment: { weekday: number; minutes: number },
  ): { isOpen: boolean; closes: string | null } | null;
  /** What the knowledge is asked for its opening hours. */
  readonly hoursQuestion: string;
  /** "That mission", "this library": something pointed at that nobody has named. */
  pointsNowhere(text: string): boolean;
}

/** Names for what a text is about, in spoken words for the middle of a sentence; '' or null where there is none. */
interface Topics {
  /** "how to change your password" of "How do I change my password?". */
  spoken(heading: string): string;
  /** One thing that an agent's welcome offers help with: "returns" of "Returns and refunds". */
  forWelcome(heading: string): string | null;
}

/** A cell of a row with the name of its column, '' where it has none. */
export interface Cell {
  column: string;
  value: string;
}

/** How what a business wrote in tables, lists and headings is said to somebody. */
interface Telling {
  /**
   * A row as a sentence that stands by itself; null where it is better told as it is written.
   * @param asked only the cells that have what this asks for are told, where some have
   * @param heading under which the table stands
   */
  row(cells: readonly Cell[], asked: string, heading: string): string | null;
  /** Sentences of several rows, where they are alike as one. */
  rows(sentences: readonly string[]): string[];
  /** A listed thing with what holds of it, as a sentence; others as they are. */
  item(told: string): string;
  /** Whether written words tell something by themselves: a heading or the question of a list does not. */
  tells(written: string): boolean;
  /** Whether a sentence tells what to do, not what holds. */
  isStep(told: string): boolean;
  /** Whether a topic can be named as what somebody means. */
  isNameable(topic: string): boolean;
}

/** When somebody is in danger or hurt. */
export interface Emergencies {
  /** What the knowledge is asked then. */
  question(said: string): string;
  /** Whether a sentence tells what to do, not only what is covered. */
  tellsWhatToDo(sentence: string): boolean;
}

/** Replies that a language model made: what they come to only their words say. */
export interface Replies {
  conclusionOf(reply: string): 'declined' | 'handover' | null;
}

/**
 * What the agent does about something a person said among several:
 * `answer` at once, answer `if-unanswered` by anybody else, or `stay-silent`.
 */
export type Meant = 'answer' | 'if-unanswered' | 'stay-silent';

export interface SaidInRoom {
  text: string;
  /** The agent's name. */
  agentName: string;
  /** Names of the other people in the room, without the speaker and the agent. */
  otherNames: readonly string[];
  /**
   * What the agent said last, if it said it to this speaker, a moment ago, and nobody else has spoken since; null otherwise.
   */
  agentJustSaid: string | null;
}

/** Talk among several people. */
export interface Rooms {
  whoIsMeant(said: SaidInRoom): Meant;
  /** "Hm, I don't know": a question that somebody met like that still stands. */
  leavesItOpen(text: string): boolean;
}

/** Text as it is said aloud. */
interface Speech {
  /**
   * The words a person would say when reading it aloud: numbers, money, dates, codes and units in words, markup and emoji
   * left out, pauses as commas.
   * @returns sentences of words and punctuation, or "" when there is nothing to say
   */
  spokenForm(text: string): string;
  /** Words, between spaces, before which a very long sentence may be parted; global. */
  readonly breathesBefore: RegExp;
  /** Where a speaker of this text could take a breath between words, by the place of the space. */
  placesToBreathe(text: string): number[];
}

/** What the sentiment classifier sees of a text beside its words. What each sign is worth is learnt. */
interface Sentiment {
  /** Turns of phrase that say more than their words do. A model knows them by their place. */
  readonly patterns: readonly RegExp[];
  /** Whether a token turns what follows into its opposite. */
  isNegation(token: string): boolean;
  /** Whether a token ends what a negation reaches. */
  endsNegation(token: string): boolean;
  /**
   * Whether a text can be of this language.
   * @param vocabulary its words, each once
   * @param known how many of them are among the frequent ones of this language
   */
  isWrittenIn(vocabulary: readonly string[], known: number): boolean;
  /** Whether a text is nothing but a number, in figures or words. */
  isNumber(text: string): boolean;
  /** Whether a customer's message, so labelled by itself, says that their matter is settled. */
  settles(message: string, label: SentimentLabel): boolean;
  /** Thanks and nothing else, which settles nothing. */
  isCourtesy(message: string): boolean;
}
