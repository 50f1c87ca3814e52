import type { FixedAnswer } from '#shared/sayings';

/** Fixed answers for reading, one per line. */
export const linesOfAnswers = (answers: readonly FixedAnswer[]): string =>
  answers.map(({ about, say }) => `${about.split('\n').join(' / ')}: ${say}`).join('\n');
