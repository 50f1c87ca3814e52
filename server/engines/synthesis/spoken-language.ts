import { packOf } from '#server/languages/index';

/** What the embedded voice was trained to speak, whatever an agent speaks. */
export const { spokenForm, breathesBefore } = packOf('en').speech;
