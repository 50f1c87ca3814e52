import type { EffectRequest } from '#shared/effects';

/** A change that had to be read first. */
export interface ReadChange {
  request: EffectRequest;
  /** What was found, in whole sentences. */
  found: string;
}

/** A change of an agent, to be seen before it is made, and how one speaks of it. */
export interface TriedChange {
  /** What would be changed; where that is read first, as a file or a page is, how. */
  change: EffectRequest | ((signal: AbortSignal) => Promise<ReadChange>);
  title: string;
  /** Which two states are compared, and that nothing has been done yet. */
  description: string;
  /** What the changed state is called over its answers, such as "With your changes". */
  changedAs: string;
  /** Makes the change, once its effect was seen; absent where that is done in what lies below. */
  make?: { label: string; onMake: () => void };
}
