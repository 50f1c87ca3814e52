import type { TurnStory } from './timeline.ts';

/** Engines whose work somebody waits for. */
export type WorkingEngine = 'recognition' | 'reading' | 'synthesis' | 'language model';

/** How many there are of something right now. `max`: more are refused. */
interface Seats {
  taken: number;
  max: number;
}

/** What is looked at when somebody asks. What rejects is left out of that answer. */
export interface Gauges {
  /** Turns that are answered or wait for it. */
  turns(): number;
  /** Microphones on pages, hands-free and push to talk. */
  speakers(): Seats;
  /** Rooms with an agent. */
  rooms(): Seats;
  /** People in them. */
  participants(): number;
  sockets(): number;
  database(): { open: number; idle: number; waiting: number };
  /** Bytes that may still be written where the data lies. */
  diskFree?(): Promise<number>;
  recordings(): Promise<{ count: number; bytes: number }>;
}

/**
 * What the server counts for whoever operates it. Nothing here takes a name, an id, an address or a word, and every value
 * of a label comes from a list in the program. Times are milliseconds.
 */
export interface Metrics {
  turn(story: TurnStory): void;
  /** An HTTP request was answered. @param route its pattern; null where none fits */
  request(method: string, route: string | null, status: number, ms: number): void;
  /** Somebody was refused. @param reason an error's code */
  refused(where: 'http' | 'front gate' | 'channel', reason: string): void;
  /** An engine was asked something. @returns told once how that ended */
  asked(engine: WorkingEngine): (how: 'done' | 'failed' | 'called off') => void;
  /** What a language model said it has read and written. */
  tokens(direction: 'read' | 'written', count: number): void;
  /** Shows these from now on. */
  show(gauges: Gauges): void;
}

/** Where nobody wants to know. */
export const noMetrics: Metrics = {
  turn() {},
  request() {},
  refused() {},
  asked: () => () => {},
  tokens() {},
  show() {},
};
