import type { ReadMessage } from '#server/languages/messages';

/** The statements and questions of a message, in one text; empty if it is only small talk. */
export const saidIn = ({ background, needs }: Pick<ReadMessage, 'background' | 'needs'>): string =>
  [background, ...needs].filter(Boolean).join(' ');
