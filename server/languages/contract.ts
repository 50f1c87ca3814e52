import type { Sentiment as SentimentLabel } from '#shared/conversations';
import type { Claims } from './claims.ts';
import type { DocumentWords } from './document-words.ts';
import type { Instructions } from './instructions.ts';
import type { Messages } from './messages.ts';
import type { TurnTakingLanguage } from './turn-taking.ts';
import type { Persona, Wording } from './wording.ts';
import type { Writing } from './writing.ts';

/** A number or address of the business that a customer asks for. */
export interface ContactAskedFor {
  /** The question in plain words. */
  plainly: string;
  /** Whether a text contains it. */
  isIn(text: string): boolean;
}

/**
 * Everything that the server knows about one language. A second language is a folder beside `en/` with the
 * same contents, and one line in `index.ts`.
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
  /** The grounded responder's own sentences. */
  readonly say: Wording;
  /** How an agent speaks, derived from its personality and prompts. */
  personaOf(agent: { personality: string; prompts: readonly string[] }): Persona;
  /** The prompts' instructions that can be followed to the letter, without a language model. */
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

/** Words in the form in which they are counted and compared. */
export interface Words {
  /** Lower case with contractions spelled out; marks unchanged. */
  normalize(text: string): string;
  /** Stems of the meaningful words, in order; figures unchanged. */
  termsOf(text: string): string[];
  /** Whether a text consists only of stop words. */
  stopWordsOnly(text: string): boolean;
}

/** Whom a text addresses: the customer, or the agent; or whether it talks about the customer. */
export type Audience = 'customer' | 'of-customer' | 'agent';

/** How documents are read, and how their content is told to a customer. */
export interface Documents extends DocumentWords {
  /** Place named by a citation without a heading. */
  readonly nowhere: string;
  /** "a, b and c"; '' of none. */
  listed(items: readonly string[]): string;
  /** Whether a sentence of a prompt tells the agent how to behave, rather than informing customers. */
  isSteering(sentence: string): boolean;
  audienceOf(text: string): Audience;
  /**
   * Rewrites policy text for or about somebody else as words to the customer. Facts, numbers and conditions
   * stay.
   */
  toCustomer(text: string, audience: Audience): string;
}

/** What a follow-up or a correction asks for in place of something in the previous question. */
export interface AskedInstead {
  /** The words to insert there: "electric" of "and an electric one?". */
  said: string;
  /** The words it replaces, if the customer named them: "debit" of "the credit card, not the debit one". */
  not: string | null;
  /** "The electric one": the noun was said before. */
  isOfSameKind: boolean;
}

/** Analyses what a question asks for and leaves open. */
interface Questions {
  /**
   * Whether a text contains the kind of thing asked for: an amount for "how much", a duration for "how long".
   * Null if the question's form does not tell.
   */
  hasAskedKind(question: string, text: string): boolean | null;
  /** Set if the question asks only how to reach the business; else null. */
  contactAskedFor(question: string): ContactAskedFor | null;
  /** Whether it is a follow-up to what was said before: "how long does that take?", "and to Mexico?". */
  leaning(text: string): 'surely' | 'maybe' | 'no';
  /** "And on Sundays?", "not the flu jab, the travel one". Null for a message that is a question or remark of its own. */
  askedInstead(message: string): AskedInstead | null;
  /** Whether a figure in the question lies in a range in the statement: "I'm 42", "age 40 to 44". */
  quantitiesMeet(question: string, statement: string): boolean;
  /** Whether only somebody with access to this customer's records could answer. */
  needsOwnRecords(text: string): boolean;
  /** Whether a question asks for an action ("can you …?") rather than for information. */
  wantsDone(text: string): boolean;
  /** "Not a refund, just cancel": removes what is expressly excluded. */
  withoutNegated(text: string): string;
  /** Whether a stem names something without content: "problem", "help". */
  isEmptyTerm(term: string): boolean;
  /** "How do I return it?": asks for instructions. */
  asksTheWay(text: string): boolean;
  /**
   * Whether the opening hours say that the business is open at a moment, and when it closes that day; null if
   * they do not tell.
   */
  openAt(
    hours: string,
    moment: { weekday: number; minutes: number },
  ): { isOpen: boolean; closes: string | null } | null;
  /** The query that finds the opening hours. */
  readonly hoursQuestion: string;
  /** "That mission", "this library": refers to something that was not mentioned. */
  pointsNowhere(text: string): boolean;
}

