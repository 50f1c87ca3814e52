import { AsyncLocalStorage } from 'node:async_hooks';

/** Steps of a turn, as an operator reads them. */
type StepName =
  | 'listening'
  | 'endpointing'
  | 'recognition'
  | 'storing'
  | 'waiting'
  | 'dialogue'
  | 'search'
  | 'reading'
  /** The cross-encoder was skipped: similarity alone answered. Takes no time. */
  | 'glance'
  | 'language model'
  | 'synthesis'
  | 'first sound';

/** One step, by `performance.now()`. */
interface Step {
  name: StepName;
  startedAt: number;
  endedAt: number;
  failed?: boolean;
}

/** How a question arrived, by `performance.now()`. */
export interface Asked {
  /** When the customer ended it. */
  endedAt: number;
  /** Steps before the turn was taken. */
  steps: readonly Step[];
}

/** An ended turn for metrics and traces: ids, times and counts, no words. */
export interface TurnStory {
  kind: 'typed' | 'spoken' | 'room';
  outcome: 'answered' | 'interrupted' | 'called off' | 'failed';
  conversationId: string;
  messageId: string;
  responseId: string;
  /** By `performance.now()`: end of the question and of the turn. */
  askedAt: number;
  endedAt: number;
  /** When the first words were sent, and the first with sound; null: never. */
  firstTextAt: number | null;
  firstSoundAt: number | null;
  /** Number of sentences or phrases sent. */
  sentences: number;
  /** In any order; steps of thinking ahead lie before the question's end. */
  steps: readonly Step[];
}

/** A turn has a few dozen steps; further ones are dropped. */
const MAX_STEPS = 200;

/** Collects steps as they end. */
export class Timeline {
  readonly steps: Step[] = [];

  add(step: Step): void {
    if (this.steps.length < MAX_STEPS) this.steps.push(step);
  }
}

const current = new AsyncLocalStorage<Timeline>();

/** Runs work whose steps belong to a timeline, wherever they are done. */
export const during = <T>(timeline: Timeline, work: () => T): T => current.run(timeline, work);

/** Runs one step of the current timeline. @throws the error of `work` */
export async function timed<T>(name: StepName, work: () => Promise<T>): Promise<T> {
  const timeline = current.getStore();
  if (!timeline) return work();
  const startedAt = performance.now();
  let failed = true;
  try {
    const done = await work();
    failed = false;
    return done;
  } finally {
    timeline.add({ name, startedAt, endedAt: performance.now(), ...(failed ? { failed } : {}) });
  }
}

/** Records an instant event in the current timeline. */
export function noted(name: StepName): void {
  const now = performance.now();
  current.getStore()?.add({ name, startedAt: now, endedAt: now });
}

/** How a spoken question arrived. Call it when the turn is taken: the sound is its clock. */
export function askedAloud(
  utterance: {
    startedAtMs: number;
    endedAtMs: number;
    waitedMs: number;
    recognition?: { startedAt: number; endedAt: number };
  },
  now: number = performance.now(),
): Asked {
  const { startedAtMs, endedAtMs, waitedMs, recognition } = utterance;
  const endedAt = now - waitedMs;
  return {
    endedAt,
    steps: [
      { name: 'listening', startedAt: endedAt - (endedAtMs - startedAtMs), endedAt },
      { name: 'endpointing', startedAt: endedAt, endedAt: now },
      ...(recognition ? [{ name: 'recognition' as const, ...recognition }] : []),
    ],
  };
}
