import type { Findings } from './find.ts';
import type { Question } from './question.ts';
import type { SearchIndex } from './search-index.ts';

/** The two topics a vague message may mean, or none when it names something the knowledge does not have. */
export function closest(
  index: SearchIndex,
  question: Question,
  findings: Findings,
  confidence: number,
): string[] {
  if (question.terms.length === 0 || question.terms.length > 2 || findings.unknown > 0) return [];
  if (confidence < -0.35 || question.kind !== 'statement') return [];
  const topics: string[] = [];
  for (const candidate of findings.candidates.slice(0, 8)) {
    const heading = index.units[candidate.unit]?.headings.at(-1);
    if (heading && !topics.includes(heading) && heading.length < 50) topics.push(heading);
    if (topics.length === 2) break;
  }
  return topics.length === 2 ? topics : [];
}
