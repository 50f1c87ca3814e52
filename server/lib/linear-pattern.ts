import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import type { Reason } from '#shared/refusals/refusal';
import { type LinearSource, linearSource } from './linear-source.ts';

/**
 * Remaining budget in steps: one instruction of a pattern at one character. A million take a tenth of a
 * second.
 */
export interface Work {
  left: number;
}

/** Steps to compile one instruction of a pattern. */
const PER_INSTRUCTION = 20;
const PER_PROPERTY = 1_000;
/** Instructions of all cached patterns: some 20 MB. */
const KEPT = 100_000;

interface Ready extends LinearSource {
  engine: RE2JS;
}

const ready = new LRUCache<string, Ready>({ maxSize: KEPT, sizeCalculation: ({ size }) => size + 50 });

/**
 * Whether a whole value matches an untrusted regular expression, in time linear in the length of both:
 * JavaScript's own backtracking engine is not used.
 * @param work is reduced by the steps taken; when used up, nothing matches
 */
export function matchesWhole(pattern: string, value: string, work: Work): boolean {
  const known = ready.get(pattern) ?? makeReady(pattern, work);
  return (
    known !== null && isLeft(work, known.size * (value.length + 1)) && known.engine.matcher(value).matches()
  );
}

/** Why a JavaScript regular expression cannot be used; null if it can. */
export function patternProblem(pattern: string): Reason | null {
  const source = linearSource(pattern);
  return 'problem' in source ? source.problem : null;
}

function makeReady(pattern: string, work: Work): Ready | null {
  const source = linearSource(pattern);
  if ('problem' in source) return null;
  if (!isLeft(work, source.size * PER_INSTRUCTION + source.properties * PER_PROPERTY)) return null;
  const made = { ...source, engine: RE2JS.compile(source.source) };
  ready.set(pattern, made);
  return made;
}

function isLeft(work: Work, steps: number): boolean {
  work.left -= steps;
  return work.left >= 0;
}
