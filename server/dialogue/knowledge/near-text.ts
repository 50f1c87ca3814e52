import { passageText } from '../passages/contract.ts';
import type { Candidate } from './search-index.ts';

/** Statements of a long list that are read, the likest ones. */
const NEAR = 3;

/** The text whose relevance is read: of a list of many things only what is near the question, with its headings. */
export function nearText({ passage, statements }: Candidate): string {
  if (!statements) return passageText(passage);
  const near = statements
    .map((likeness, at) => [likeness, at] as const)
    .sort(([a], [b]) => b - a)
    .slice(0, NEAR)
    .map(([, at]) => at)
    .sort((a, b) => a - b);
  return passageText({ ...passage, statements: near.flatMap((at) => passage.statements[at] ?? []) });
}
