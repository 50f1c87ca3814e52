import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import { type LinearSource, linearSource } from './linear-source.ts';

/** Work that may still be done, in steps: an instruction of a pattern at a character. A million take a tenth of a second. */
export interface Work {
  left: number;
}

/** Steps that it takes to make ready what a pattern consists of. */
const PER_INSTRUCTION = 20;
const PER_PROPERTY = 1_000;
/** Instructions of all patterns that are kept ready: some 20 MB. */
const KEPT = 100_000;

interface Ready extends LinearSource {
  engine: RE2JS;
}

const ready = new LRUCache<string, Ready>({ maxSize: KEPT, sizeCalculation: ({ size }) => size + 50 });

/**
 * Whether a whole value matches a regular expression that a stranger wrote, in a time that grows with the length of both and
 * no faster: none is run by JavaScript's own engine, which tries every way.
 * @param work what it takes is taken off; where that is not left, nothing matches
 */
export function matchesWhole(pattern: string, value: string, work: Work): boolean {
  const known = ready.get(pattern) ?? makeReady(pattern, work);
  return (
    known !== null && isLeft(work, known.size * (value.length + 1)) && known.engine.matcher(value).matches()
  );
}

/** Why a pattern, a regular expression of JavaScript, cannot be used, in one sentence; null: it can. */
export function patternProblem(pattern: string): string | null {
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
