/** The audio of one reply as received: sentences by index, `null` for one without sound. */
interface StoredReply {
  clips: Map<number, Uint8Array | null>;
  /** Index of the last sentence; null until known. */
  last: number | null;
  bytes: number;
}

/**
 * Keeps the encoded audio of replies for replay: thirty times smaller than decoded, and decoded within
 * milliseconds. Beyond the limit the oldest replies are dropped, never the newest.
 */
export class SpeechStore {
  readonly #replies = new Map<string, StoredReply>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes = 24 * 1024 * 1024) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Adds a sentence; sound that arrives after its silent announcement replaces it. Returns whether it is new.
   */
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

  /** The reply is complete with what has arrived. */
  close(replyId: string): void {
    const reply = this.#replies.get(replyId);
    if (reply) reply.last = Math.max(-1, ...reply.clips.keys());
  }

  get(replyId: string): StoredReply | undefined {
    return this.#replies.get(replyId);
  }

  /** Whether there is any sound. */
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
