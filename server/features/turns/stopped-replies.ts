import type { RecordingsService } from '#server/features/conversations/recordings/service';
import type { ConversationsService } from '#server/features/conversations/service';
import { notFound } from '#server/lib/errors';
import { type DeliveredSentence, delivered, estimatedDelivery, playedText } from './playout.ts';
import type { ReplyRef } from './requests.ts';
import type { Turn } from './turn.ts';
import type { TurnQueue } from './turn-queue.ts';

/** A reply plays for seconds after it was stored; this many of the newest can still be cut exactly. */
const REMEMBERED_REPLIES = 500;

interface StoppedRepliesOptions {
  queue: TurnQueue<Turn>;
  conversations: ConversationsService;
  recordings: Pick<RecordingsService, 'cutSpeech'> | undefined;
}

/** Replies that stop because somebody takes the floor: what is stored of them is cut to what was played. */
export class StoppedReplies {
  readonly #options: StoppedRepliesOptions;
  /** How far replies that are being stopped were played, as soon as somebody knows. */
  readonly #positions = new Map<string, Position>();
  /** How long each sentence of the newest replies was spoken. */
  readonly #spoken = new Map<string, DeliveredSentence[]>();

  constructor(options: StoppedRepliesOptions) {
    this.#options = options;
  }

  remember({ responseId, sentences }: Pick<Turn, 'responseId' | 'sentences'>): void {
    this.#spoken.set(responseId, sentences.map(delivered));
    const [oldest] = this.#spoken.keys();
    if (this.#spoken.size > REMEMBERED_REPLIES && oldest !== undefined) this.#spoken.delete(oldest);
  }

  /** See `CallsService.stop`. */
  async stop(reply: ReplyRef, playedMs: number | Promise<number>): Promise<{ content: string }> {
    const { scope, conversationId, responseId } = reply;
    // Nobody may tell it of somebody else's reply.
    const key = `${scope.contactId} ${responseId}`;
    const position = this.#positions.get(key) ?? new Position();
    this.#positions.set(key, position);
    position.stops++;
    void Promise.resolve(playedMs).then(position.tell);
    const turns = this.#options.queue.turnsOf(scope, conversationId);
    const turn = turns.find((turn) => turn.responseId === responseId);
    turn?.stop({ playedMs: position.known });
    try {
      await this.#options.conversations.record(scope, conversationId);
      const cutAtMs = await position.known;
      await turn?.settled;
      return await this.#cut(reply, cutAtMs);
    } finally {
      if (--position.stops === 0) this.#positions.delete(key);
    }
  }

  async #cut({ scope, conversationId, responseId }: ReplyRef, cutAtMs: number): Promise<{ content: string }> {
    const { conversations, recordings } = this.#options;
    const stored = await conversations.reply(scope, conversationId, responseId);
    if (!stored) throw notFound('reply');
    if (stored.interrupted) return stored;
    const spoken = this.#spoken.get(responseId) ?? estimatedDelivery(stored.content);
    const { text, isWhole } = playedText(spoken, cutAtMs);
    if (isWhole) return stored;
    await conversations.cutReply(scope, stored, text);
    recordings?.cutSpeech(scope, stored, cutAtMs);
    return { content: text };
  }
}

/** How far a reply was played, in milliseconds: what is told first counts. */
class Position {
  /** How many wait for it. */
  stops = 0;
  tell: (playedMs: number) => void = () => {};
  readonly known = new Promise<number>((resolve) => {
    this.tell = resolve;
  });
}
