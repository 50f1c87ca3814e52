import { packOf } from '#server/languages/index';

/** The language that the embedded voice was trained for, whatever the agent's language. */
export const { spokenForm, breathesBefore } = packOf('en').speech;
