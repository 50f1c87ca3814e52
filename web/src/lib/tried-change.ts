import type { EffectRequest } from '#shared/effects';

/** A change whose source had to be read first. */
export interface ReadChange {
  request: EffectRequest;
  /** Findings, in whole sentences. */
  found: string;
}

/** A change of an agent to preview, and its descriptions. */
export interface TriedChange {
  /** The change; for a source that must be read first, such as a file or page, a function that reads it. */
  change: EffectRequest | ((signal: AbortSignal) => Promise<ReadChange>);
  title: string;
  /** Says which two states are compared, and that nothing has been changed yet. */
  description: string;
  /** Heading of the changed state's answers, such as "With your changes". */
  changedAs: string;
  /** Applies the change after the preview; absent if the form below does that. */
  make?: { label: string; onMake: () => void };
}
