import { readByThemselves } from '#server/languages/danger';
import { packOf } from '#server/languages/index';

/** What the model's weights belong to: it was trained on English messages and knows the signs of English by their place. */
export const trainedFor = packOf('en').sentiment;

/** Reads a message in that language. */
export const readFor = packOf('en').messages.read;

/** Sentences of a message in that language that are read for danger by themselves. */
export const sentencesFor = (text: string) => readByThemselves(text, packOf('en').splitSentences);
