import { v7 as uuidv7 } from 'uuid';
import { conversationSchema } from '#shared/conversations';
import type { AiResponse, UserMessageAck } from '#shared/realtime';
import { transcriptProblems } from '../kills/transcript.ts';
import { InstanceLine, type Line } from './instances.line.ts';

/** A message and its answer. */
export interface Exchange {
  /** When it was first sent, by `performance.now()`. */
  sentAt: number;
  /** Milliseconds until its whole answer, including lost connections. */
  answeredMs: number;
  /** The refusal in words; null if it was answered. */
  refusal: string | null;
}

/** Wait after a failed attempt. */
const AGAIN_MS = 200;

/** A customer who types, and who moves to another instance at once when theirs is lost. */
export class InstanceCustomer {
  readonly exchanges: Exchange[] = [];
  readonly #line: InstanceLine;
  readonly #said: { clientMessageId: string; message: string }[] = [];
  readonly #refused: string[] = [];

  private constructor(line: InstanceLine) {
    this.#line = line;
  }

  /** @param at index of their first instance */
  static async come(urls: readonly string[], at: number): Promise<InstanceCustomer> {
    const againMs = (attempt: number) => (attempt === 0 ? 0 : AGAIN_MS);
    return new InstanceCustomer(await InstanceLine.open({ urls, at, voice: false, againMs }));
  }

  get timesMoved(): number {
    return this.#line.timesMoved;
  }

  /** Sends a message, and waits until it is answered or refused, across lost connections. */
  async say(message: string): Promise<void> {
    const said = { clientMessageId: uuidv7(), message };
    const sentAt = performance.now();
    for (;;) {
      const line = await this.#line.reach();
      const outcome = await this.#send(line, said);
      if (outcome === null) continue;
      this.exchanges.push({ sentAt, answeredMs: performance.now() - sentAt, refusal: outcome.refusal });
      if (outcome.refusal === null) this.#said.push(said);
      else this.#refused.push(message);
      return;
    }
  }

  /** Restarts the counts. */
  startAfresh(): void {
    this.exchanges.length = 0;
    this.#line.timesMoved = 0;
  }

  leave(): void {
    this.#line.leave();
  }

  /** @returns lost messages and double answers, in words */
  async problems(): Promise<string[]> {
    const stored = await this.#line.get(`/conversations/${this.#line.conversationId}`);
    const { messages } = conversationSchema.parse(stored);
    // A refused message may be stored, but without an answer.
    const known = messages.filter(
      ({ role, content }, n) =>
        role !== 'user' || messages[n + 1]?.role === 'assistant' || !this.#refused.includes(content),
    );
    return transcriptProblems(known, this.#said);
  }

  /** @returns null if the connection was lost before the answer */
  async #send(
    { socket, lost }: Line,
    { clientMessageId, message }: { clientMessageId: string; message: string },
  ): Promise<{ refusal: string | null } | null> {
    const replies: AiResponse[] = [];
    let told: () => void = () => {};
    const onReply = (reply: AiResponse) => {
      replies.push(reply);
      told();
    };
    socket.on('ai_response', onReply);
    try {
      const { conversationId } = this.#line;
      const payload = { conversationId, message, clientMessageId, voice: false };
      const acknowledged = new Promise<UserMessageAck>((resolve) =>
        socket.emit('user_message', payload, resolve),
      );
      const ack = await Promise.race([acknowledged, lost]);
      if (ack === null) return null;
      if (!ack.ok) return { refusal: ack.error.message };
      const answered = new Promise<{ refusal: null }>((resolve) => {
        told = () => {
          if (replies.some(({ replyTo }) => replyTo === ack.messageId)) resolve({ refusal: null });
        };
        told();
      });
      const refused = new Promise<{ refusal: string }>((resolve) =>
        socket.once('error', (error: { message: string }) => resolve({ refusal: error.message })),
      );
      return await Promise.race([answered, refused, lost]);
    } finally {
      socket.off('ai_response', onReply);
      socket.off('error');
    }
  }
}
