import type { ShownMessage } from '../api.ts';

/** A message on the timeline. Seconds. */
export interface Turn {
  id: string;
  isCustomer: boolean;
  start: number;
  length: number;
  /** Null: no recording, only a short time in which its words are highlighted. */
  audioUrl: string | null;
  /** Its length is an estimate until the recording is loaded. */
  isGuessed: boolean;
  /** The customer interrupted: it ends at its playout position. */
  isCut: boolean;
}

export interface Timeline {
  turns: readonly Turn[];
  /** Seconds from the first turn to the end of the last. */
  length: number;
  hasSound: boolean;
}

/** Length of a turn without sound. */
const BEAT = 0.6;
/** Pause between two turns whose real pause is unknown. */
const USUAL_PAUSE = 0.35;
/** Longer pauses are shortened to this, for listeners. */
const LONGEST_PAUSE = 1.2;
/** A reply is stored when it is complete, but its first sentence plays about this soon after the question. */
const FIRST_SOUND = 0.7;
/** The longest overlap of two turns, and the usual one at an interruption: recordings end with the words. */
const LONGEST_OVERLAP = 1;
const SHORTEST_OVERLAP = 0.25;
/** Words a second, to estimate the length of a recording that does not state it. */
const WORDS_PER_SECOND = 2.6;

/**
 * Lays out the messages of a conversation in time, to play it in one go: in order, with their real pauses (long ones
 * shortened), and both voices at once where the customer interrupted. Message times are times of storage: a customer's
 * words ended then, an agent's began a moment after the question.
 * @param messages oldest first
 * @param measured lengths in seconds of recordings unknown to the server, by message id
 */
export function buildTimeline(
  messages: readonly ShownMessage[],
  measured: ReadonlyMap<string, number>,
): Timeline {
  const turns: Turn[] = [];
  let before: { turn: Turn; saidUntil: number; storedAt: number } | null = null;
  for (const message of messages) {
    const known = measured.get(message._id) ?? message.audioDuration;
    const isCustomer = message.role === 'user';
    const length = message.audioUrl ? (known ?? guess(message.content)) : BEAT;
    const storedAt = Date.parse(message.timestamp) / 1_000;
    const saidFrom: number = isCustomer ? storedAt - length : spokenFrom(storedAt, before);
    const turn: Turn = {
      id: message._id,
      isCustomer,
      start: 0,
      length,
      audioUrl: message.audioUrl ?? null,
      isGuessed: message.audioUrl !== undefined && known === undefined,
      isCut: message.interrupted === true,
    };
    if (before)
      turn.start = Math.max(
        0,
        before.turn.start + before.turn.length + pause(before.turn, turn, saidFrom - before.saidUntil),
      );
    turns.push(turn);
    before = { turn, saidUntil: saidFrom + length, storedAt };
  }
  return {
    turns,
    length: turns.reduce((end, turn) => Math.max(end, turn.start + turn.length), 0),
    hasSound: turns.some(({ audioUrl }) => audioUrl !== null),
  };
}

/** The index of the turn at a moment: the latest that has begun. */
export function turnAt({ turns }: Timeline, seconds: number): number {
  let [low, high] = [0, turns.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((turns[middle]?.start ?? 0) <= seconds + 0.001) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}

function spokenFrom(storedAt: number, before: { turn: Turn; storedAt: number } | null): number {
  return before?.turn.isCustomer ? Math.min(storedAt, before.storedAt + FIRST_SOUND) : storedAt;
}

/** Seconds between the end of one turn and the beginning of the next; negative when they overlap. */
function pause(before: Turn, turn: Turn, real: number): number {
  if (!before.audioUrl || !turn.audioUrl || Number.isNaN(real)) return USUAL_PAUSE;
  if (before.isCut && turn.isCustomer && real < LONGEST_PAUSE) {
    const overlap = Math.min(Math.max(-real, SHORTEST_OVERLAP), LONGEST_OVERLAP);
    return -Math.min(overlap, before.length / 2, turn.length / 2);
  }
  return Math.min(Math.max(real, USUAL_PAUSE), LONGEST_PAUSE);
}

const guess = (words: string) => Math.max(1, words.trim().split(/\s+/).length / WORDS_PER_SECOND);
