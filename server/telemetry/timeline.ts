import { AsyncLocalStorage } from 'node:async_hooks';

/** What is done for a turn, as an operator reads it. */
type StepName =
  | 'listening'
  | 'endpointing'
  | 'recognition'
  | 'storing'
  | 'waiting'
  | 'dialogue'
  | 'search'
  | 'reading'
  /** A closer look was not waited for: likeness alone answered. It takes no time. */
  | 'glance'
  | 'language model'
  | 'synthesis'
  | 'first sound';

/** One thing that was done, by `performance.now()`. */
interface Step {
  name: StepName;
  startedAt: number;
  endedAt: number;
  failed?: boolean;
}

/** How a question came to be asked, by `performance.now()`. */
export interface Asked {
  /** When the customer had ended it. */
  endedAt: number;
  /** What was done until it was taken. */
  steps: readonly Step[];
}

/** A turn that has ended, as counters and traces see it: ids, times and counts, none of its words. */
export interface TurnStory {
  kind: 'typed' | 'spoken' | 'room';
  outcome: 'answered' | 'interrupted' | 'called off' | 'failed';
  conversationId: string;
  messageId: string;
  responseId: string;
  /** By `performance.now()`: when the question ended, and when the turn did. */
  askedAt: number;
  endedAt: number;
  /** When the first words were out, and the first of them with sound; null: none were. */
  firstTextAt: number | null;
  firstSoundAt: number | null;
  /** Sentences or phrases that went out. */
  sentences: number;
  /** Any order; those of a reply that was thought ahead lie before the question's end. */
  steps: readonly Step[];
}

/** A turn asks a few dozen times; what has more to do is told as far as this. */
const MAX_STEPS = 200;

/** What was done, as it comes to an end. */
export class Timeline {
  readonly steps: Step[] = [];

  add(step: Step): void {
    if (this.steps.length < MAX_STEPS) this.steps.push(step);
  }
}

const current = new AsyncLocalStorage<Timeline>();

/** Does something whose steps belong to a timeline, whoever does them. */
export const during = <T>(timeline: Timeline, work: () => T): T => current.run(timeline, work);

/** Does one step of whatever it is done for. @throws what `work` throws */
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

/** Says that something was so in whatever it is done for. */
export function noted(name: StepName): void {
  const now = performance.now();
  current.getStore()?.add({ name, startedAt: now, endedAt: now });
}

/** How something spoken came to be asked. The sound is its clock: what was recognised is taken the moment this is called. */
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