/** Names of topics, in spoken words for the middle of a sentence; '' or null if there is none. */
interface Topics {
  /** "how to change your password" for "How do I change my password?". */
  spoken(heading: string): string;
  /** A topic that a welcome offers help with: "returns" for "Returns and refunds". */
  forWelcome(heading: string): string | null;
}

/** A cell with the name of its column, '' if unnamed. */
export interface Cell {
  column: string;
  value: string;
}

/** Turns tables, lists and headings into spoken sentences. */
interface Telling {
  /**
   * A row as an independent sentence; null if it is better quoted as written.
   * @param asked tells only the cells that answer this, if any do
   * @param heading the heading above the table
   */
  row(cells: readonly Cell[], asked: string, heading: string): string | null;
  /** Merges sentences of similar rows into one. */
  rows(sentences: readonly string[]): string[];
  /** A list item with its detail as a sentence; other items unchanged. */
  item(told: string): string;
  /** Whether written words are informative by themselves: a heading or a question of a list is not. */
  tells(written: string): boolean;
  /** Whether a sentence gives an instruction rather than a fact. */
  isStep(told: string): boolean;
  /** Whether a topic can be named as what the customer means. */
  isNameable(topic: string): boolean;
}

/** Replies to somebody in danger or hurt. */
export interface Emergencies {
  /** The query to search with. */
  question(said: string): string;
  /** Whether a sentence gives instructions, not only coverage. */
  tellsWhatToDo(sentence: string): boolean;
}

/** Classifies the outcome of a language model's reply from its words. */
export interface Replies {
  conclusionOf(reply: string): 'declined' | 'handover' | null;
}

/**
 * How the agent reacts to an utterance among several people: `answer` at once, answer `if-unanswered` by
 * another person, or `stay-silent`.
 */
export type Meant = 'answer' | 'if-unanswered' | 'stay-silent';

export interface SaidInRoom {
  text: string;
  /** The agent's name. */
  agentName: string;
  /** Names of the other people in the room, except speaker and agent. */
  otherNames: readonly string[];
  /** The agent's last words, if said to this speaker a moment ago and nobody has spoken since; else null. */
  agentJustSaid: string | null;
}

/** Conversation among several people. */
export interface Rooms {
  whoIsMeant(said: SaidInRoom): Meant;
  /** "Hm, I don't know": after such an answer a question is still open. */
  leavesItOpen(text: string): boolean;
}

/** Text in spoken form. */
interface Speech {
  /**
   * The words that a person would say when reading it aloud: numbers, money, dates, codes and units in words,
   * without markup and emoji, pauses as commas.
   * @returns sentences of words and punctuation, or "" if nothing can be said
   */
  spokenForm(text: string): string;
  /** Words, between spaces, before which a very long sentence may be divided; global. */
  readonly breathesBefore: RegExp;
  /** Positions of spaces at which a speaker could breathe. */
  placesToBreathe(text: string): number[];
}

/** Features of a text for the sentiment classifier, besides words. Their weights are learnt. */
interface Sentiment {
  /** Phrases that mean more than their words. A model refers to them by index. */
  readonly patterns: readonly RegExp[];
  /** Whether a token negates what follows. */
  isNegation(token: string): boolean;
  /** Whether a token ends the reach of a negation. */
  endsNegation(token: string): boolean;
  /**
   * Whether a text can be in this language.
   * @param vocabulary its distinct words
   * @param known how many of them are frequent words of this language
   */
  isWrittenIn(vocabulary: readonly string[], known: number): boolean;
  /** Whether a text is only a number, in figures or words. */
  isNumber(text: string): boolean;
  /** Whether a customer's message with this label says that the matter is settled. */
  settles(message: string, label: SentimentLabel): boolean;
  /** Thanks only, which settles nothing. */
  isCourtesy(message: string): boolean;
}
