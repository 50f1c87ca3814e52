import { readFileSync } from 'node:fs';

/**
 * Ordinary sentences of businesses, or questions of customers, from many trades; written for tests, one per
 * line.
 */
export const ordinary = (kind: 'sentences' | 'questions'): string[] =>
  readFileSync(new URL(`../fixtures/ordinary/${kind}.txt`, import.meta.url), 'utf8')
    .split('\n')
    .filter(Boolean);
