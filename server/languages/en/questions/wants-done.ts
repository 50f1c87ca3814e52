import { normalize } from '../words.ts';

const asks =
  /^(?:(?:and|so|but|hi|hello|please|ok(?:ay)?|well)[, ]+)*(?:(?:can|could|would|will|may|might) (?:you|i|we|somebody|someone)\b|is it possible\b|any chance\b|is there any way\b)/;

/** Whether a question asks for an action ("can you …?", "could I get …?") rather than for information. */
export const wantsDone = (text: string) => asks.test(normalize(text).trim());

/** "How do I return it?": asks for instructions, not facts. */
export const asksTheWay = (question: string): boolean =>
  /\bhow (?:do|can|could|should|would|may) (?:i|we|you|one)\b|\bhow to\b|\bwhat (?:do|must|should) (?:i|we) (?:do|have to do)\b/.test(
    normalize(question),
  );
