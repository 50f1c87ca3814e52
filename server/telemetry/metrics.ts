import type { TurnStory } from './timeline.ts';

/** Engines whose work a person waits for. */
export type WorkingEngine = 'recognition' | 'reading' | 'synthesis' | 'language model';

/** The current number of something. `max`: more are refused. */
interface Seats {
  taken: number;
  max: number;
}

/** Values read when metrics are requested. A value that rejects is left out. */
export interface Gauges {
  /** Turns being answered or queued. */
  turns(): number;
  /** Microphones on pages, hands-free and push to talk. */
  speakers(): Seats;
  /** Rooms with an agent. */
  rooms(): Seats;
  /** People in those rooms. */
  participants(): number;
  sockets(): number;
  database(): { open: number; idle: number; waiting: number };
  /** Free bytes where the data is stored. */
  diskFree?(): Promise<number>;
  recordings(): Promise<{ count: number; bytes: number }>;
  /** By subscriber: events that it has not read, and the age of the oldest of them in seconds. */
  events?(): Promise<readonly { subscriber: string; unread: number; oldestSeconds: number }[]>;
}

/**
 * Counts for the operator. Holds no names, ids, addresses or words, and label values come from fixed lists in
 * the program. Times are in milliseconds.
 */
export interface Metrics {
  turn(story: TurnStory): void;
  /** An HTTP request was answered. @param route its pattern; null without a match */
  request(method: string, route: string | null, status: number, ms: number): void;
  /** A request was refused. @param reason an error's code */
  refused(where: 'http' | 'front gate' | 'channel', reason: string): void;
  /** An engine was called. @returns to be called once with the outcome */
  asked(engine: WorkingEngine): (how: 'done' | 'failed' | 'called off') => void;
  /** Tokens that a language model reported as read and written. */
  tokens(direction: 'read' | 'written', count: number): void;
  /** Sets the gauges to show. */
  show(gauges: Gauges): void;
}

/** For runs without metrics. */
export const noMetrics: Metrics = {
  turn() {},
  request() {},
  refused() {},
  asked: () => () => {},
  tokens() {},
  show() {},
};
