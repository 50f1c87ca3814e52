import type { Citation, Contact } from '#shared/conversations';
import type { Danger, ReadMessage } from './messages.ts';

/** How an agent speaks. */
export interface Persona {
  tone: 'formal' | 'friendly' | 'playful' | 'plain';
  brief: boolean;
  empathetic: boolean;
  /** "I'm" instead of "I am". */
  contractions: boolean;
}

/** Who speaks, and where in the conversation. */
export interface Voice {
  persona: Persona;
  agentName: string;
  companyName: string;
  /** Grows by one with every turn: wordings take turns by it, so that a call does not repeat itself. */
  turn: number;
}

/** What a customer has said for an input of an action. */
export interface SaidInput {
  label: string;
  value: string;
}

/** The closest passage. */
interface Offer {
  /** '' where nothing names it. */
  topic: string;
  told: readonly string[];
  /** What else it could be about, or ''. */
  other: string;
  /** It is rather not what is meant: a colleague is offered with it. */
  isFar: boolean;
}

/** A point in time, and where it is read off the clock. */
export interface Moment {
  now: Date;
  /** IANA name. */
  timeZone: string;
}

type Says = (voice: Voice) => string;
/** One sentence each. */
type SaysAll = (voice: Voice) => string[];

/**
 * All that the grounded responder says on its own account. `topic` and `topics` are names in spoken words for the middle
 * of a sentence, `told` what the business wrote; a topic may be ''.
 */
export interface Wording {
  /** The first words of a call, and what it helps with. */
  welcome(voice: Voice, topics: readonly string[]): string;
  greeting: Says;
  thanks: Says;
  goodbye: Says;
  howAreYou: Says;
  /** Which language it speaks, to whoever asks for another one. */
  languages: Says;
  /** Whether it can be heard. */
  hearYou: Says;
  /** They wanted to call somebody else. */
  wrongNumber: Says;
  /** What a number or an address is asked for. */
  whyContact: Says;
  /** @param moment where the business is */
  time(voice: Voice, moment: Moment): string;
  /** @param hours what the business wrote of its hours; empty where nothing is known */
  openNow(
    moment: Moment,
    isOpen: { isOpen: boolean; closes: string | null } | null,
    hours: readonly string[],
  ): string[];
  weather: Says;
  /** They want nothing of it any more. */
  neverMind: Says;
  whoAreYou: Says;
  areYouHuman: Says;
  whatCanYouDo(voice: Voice, topics: readonly string[]): string;
  /** A "yes" or "okay" that answers nothing. */
  acknowledged: Says;
  /** Whether the customer wants to know more: behind an answer. */
  anythingElse: Says;
  /** A "no" that answers nothing. */
  denied: Says;
  /** The answer was beside the point. */
  misunderstood: Says;
  /** Said when an answer takes its time. */
  oneMoment: Says;
  /** They want a moment, or silence. */
  takeYourTime: Says;
  /** They have said nothing for a while. */
  stillThere: Says;
  compliment: Says;
  abuse: Says;
  /** Nothing was found of what is hardly the business's matter. */
  outside: Says;
  /** What is met before the answer. */
  empathy(voice: Voice, mood: NonNullable<ReadMessage['mood']>): string;

  declined: Says;
  /** When one of several questions cannot be answered. */
  declinedPart: Says;
  /** The closest passage, asked for by its name and told. */
  offer(voice: Voice, offer: Offer): string[];
  /** Another passage, after the first was not it. */
  offerAnother(voice: Voice, topic: string, told: readonly string[]): string[];
  /** What bears on it was told a moment ago. */
  nothingMore: SaysAll;
  /** The same rule with another figure elsewhere: both are said, and where they stand. */
  elsewhere(source: string, other: Citation): string[];
  /** What is near the second of two questions. */
  alsoTold(topic: string, told: readonly string[]): string[];
  /** What there is on the topic they picked. */
  toldOf(told: readonly string[]): string[];
  /** One short question that names what it could be. */
  askWhich(voice: Voice, topics: readonly string[]): string[];
  /** Nothing was said that could be looked up. */
  askWhat(voice: Voice, topics: readonly string[]): string[];
  /** Only what it is about was named. */
  askWhatAbout(name: string): string;
  /** Something was told, nothing asked. */
  /** @param isNear something that is known may be what they want to know about */
  tellMore(voice: Voice, isNear: boolean): string[];
  /** What only somebody with the customer's own records can say, with what holds for everybody: nothing, or whole sentences. */
  cannotSee(voice: Voice, general: readonly string[]): string[];
  /** It was what they meant, and there is nothing more to it. */
  confirmed: Says;
  /** It was what they meant, and what else belongs to it. */
  confirmedWith(told: readonly string[]): string[];
  /** None of what was offered was it. */
  noneOfThese: SaysAll;

  /** Who is fed up is offered a person. */
  letColleague: Says;
  /** A colleague will get back to them: what was left is read back once. */
  handedOver(contact: Contact): string[];
  alreadyHandedOver: Says;
  askName: Says;
  /** @param feeling said first; may be '' */
  askHowToReach(voice: Voice, feeling: string): string[];
  /** Asks for an input of an action by its label; again where the answer was none. */
  askInput(voice: Voice, label: string, isAgain: boolean): string;
  /** Reads an action back before it is done, and asks for a yes. */
  confirmAction(name: string, inputs: readonly SaidInput[]): string[];
  /**
   * Reads it back once more, in other words.
   * @param isAfterOther something else was answered in between; otherwise what they said was neither yes nor no
   */
  confirmAgain(voice: Voice, name: string, inputs: readonly SaidInput[], isAfterOther: boolean): string[];
  /** Nothing is known of what they asked in the middle of an action, which goes on. */
  cannotSay: Says;
  /** Somebody in a room answers what somebody else was asked. */
  askedAnother: Says;
  /** They do not want it after all. */
  notDone: Says;
  /** The business's system knows nothing of what they named. */
  notFoundWith(inputs: readonly SaidInput[]): string;
  /** The business's system does not answer; a colleague is offered. */
  cannotReach: SaysAll;
  /** It broke off, and may have been done; a colleague is offered. */
  maybeDone: SaysAll;
  /** What was asked for did not come after all; a colleague is offered. */
  stillNot: SaysAll;
  /** It is done, and nothing more can be said of it. */
  done: Says;
  /** The same was done in this conversation before. */
  doneAlready: Says;
  /** A part of a number was told; the rest is waited for. */
  goOn: Says;
  /** What was read back to them was wrong. */
  askReachAgain: SaysAll;
  /** Corrected as they said. */
  corrected(what: string): string[];
  /** A human word before anything else. */
  concerned(voice: Voice, kind: Danger): string;
  /** @param numbers what to call where the business is; null where that is not known */
  emergency(voice: Voice, kind: Danger, numbers: { emergency: string; crisis: string | null } | null): string;
  emergencyHandover: Says;
}
