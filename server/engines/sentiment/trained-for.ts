import { packOf } from '#server/languages/index';

/** What the model's weights belong to: it was trained on English messages and knows the signs of English by their place. */
export const trainedFor = packOf('en').sentiment;

const { read, withFigures } = packOf('en').messages;

/** Reads a message in that language. */
export const readFor = read;

/** Whether a text is nothing but figures, said or written: "four four seven two". */
export const isNumber = (text: string): boolean =>
  /\d/.test(withFigures(text)) && !/\p{L}/u.test(withFigures(text));
