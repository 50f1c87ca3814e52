/** The audio of one reply as it arrived: sentences by their index, `null` for one that has no sound. */
interface StoredReply {
  clips: Map<number, Uint8Array | null>;
  /** Index of the last sentence, null until it is known. */
  last: number | null;
  bytes: number;
}

/**
 * Keeps the audio of replies to be heard again, as it came over the wire: thirty times smaller than decoded,
 * and decoded again within milliseconds. Past the bound the oldest replies are forgotten, never the newest.
 */
export class SpeechStore {
  readonly #replies = new Map<string, StoredReply>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes = 24 * 1024 * 1024) {
    this.#maxBytes = maxBytes;
  }

  /** Adds a sentence; a sound that comes after its silent announcement takes its place. Says whether it is new. */
  add(replyId: string, index: number, audio: Uint8Array | null, isLast: boolean): boolean {
    let reply = this.#replies.get(replyId);
    if (!reply) {
      reply = { clips: new Map(), last: null, bytes: 0 };
      this.#replies.set(replyId, reply);
    }
    if (isLast) reply.last = index;
    if (reply.clips.get(index) || (reply.clips.has(index) && !audio)) return false;
    reply.clips.set(index, audio);
    reply.bytes += audio?.byteLength ?? 0;
    this.#bytes += audio?.byteLength ?? 0;
    this.#forgetOldest(replyId);
    return true;
  }

  /** Nothing more of this reply will come: what is here is all of it. */
  close(replyId: string): void {
    const reply = this.#replies.get(replyId);
    if (reply) reply.last = Math.max(-1, ...reply.clips.keys());
  }

  get(replyId: string): StoredReply | undefined {
    return this.#replies.get(replyId);
  }

  /** Whether there is anything to hear. */
  has(replyId: string): boolean {
    return (this.#replies.get(replyId)?.bytes ?? 0) > 0;
  }

  #forgetOldest(newest: string): void {
    for (const [id, reply] of this.#replies) {
      if (this.#bytes <= this.#maxBytes) return;
      if (id === newest) continue;
      this.#replies.delete(id);
      this.#bytes -= reply.bytes;
    }
  }
}
