import { AppError, notFound } from '#server/errors';
import type { ConversationsService } from '#server/features/conversations/service';
import type { HeardReplies } from './heard-replies.ts';
import type { ReplyRecordings } from './service.ts';
import type { Turn } from './turn.ts';
import type { TurnQueue } from './turn-queue.ts';

/** A client that was told to stop says within this time how much was heard; after it, what the server knows counts. */
const ACCOUNT_MS = 2_000;

interface InterruptionsOptions {
  queue: TurnQueue<Turn>;
  conversations: ConversationsService;
  heardReplies: HeardReplies;
  recordings: Pick<ReplyRecordings, 'cutSpeech'> | undefined;
  onFailure(error: unknown): void;
}

/** Customers who talk over a reply: it stops, and what is stored of it is cut to what was heard. */
export class Interruptions {
  readonly #options: InterruptionsOptions;
  /** Replies that stopped and whose listener has not said yet how much of them was heard. */
  readonly #unaccounted = new Map<string, NodeJS.Timeout>();

  constructor(options: InterruptionsOptions) {
    this.#options = options;
  }

  /**
   * Stops a reply and cuts what is stored of it.
   * @param heardMs milliseconds of its audio that left the loudspeaker
   * @returns what is stored of it now
   * @throws AppError not-found for a conversation or reply that is not theirs
   */
  async cut(
    userId: string,
    conversationId: string,
    responseId: string,
    heardMs: number,
  ): Promise<{ content: string }> {
    const { conversations, heardReplies, recordings } = this.#options;
    await conversations.record(userId, conversationId);
    this.#isAccounted(responseId);
    const turn = this.#turnOf(userId, conversationId, responseId);
    if (turn) {
      turn.interrupt(heardMs);
      await turn.settled;
    }
    const reply = await conversations.reply(userId, conversationId, responseId);
    if (!reply) throw notFound('reply');
    if (reply.interrupted) return reply;
    const heard = heardReplies.heard(responseId, reply.content, heardMs);
    if (heard.complete) return reply;
    await conversations.cutReply(userId, reply, heard.text);
    recordings?.cutSpeech(userId, reply, heardMs);
    return { content: heard.text };
  }

  /**
   * No more of a reply is made, from now on. `cut` says how much of it was heard.
   * @param heardMs counts when nobody says it in time
   */
  stop(userId: string, conversationId: string, responseId: string, heardMs: number): void {
    this.#turnOf(userId, conversationId, responseId)?.stop();
    this.#isAccounted(responseId);
    const overdue = setTimeout(() => {
      this.cut(userId, conversationId, responseId, heardMs).catch((error: unknown) => {
        // A welcome is no reply and stays as it is; a conversation may be gone by now.
        if (!(error instanceof AppError)) this.#options.onFailure(error);
      });
    }, ACCOUNT_MS);
    this.#unaccounted.set(responseId, overdue);
  }

  /** Forgets replies that nobody has said anything of. */
  close(): void {
    for (const overdue of this.#unaccounted.values()) clearTimeout(overdue);
    this.#unaccounted.clear();
  }

  #isAccounted(responseId: string): void {
    clearTimeout(this.#unaccounted.get(responseId));
    this.#unaccounted.delete(responseId);
  }

  #turnOf(userId: string, conversationId: string, responseId: string): Turn | undefined {
    return this.#options.queue
      .turnsOf(userId, conversationId)
      .find((candidate) => candidate.responseId === responseId);
  }
}
