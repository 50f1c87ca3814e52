import type { ReadMessage } from '#server/languages/messages';

/** What a message tells and asks, in one text, without what else is done with words; empty where it is that alone. */
export const saidIn = ({ background, needs }: Pick<ReadMessage, 'background' | 'needs'>): string =>
  [background, ...needs].filter(Boolean).join(' ');
