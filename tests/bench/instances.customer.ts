import { setTimeout as pause } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { conversationSchema } from '#shared/conversations';
import type { AiResponse, UserMessageAck } from '#shared/realtime';
import { transcriptProblems } from '../kills/transcript.ts';
import { register } from './turn-latency.ts';

/** What was said once, and what came of it. */
export interface Exchange {
  /** When it was sent first, by `performance.now()`. */
  sentAt: number;
  /** Until its whole answer was there, in milliseconds, however often the line was lost. */
  answeredMs: number;
  /** What it was refused with, in words; null: it was answered. */
  refusal: string | null;
}

interface Line {
  socket: Socket;
  lost: Promise<null>;
}

/** From a lost line to the next attempt at the other instance. */
const AGAIN_MS = 200;
const startedSchema = z.object({ ok: z.literal(true), conversationId: z.string() });

/** Somebody who types, and who goes to another instance, as a load balancer would lead them, when theirs is gone. */
export class InstanceCustomer {
  readonly exchanges: Exchange[] = [];
  timesMoved = 0;
  readonly #urls: readonly string[];
  readonly #token: string;
  readonly #userId: string;
  readonly #said: { clientMessageId: string; message: string }[] = [];
  #conversationId: string | undefined;
  #at: number;
  #line: Line | null = null;
  #reaching: Promise<Line> | null = null;
  #hasLeft = false;

  private constructor(urls: readonly string[], at: number, account: { token: string; userId: string }) {
    this.#urls = urls;
    this.#at = at;
    this.#token = account.token;
    this.#userId = account.userId;
  }

  /** @param at place of the instance they come to first */
  static async come(urls: readonly string[], at: number): Promise<InstanceCustomer> {
    const { token, user } = await register(urls[at] ?? '');
    const customer = new InstanceCustomer(urls, at, { token, userId: user._id });
    await customer.#reach();
    return customer;
  }

  /** Says it, and waits until it is answered or refused, however often the line is lost meanwhile. */
  async say(message: string): Promise<void> {
    const said = { clientMessageId: uuidv7(), message };
    const sentAt = performance.now();
    for (;;) {
      const line = await this.#reach();
      const outcome = await this.#send(line, said);
      if (outcome === null) continue;
      this.exchanges.push({ sentAt, answeredMs: performance.now() - sentAt, refusal: outcome.refusal });
      if (outcome.refusal === null) this.#said.push(said);
      return;
    }
  }

  leave(): void {
    this.#hasLeft = true;
    this.#line?.socket.disconnect();
  }

  /** @returns what was lost, or answered twice, in words */
  async problems(): Promise<string[]> {
    const headers = { authorization: `Bearer ${this.#token}` };
    const answer = await fetch(`${this.#url}/api/conversations/${this.#conversationId}`, { headers });
    const { messages } = conversationSchema.parse(await answer.json());
    return transcriptProblems(messages, this.#said);
  }

  get #url(): string {
    return this.#urls[this.#at] ?? '';
  }

  /** @returns null when the line was lost before the answer */
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
      const payload = { conversationId: this.#conversationId, message, clientMessageId, voice: false };
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

  /** The line there is, or a new one; as a page does, it is looked for as soon as one is lost, too. */
  #reach(): Promise<Line> {
    if (this.#line?.socket.connected) return Promise.resolve(this.#line);
    this.#reaching ??= this.#search().finally(() => {
      this.#reaching = null;
    });
    return this.#reaching;
  }

  async #search(): Promise<Line> {
    while (!this.#hasLeft) {
      const line = await this.#connect().catch(() => null);
      if (line) {
        this.#line = line;
        line.lost.then(() => this.#reach()).catch(() => {});
        return line;
      }
      this.#at = (this.#at + 1) % this.#urls.length;
      this.timesMoved++;
      await pause(AGAIN_MS);
    }
    throw new Error('They have left.');
  }

  async #connect(): Promise<Line> {
    const socket = io(this.#url, {
      auth: { token: this.#token },
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
    });
    const lost = new Promise<null>((resolve) => {
      socket.once('disconnect', () => resolve(null));
    });
    try {
      await new Promise<void>((resolve, reject) => {
        socket.once('connect', resolve);
        socket.once('connect_error', reject);
        socket.io.once('close', reject);
      });
      const start = { userId: this.#userId, conversationId: this.#conversationId, voice: false };
      const started = await socket.timeout(5_000).emitWithAck('start_conversation', start);
      this.#conversationId = startedSchema.parse(started).conversationId;
      return { socket, lost };
    } catch (error) {
      socket.disconnect();
      throw error;
    }
  }
}
