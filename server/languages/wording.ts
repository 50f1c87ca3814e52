import type { Citation, Contact } from '#shared/conversations';
import type { Danger, ReadMessage } from './messages.ts';

export interface Persona {
  tone: 'formal' | 'friendly' | 'playful' | 'plain';
  brief: boolean;
  empathetic: boolean;
  /** "I'm" instead of "I am". */
  contractions: boolean;
}

/** The speaking agent, and the position in the conversation. */
export interface Voice {
  persona: Persona;
  agentName: string;
  companyName: string;
  /** Increases by one per turn: wordings rotate with it, so that a call does not repeat itself. */
  turn: number;
}

/** A customer's value for an action's input. */
export interface SaidInput {
  label: string;
  value: string;
}

/** The closest passage. */
interface Offer {
  /** '' without a name. */
  topic: string;
  told: readonly string[];
  /** Another possible topic, or ''. */
  other: string;
  /** It is probably not what is meant, so a colleague is offered, too. */
  isFar: boolean;
}

/** A moment and its time zone. */
export interface Moment {
  now: Date;
  /** IANA name. */
  timeZone: string;
}

type Says = (voice: Voice) => string;
/** One sentence each. */
type SaysAll = (voice: Voice) => string[];

/**
 * All sentences of the grounded responder. `topic` and `topics` are names in spoken words for the middle of a
 * sentence, `told` is the business's text; a topic may be ''.
 */
export interface Wording {
  /** First words of a call, with what it can help with. */
  welcome(voice: Voice, topics: readonly string[]): string;
  greeting: Says;
  thanks: Says;
  goodbye: Says;
  howAreYou: Says;
  /** Which language it speaks, when asked for another one. */
  languages: Says;
  /** Whether it can be heard. */
  hearYou: Says;
  /** The customer wanted to call somebody else. */
  wrongNumber: Says;
  /** What a number or address is needed for. */
  whyContact: Says;
  /** @param moment in the business's time zone */
  time(voice: Voice, moment: Moment): string;
  /** @param hours the business's text about its hours; empty if unknown */
  openNow(
    moment: Moment,
    isOpen: { isOpen: boolean; closes: string | null } | null,
    hours: readonly string[],
  ): string[];
  weather: Says;
  /** The customer no longer wants any of it. */
  neverMind: Says;
  whoAreYou: Says;
  areYouHuman: Says;
  whatCanYouDo(voice: Voice, topics: readonly string[]): string;
  /** Reply to a "yes" or "okay" that answers nothing. */
  acknowledged: Says;
  /** After an answer: asks whether the customer wants to know more. */
  anythingElse: Says;
  /** Reply to a "no" that answers nothing. */
  denied: Says;
  /** The answer missed the point. */
  misunderstood: Says;
  /** Said when an answer takes long. */
  oneMoment: Says;
  /** The customer wants a moment or silence. */
  takeYourTime: Says;
  /** The customer has been silent for a while. */
  stillThere: Says;
  compliment: Says;
  abuse: Says;
  /** Nothing was found about a matter that is rarely the business's. */
  outside: Says;
  /** Said before the answer, by mood. */
  empathy(voice: Voice, mood: NonNullable<ReadMessage['mood']>): string;

  declined: Says;
  /** One of several questions cannot be answered. */
  declinedPart: Says;
  /** The closest passage, introduced by its name. */
  offer(voice: Voice, offer: Offer): string[];
  /** Another passage, after the first was rejected. */
  offerAnother(voice: Voice, topic: string, told: readonly string[]): string[];
  /** The relevant text was told a moment ago. */
  nothingMore: SaysAll;
  /** The same rule has another figure elsewhere: names both, with their places. */
  elsewhere(source: string, other: Citation): string[];
  /** Text near the second of two questions. */
  alsoTold(topic: string, told: readonly string[]): string[];
  /** Text on the topic that the customer picked. */
  toldOf(told: readonly string[]): string[];
  /** A short question that names the possible topics. */
  askWhich(voice: Voice, topics: readonly string[]): string[];
  /** Nothing searchable was said. */
  askWhat(voice: Voice, topics: readonly string[]): string[];
  /** Only a topic was named. */
  askWhatAbout(name: string): string;
  /** Something was told and nothing asked. */
  /** @param isNear whether known text may be what they want to know about */
  tellMore(voice: Voice, isNear: boolean): string[];
  /**
   * Only somebody with the customer's records can say; adds what applies to everyone: nothing, or whole
   * sentences.
   */
  cannotSee(voice: Voice, general: readonly string[]): string[];
  /** It was what they meant, and there is nothing to add. */
  confirmed: Says;
  /** It was what they meant, with further text on it. */
  confirmedWith(told: readonly string[]): string[];
  /** None of the offered topics was it. */
  noneOfThese: SaysAll;

  /** Offers a person to a frustrated customer. */
  letColleague: Says;
  /** A colleague will get back to them: repeats the contact details once. */
  handedOver(contact: Contact): string[];
  alreadyHandedOver: Says;
  askName: Says;
  /** @param feeling said first; may be '' */
  askHowToReach(voice: Voice, feeling: string): string[];
  /** Asks for an action's input by its label; again if the answer was unusable. */
  askInput(voice: Voice, label: string, isAgain: boolean): string;
  /** Reads an action back before it runs, and asks for a yes. */
  confirmAction(name: string, inputs: readonly SaidInput[]): string[];
  /**
   * Reads it back once more, in other words.
   * @param isAfterOther another question was answered in between; otherwise the answer was neither yes nor no
   */
  confirmAgain(voice: Voice, name: string, inputs: readonly SaidInput[], isAfterOther: boolean): string[];
  /** Nothing is known about a question in the middle of an action, which continues. */
  cannotSay: Says;
  /** Another person in a room answered than the one who was asked. */
  askedAnother: Says;
  /** The customer does not want it after all. */
  notDone: Says;
  /** The business's system does not know what they named. */
  notFoundWith(inputs: readonly SaidInput[]): string;
  /** The business's system does not answer; offers a colleague. */
  cannotReach: SaysAll;
  /** It was interrupted and may have been done; offers a colleague. */
  maybeDone: SaysAll;
  /** An expected input did not come; offers a colleague. */
  stillNot: SaysAll;
  /** It is done, without further details. */
  done: Says;
  /** The same was already done in this conversation. */
  doneAlready: Says;
  /** Part of a number was told; waits for the rest. */
  goOn: Says;
  /** The read-back was wrong. */
  askReachAgain: SaysAll;
  /** Confirms a correction. */
  corrected(what: string): string[];
  /** A human word before anything else. */
  concerned(voice: Voice, kind: Danger): string;
  /** @param numbers to call at the business's location; null if unknown */
  emergency(voice: Voice, kind: Danger, numbers: { emergency: string; crisis: string | null } | null): string;
  emergencyHandover: Says;
}
