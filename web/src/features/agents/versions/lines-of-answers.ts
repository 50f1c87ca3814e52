import type { FixedAnswer } from '#shared/sayings';

/** Fixed answers to be read, each on a line of its own. */
export const linesOfAnswers = (answers: readonly FixedAnswer[]): string =>
  answers.map(({ about, say }) => `${about.split('\n').join(' / ')}: ${say}`).join('\n');
