import { readByThemselves } from '#server/languages/danger';
import { packOf } from '#server/languages/index';

/**
 * The language of the weights: the model was trained on English messages, and its features refer to English
 * patterns by index.
 */
export const trainedFor = packOf('en').sentiment;

/** Reads a message in that language. */
export const readFor = packOf('en').messages.read;

/** Splits a message in that language into the sentences that are checked for danger individually. */
export const sentencesFor = (text: string) => readByThemselves(text, packOf('en').splitSentences);
