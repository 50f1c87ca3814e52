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

/** Replies stopped because a person takes the floor: cuts their stored text to the part played. */
export class StoppedReplies {
  readonly #options: StoppedRepliesOptions;
  /** Playout positions of replies being stopped, as soon as they are known. */
  readonly #positions = new Map<string, Position>();
  /** Durations of each sentence of the newest replies. */
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
    // Keyed by contact, so that nobody can report a position for another person's reply.
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

/** The playout position of a reply, in milliseconds: the first report counts. */
class Position {
  /** Number of waiting calls. */
  stops = 0;
  tell: (playedMs: number) => void = () => {};
  readonly known = new Promise<number>((resolve) => {
    this.tell = resolve;
  });
}
