import type { InputType } from '#shared/actions';
import type { Contact } from '#shared/conversations';

/** Acts of a message besides asking. */
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
 * The kind of emergency: a place to leave (`danger`), a body that needs help (`injury`), a wish to die
 * (`despair`), or a person who harms or threatens (`violence`).
 */
export type Danger = 'danger' | 'injury' | 'despair' | 'violence';

export interface ReadMessage {
  acts: Act[];
  /** Questions or wishes, one each. */
  needs: string[];
  /** Nothing was asked: `needs` holds statements. */
  isStatement: boolean;
  /** Statements made along with a question. */
  background: string;
  mood: 'frustrated' | 'broken' | 'sorry-customer' | null;
  danger: Danger | null;
}

/** The answer to "Shall I?". `gives-up`: the customer no longer wants any of it. */
export type Consent = 'yes' | 'no' | 'gives-up';

/** The question before the answer. */
export interface AskedConsent {
  /** The read-back of the deed, with the question. */
  readBack: string;
  /** Whether a yes was asked for; otherwise a missing input was, and nothing counts as a yes. */
  isYesAskedFor: boolean;
  agentName: string;
}

/** A value to find in a customer's words. */
export interface AskedValue {
  type: InputType;
  /** It was just asked for, so less evidence is needed. */
  isAsked: boolean;
  /** For "tomorrow" and "on Friday", in the server's time. */
  today: Date;
}

/** Reads customers' messages. */
export interface Messages {
  /** Small talk, questions, mood, danger. */
  read(message: string): ReadMessage;
  /**
   * The contact details in a message.
   * @param asked what the customer was asked for: then a bare name counts
   */
  contactIn(message: string, asked: 'name' | 'phone' | null): Contact;
  /**
   * Values in a message for an action's input, most likely first, with digits and letters as people write,
   * say and spell them: digits only, a date as 2026-12-04, any words only if they were asked for.
   */
  valuesIn(message: string, asked: AskedValue): string[];
  /**
   * Null if it is neither a yes nor a no. A yes must be complete, and may repeat the read-back and call the
   * agent by name: with a condition, question, doubt, other value or other wish it is none.
   */
  consentIn(message: string, asked: AskedConsent): Consent | null;
  /**
   * The most likely act besides asking, by the message's vector, embedded as a question.
   * @param revision of the engine that made the vector
   * @returns null for none, or if vectors of that engine cannot be used
   */
  actIn(vector: Float32Array, revision: string): { act: Act; chance: number } | null;
  /** Whether it corrects the previous message: "no, 4472". */
  isCorrection(message: string): boolean;
  /** Converts spoken digits: "oh seven double nine". */
  withFigures(text: string): string;
  /** The placeholder for masked data in a message. */
  readonly maskedAs: Record<'card' | 'account' | 'nationalId' | 'email' | 'phone', string>;
  /** "No, with two L", "seven at the end": the corrected contact details; null if nothing is corrected. */
  correctedContact(contact: Contact, message: string): Contact | null;
  /**
   * The part of a number or address that a message ends with, or gives as an answer, whose rest is still to
   * come; null if there is none or it is complete.
   */
  unfinishedContact(message: string, isAsked: boolean): string | null;
  /** Whether it tells a number or address as one to be reached on: "my number is oh two oh". */
  announcesContact(message: string): boolean;
  /** Whether it may be part of a number or address whose rest is still to come: "oh seven seven oh". */
  isPartOfContact(message: string): boolean;
  /** Index of the option picked by position ("the second one"); null if none. */
  placeIn(message: string, options: number): number | null;
  /**
   * Title of a conversation: 3 to 6 words in title case, from the last answer, else from the customer's
   * words. Null while neither names anything.
   * @param topics topics of replies, in spoken words, oldest first
   */
  title(messages: readonly string[], topics?: readonly string[]): string | null;
}
