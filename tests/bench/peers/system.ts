import type { Clip } from '../../speech/speech-set.ts';
import type { Services } from './services.ts';

/** A question as its customer had it answered, in milliseconds since 1970. */
export interface Answered {
  clip: Clip;
  /** When the question truly ended, in the sound that was sent. */
  endedAt: number;
  /** When the first audible 10 ms of the answer were there; null where none came. */
  heardAt: number | null;
  /** When the system first took what was said as a whole turn, by its own account; null where it does not say. */
  takenAt: number | null;
}

/** Somebody on the line. */
export interface Caller {
  /** Says a question in a quiet room, in real time, and waits until the answer is over. */
  ask(clip: Clip): Promise<Answered>;
  hangUp(): Promise<void>;
}

/** A whole system that answers calls. */
export interface RunningSystem {
  call(): Promise<Caller>;
  close(): Promise<void>;
}

/** What is measured side by side with others of the same channel. */
export interface MeasuredSystem {
  name: string;
  channel: 'page' | 'room';
  /** Otherwise it has ears, voice and answers of its own. */
  usesServices: boolean;
  /** @param calls how many there will be at once @throws Error that says why it cannot be measured here */
  start(services: Services, calls: number): Promise<RunningSystem>;
}
