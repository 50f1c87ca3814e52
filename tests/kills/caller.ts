import { io, type Socket } from 'socket.io-client';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { signedInSchema } from '#shared/accounts';
import { conversationSchema } from '#shared/conversations';
import type { AiResponse, UserMessageAck } from '#shared/realtime';
import { aRegistration } from '../factories.ts';
import { aRecordingForm } from '../support/uploads.ts';
import { transcriptProblems } from './transcript.ts';

const questions = [
  'When are you open on Saturday?',
  'How long does delivery take?',
  'What does express delivery cost?',
  'Can I pay by invoice?',
  'Do you ship to Norway?',
  'Thank you!',
];

/** What a page keeps of a message until it is answered. */
interface Said {
  clientMessageId: string;
  message: string;
  isAcknowledged: boolean;
}

/** A customer who types and uploads, remembers what was acknowledged, and comes back after each kill as a page does. */
export class Caller {
  readonly #token: string;
  readonly #userId: string;
  readonly #conversationId: string;
  readonly #said: Said[] = [];
  /** Acknowledged uploads: links, with what lies behind them. */
  readonly #uploads: { id: string; bytes: number }[] = [];

  private constructor(account: { token: string; userId: string }, conversationId: string) {
    this.#token = account.token;
    this.#userId = account.userId;
    this.#conversationId = conversationId;
  }

  /** Registers, starts a call with the demo agent and has a first question answered. */
  static async begin(url: string): Promise<Caller> {
    const response = await fetch(`${url}/api/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(aRegistration()),
    });
    const { token, user } = signedInSchema.parse(await response.json());
    const socket = await connect(url, token);
    const started = await socket
      .timeout(60_000)
      .emitWithAck('start_conversation', { userId: user._id, voice: false });
    const caller = new Caller({ token, userId: user._id }, startedSchema.parse(started).conversationId);
    await caller.#say(socket, caller.#next(), goneOf(socket));
    socket.disconnect();
    return caller;
  }

  /** How much was acknowledged so far. */
  get acknowledged(): number {
    return this.#said.filter(({ isAcknowledged }) => isAcknowledged).length + this.#uploads.length;
  }

  /** Talks and uploads until the server is gone. */
  async talk(url: string): Promise<void> {
    const socket = await connect(url, this.#token).catch(() => null);
    if (!socket) return;
    const gone = goneOf(socket);
    await Promise.all([this.#type(socket, gone), this.#upload(url, gone)]);
    socket.disconnect();
  }

  async #type(socket: Socket, gone: Promise<null>): Promise<void> {
    while (socket.connected) await this.#say(socket, this.#next(), gone);
  }

  #next(): Said {
    const text = questions[this.#said.length % questions.length];
    const said = {
      clientMessageId: uuidv7(),
      message: `${text} It is about order ${10_000 + this.#said.length}.`,
      isAcknowledged: false,
    };
    this.#said.push(said);
    return said;
  }

  /** Sends a message and waits for its answer, or for the end. @returns the acknowledgement */
  async #say(socket: Socket, said: Said, gone: Promise<null>): Promise<UserMessageAck | null> {
    const { clientMessageId, message } = said;
    let isAnswered: (replyTo: string | undefined) => boolean = () => false;
    const answered = new Promise<void>((resolve) => {
      socket.on('ai_response', ({ replyTo }: AiResponse) => {
        if (isAnswered(replyTo)) resolve();
      });
    });
    const acknowledged = new Promise<UserMessageAck>((resolve) => {
      const payload = { conversationId: this.#conversationId, message, clientMessageId, voice: false };
      socket.emit('user_message', payload, (ack: UserMessageAck) => {
        if (ack.ok) {
          said.isAcknowledged = true;
          isAnswered = (replyTo) => replyTo === ack.messageId;
        }
        resolve(ack);
      });
    });
    const ack = await Promise.race([acknowledged, gone]);
    if (ack?.ok) await Promise.race([answered, gone]);
    socket.off('ai_response');
    return ack;
  }

  async #upload(url: string, gone: Promise<null>): Promise<void> {
    for (let isOver = false; !isOver; ) {
      const { body, headers } = await aRecordingForm(`Upload ${this.#uploads.length}`);
      const sent = fetch(`${url}/api/conversations/${this.#conversationId}/audio`, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${this.#token}` },
        body: Uint8Array.from(body),
      })
        .then(async (response) => {
          const { audioUrl } = uploadedSchema.parse(await response.json());
          this.#uploads.push({ id: audioUrl.replace(/\?.*/, ''), bytes: WAV_BYTES });
        })
        .catch(() => {});
      await Promise.race([sent, gone]);
      isOver = await Promise.race([
        gone.then(() => true),
        new Promise<false>((r) => setTimeout(r, 150, false)),
      ]);
    }
  }

  /**
   * Comes back: sends again what was not answered, as a page does, and compares what is there with what it knows.
   * @returns what was lost or is there twice, in words; none when all is well
   */
  async comeBack(url: string): Promise<string[]> {
    const problems: string[] = [];
    const acknowledged = this.#said.filter(({ isAcknowledged }) => isAcknowledged);
    const before = await this.#stored(url);
    for (const { message } of acknowledged)
      if (!before.some(({ content }) => content === message)) problems.push(`lost: ${message}`);

    const socket = await connect(url, this.#token);
    const gone = goneOf(socket);
    const start = { userId: this.#userId, conversationId: this.#conversationId };
    startedSchema.parse(await socket.timeout(60_000).emitWithAck('start_conversation', start));
    const last = this.#said.at(-1);
    if (last) {
      const ack = await this.#say(socket, last, gone);
      if (!ack?.ok) problems.push(`refused: ${last.message}`);
    }
    socket.disconnect();

    problems.push(...transcriptProblems(await this.#stored(url), this.#said));

    for (const { id, bytes } of this.#uploads.slice(-20)) {
      const response = await fetch(`${url}${id}`, { headers: this.#headers });
      const found = (await response.arrayBuffer()).byteLength;
      if (!response.ok || found !== bytes) problems.push(`upload ${id}: ${response.status}, ${found} bytes`);
    }
    return problems;
  }

  async #stored(url: string) {
    const response = await fetch(`${url}/api/conversations/${this.#conversationId}`, {
      headers: this.#headers,
    });
    return conversationSchema.parse(await response.json()).messages;
  }

  get #headers() {
    return { authorization: `Bearer ${this.#token}` };
  }
}

const WAV_BYTES = 3_244;
const startedSchema = z.object({ ok: z.literal(true), conversationId: z.string() });
const uploadedSchema = z.object({ audioUrl: z.string() });

const goneOf = (socket: Socket) =>
  new Promise<null>((resolve) => socket.once('disconnect', () => resolve(null)));

async function connect(url: string, token: string): Promise<Socket> {
  const socket = io(url, { auth: { token }, transports: ['websocket'], reconnection: false, forceNew: true });
  await new Promise<void>((resolve, reject) => {
    const fail = (error: unknown) => {
      socket.disconnect();
      reject(error);
    };
    socket.once('connect', resolve);
    socket.once('connect_error', fail);
    // Where the server is gone between the connection and the sign-in.
    socket.io.once('close', fail);
  });
  return socket;
}
