import { packOf } from '#server/languages/index';

/** What the model's weights belong to: it was trained on English messages and knows the signs of English by their place. */
export const trainedFor = packOf('en').sentiment;
