import { normalize } from '../words.ts';

const asks =
  /^(?:(?:and|so|but|hi|hello|please|ok(?:ay)?|well)[, ]+)*(?:(?:can|could|would|will|may|might) (?:you|i|we|somebody|someone)\b|is it possible\b|any chance\b|is there any way\b)/;

/** Whether a question asks for something to be done ("can you …?", "could I get …?") instead of what holds in general. */
export const wantsDone = (text: string) => asks.test(normalize(text).trim());
