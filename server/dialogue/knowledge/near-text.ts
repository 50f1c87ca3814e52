import { passageText } from '../passages/contract.ts';
import type { Candidate } from './search-index.ts';

/** Statements read of a long list, the most similar ones. */
const NEAR = 3;

/** The text whose relevance is read: of a long list only the statements near the question, with headings. */
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
