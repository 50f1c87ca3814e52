import type { ShownMessage } from '../api.ts';

/** A message on the timeline. Seconds. */
export interface Turn {
  id: string;
  isCustomer: boolean;
  start: number;
  length: number;
  /** Null: nothing to hear, a short beat in which its words are marked. */
  audioUrl: string | null;
  /** Its length is a guess until the sound itself has said it. */
  isGuessed: boolean;
  /** The customer cut in: it ends where it was last heard. */
  isCut: boolean;
}

export interface Timeline {
  turns: readonly Turn[];
  /** Seconds from the first turn to the end of the last. */
  length: number;
  hasSound: boolean;
}

/** A turn without sound takes this long to be passed. */
const BEAT = 0.6;
/** Between two turns that follow each other without one that can be told. */
const USUAL_PAUSE = 0.35;
/** A pause is heard as it was up to this length; nobody listens to longer ones. */
const LONGEST_PAUSE = 1.2;
/** A reply is written down when all of it is made, but its first sentence is heard about this soon after the question. */
const FIRST_SOUND = 0.7;
/** How long two may talk at once, and how long they do when one cuts in: recordings end with the words. */
const LONGEST_OVERLAP = 1;
const SHORTEST_OVERLAP = 0.25;
/** Words a second, to guess how long a recording is that does not say so. */
const WORDS_PER_SECOND = 2.6;

/**
 * Lays the messages of a conversation out in time, so that it can be heard in one go: in their order, with the pauses there
 * were (long ones shortened), and both voices at once where the customer cut in. Times of messages are of when they were
 * stored: what a customer said ended then, what an agent said began a moment after the question.
 * @param messages oldest first
 * @param measured lengths in seconds of recordings that the server does not know, by the message's id
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

/** The place in the list of the turn that is being heard at a moment: the latest that has begun. */
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

/** Seconds between the end of one turn and the beginning of the next; less than none when they overlap. */
function pause(before: Turn, turn: Turn, real: number): number {
  if (!before.audioUrl || !turn.audioUrl || Number.isNaN(real)) return USUAL_PAUSE;
  if (before.isCut && turn.isCustomer && real < LONGEST_PAUSE) {
    const overlap = Math.min(Math.max(-real, SHORTEST_OVERLAP), LONGEST_OVERLAP);
    return -Math.min(overlap, before.length / 2, turn.length / 2);
  }
  return Math.min(Math.max(real, USUAL_PAUSE), LONGEST_PAUSE);
}

const guess = (words: string) => Math.max(1, words.trim().split(/\s+/).length / WORDS_PER_SECOND);
