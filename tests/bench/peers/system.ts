import type { Clip } from '../../speech/speech-set.ts';
import type { Services } from './services.ts';

/** A question and its answer from the customer's side, in milliseconds since 1970. */
export interface Answered {
  clip: Clip;
  /** The true end of the question in the sent sound. */
  endedAt: number;
  /** When the first audible 10 ms of the answer arrived; null without an answer. */
  heardAt: number | null;
  /** When the system first took the question as complete, by its own account; null if it does not report it. */
  takenAt: number | null;
}

/** A customer on the line. */
export interface Caller {
  /** Says a question in a quiet room, in real time, and waits for the end of the answer. */
  ask(clip: Clip): Promise<Answered>;
  hangUp(): Promise<void>;
}

/** A complete system that answers calls. */
export interface RunningSystem {
  call(): Promise<Caller>;
  close(): Promise<void>;
}

/** A system that is measured beside others of the same channel. */
export interface MeasuredSystem {
  name: string;
  channel: 'page' | 'room';
  /** Otherwise it has ears, voice and answers of its own. */
  usesServices: boolean;
  /** @param calls number of simultaneous calls @throws Error with the reason why it cannot be measured here */
  start(services: Services, calls: number): Promise<RunningSystem>;
}
