import { packOf } from '#server/languages/index';

/** What the model's weights belong to: it was trained on English messages and knows the signs of English by their place. */
export const trainedFor = packOf('en').sentiment;

/** Reads a message in that language. */
export const readFor = packOf('en').messages.read;
