import type { InputType } from '#shared/actions';
import type { Contact } from '#shared/conversations';

/** What is done with words besides asking. */
export type Act =
  | 'greeting'
  | 'thanks'
  | 'goodbye'
  | 'how-are-you'
  | 'who-are-you'
  | 'are-you-human'
  | 'what-can-you-do'
  | 'yes'
  | 'no'
  | 'handover'
  | 'wait'
  | 'misunderstood'
  | 'repeat'
  | 'more'
  | 'compliment'
  | 'abuse'
  | 'injection'
  | 'outside'
  | 'languages'
  | 'hear-me'
  | 'wrong-number'
  | 'why-contact'
  | 'time'
  | 'open-now'
  | 'weather'
  | 'never-mind';

/**
 * What somebody is in: a place to leave (`danger`), a body that needs help (`injury`), a wish to die (`despair`), or somebody who
 * harms or threatens (`violence`).
 */
export type Danger = 'danger' | 'injury' | 'despair' | 'violence';

export interface ReadMessage {
  /** What is done besides asking, in order. */
  acts: Act[];
  /** What is asked or wanted, one each. */
  needs: string[];
  /** Nothing was asked: what is in `needs` was told. */
  isStatement: boolean;
  /** Told along with a question. */
  background: string;
  mood: 'frustrated' | 'broken' | 'sorry-customer' | null;
  danger: Danger | null;
}

/** What somebody says to "Shall I?". `gives-up`: they want none of it any more. */
export type Consent = 'yes' | 'no' | 'gives-up';

/** What somebody was asked before they said it. */
export interface AskedConsent {
  /** What is to be done, as it was read back, with the question. */
  readBack: string;
  /** Whether a yes was asked for; otherwise it was something that is still missing, and nothing is a yes. */
  isYesAskedFor: boolean;
  agentName: string;
}

/** A value that is looked for in what a customer says. */
export interface AskedValue {
  type: InputType;
  /** They were asked for it just now: then less proves it. */
  isAsked: boolean;
  /** For "tomorrow" and "on Friday", in the server's own time. */
  today: Date;
}

/** What a customer writes or says. */
export interface Messages {
  /** Small talk, what is asked, how the customer feels, whether anybody is in danger. */
  read(message: string): ReadMessage;
  /**
   * What a message says of how to reach the customer.
   * @param asked what they were asked for: then a bare name is one
   */
  contactIn(message: string, asked: 'name' | 'phone' | null): Contact;
  /**
   * What a message says for an input of an action, the likeliest first, digits and letters as people write, say and spell
   * them: digits alone, a date as 2026-12-04, any words only where they were asked for.
   */
  valuesIn(message: string, asked: AskedValue): string[];
  /**
   * Null where it is neither a yes nor a no. A yes is one to its last word, which may repeat what was read back and call the
   * agent by its name: a condition, a question, a doubt, another value or another wish makes it none.
   */
  consentIn(message: string, asked: AskedConsent): Consent | null;
  /**
   * What is likeliest done with a message besides asking, by the reading engine's vector of it, made as of a question.
   * @param revision of the engine that made the vector
   * @returns null where nothing of the kind is done, or where it cannot be told by vectors of that engine
   */
  actIn(vector: Float32Array, revision: string): { act: Act; chance: number } | null;
  /** Whether it takes back what was said before: "no, 4472". */
  isCorrection(message: string): boolean;
  /** Figures that were said in words, written as figures: "oh seven double nine". */
  withFigures(text: string): string;
  /** What stands in a message for what must not be kept. */
  readonly maskedAs: Record<'card' | 'account' | 'nationalId' | 'email' | 'phone', string>;
  /** "No, with two L", "seven at the end": what was left, as corrected; null where nothing is. */
  correctedContact(contact: Contact, message: string): Contact | null;
  /**
   * The part of a number or an address that a message ends with, or gives where it was asked for, the rest of which is still to
   * come; null where there is none, or it is whole.
   */
  unfinishedContact(message: string, isAsked: boolean): string | null;
  /** Whether it may be a part of a number or an address, the rest of which is still to come: "oh seven seven oh". */
  isPartOfContact(message: string): boolean;
  /** The place of the option that is picked by where it stood ("the second one"); null where none is. */
  placeIn(message: string, options: number): number | null;
  /**
   * Title of a conversation: 3 to 6 words in title case, from what was answered last, else from the customer's words.
   * Null while neither names anything.
   * @param topics what replies were about, in spoken words, oldest first
   */
  title(messages: readonly string[], topics?: readonly string[]): string | null;
}
