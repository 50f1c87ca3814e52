import type { LeftTurn, StoredUserMessage } from '#server/features/conversations/service';
import { AppError, notFound, restarting, unavailable } from '#server/lib/errors';
import type { ContactScope } from '#server/lib/scope';
import type { Asked } from '#server/telemetry/timeline';
import type { Arrivals } from './arrivals.ts';
import type { TurnListener } from './call-events.ts';
import type { CallLimits } from './limits.ts';
import { type MaskedText, masked } from './masking/masked.ts';
import type { NotedTurn, StoredTurn, TakenTurn, TakeTurnRequest } from './requests.ts';
import { toldAgain } from './told-again.ts';
import { Turn, type TurnSurroundings, turnSeat } from './turn.ts';
import type { TurnQueue } from './turn-queue.ts';

interface Incoming {
  request: TakeTurnRequest;
  listener: TurnListener;
  onStored: (stored: StoredTurn) => void;
  signal: AbortSignal | undefined;
  /** Time of arrival, by `performance.now()`. */
  arrivedAt: number;
}

interface AdmissionOptions {
  surroundings: TurnSurroundings;
  arrivals: Arrivals;
  queue: TurnQueue<Turn>;
  limits: CallLimits;
}

/** Admits customers' messages: each is stored once, acknowledged, and then waits for its turn. */
export class Admission {
  readonly #options: AdmissionOptions;
  #hasGivenUp = false;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** See `CallsService.takeTurn`. */
  async take(incoming: Incoming): Promise<TakenTurn> {
    this.#refuseTooMany(incoming.request);
    return this.#options.arrivals.admit(incoming.request.conversationId, () => this.#admit(incoming));
  }

  /** See `CallsService.note`. */
  note(note: NotedTurn): Promise<StoredTurn> {
    const { scope, conversationId, clientMessageId } = note;
    return this.#options.arrivals.admit(conversationId, async () => {
      const { conversations } = this.#options.surroundings;
      const { text, isMasked } = await this.#masked(note);
      const message = await conversations.addUserMessage(scope, conversationId, text, clientMessageId, false);
      this.#tellStored(message, { scope, clientMessageId: clientMessageId ?? null, except: [] });
      return { messageId: message.id, text: message.content, isMasked };
    });
  }

  /** See `CallsService.takeUp`. */
  takeUp({ scope, conversationId, messageId, times }: LeftTurn): Promise<void> {
    const { queue, surroundings } = this.#options;
    const { conversations, sharedState } = surroundings;
    return this.#options.arrivals.exclusively(conversationId, async () => {
      if (queue.turnsOf(scope, conversationId).length > 0) return;
      const seat = await sharedState.take(turnSeat(conversationId), 1);
      if (!seat) return;
      seat.release();
      if (await conversations.replyTo(scope, conversationId, messageId)) return;
      const message = await conversations.storedMessage(scope, conversationId, messageId);
      await conversations.tellTakenAgain(scope, message, times + 1);
      // A client that reconnects meanwhile joins it. Text only, since no client may be there to play it.
      const request = { scope, conversationId, text: message.content, voice: false };
      this.#begin(
        message,
        { messageId, text: message.content, isMasked: false },
        { request, listener: nobody, onStored() {}, signal: undefined, arrivedAt: performance.now() },
      );
    });
  }

  /** Cancels every turn, and those still to come. */
  giveUp(): void {
    this.#hasGivenUp = true;
    this.#options.queue.stop(this.#options.queue.all(), restarting());
  }

  async #admit(incoming: Incoming): Promise<TakenTurn> {
    const { conversations } = this.#options.surroundings;
    const { scope, conversationId, clientMessageId, agentId } = incoming.request;
    if (agentId !== undefined) {
      const conversation = await conversations.record(scope, conversationId);
      if (conversation.agentId !== agentId) throw notFound('agent');
    }
    incoming.signal?.throwIfAborted();
    const { text, isMasked } = await this.#masked(incoming.request);
    const message = await conversations.addUserMessage(scope, conversationId, text, clientMessageId);
    const stored = { messageId: message.id, text: message.content, isMasked };
    if (message.storedAt === null) {
      const earlier =
        this.#joinUnderWay(stored, incoming) ?? (await this.#sendAgain(message, stored, incoming));
      if (earlier) return earlier;
      await conversations.openRecord(scope, conversationId);
      // In a room, the instance that takes over the room answers it.
      if (message.conversation.roomName === null) await conversations.tellTakenAgain(scope, message);
    }
    return this.#begin(message, stored, incoming);
  }

  #masked({ scope, conversationId, text, agent }: NotedTurn): Promise<MaskedText> {
    const { agentOf, conversations } = this.#options.surroundings;
    return masked(
      text,
      async () => agent ?? agentOf(scope, await conversations.openRecord(scope, conversationId)),
    );
  }

  #joinUnderWay(stored: StoredTurn, { listener, onStored }: Incoming): TakenTurn | null {
    const turn = this.#options.queue.all().find(({ messageId }) => messageId === stored.messageId);
    if (!turn) return null;
    onStored(stored);
    turn.join(listener);
    return { ...stored, responseId: turn.responseId, settled: turn.settled };
  }

  async #sendAgain(
    message: StoredUserMessage,
    stored: StoredTurn,
    incoming: Incoming,
  ): Promise<TakenTurn | null> {
    const { request, listener, onStored } = incoming;
    const { conversation } = message;
    const { conversations, recordings } = this.#options.surroundings;
    const reply = await conversations.replyTo(request.scope, conversation.id, message.id);
    if (!reply) return null;
    const again = await toldAgain(recordings, request.scope, conversation, reply);
    onStored(stored);
    listener.typing(conversation.id, true);
    await listener.reply(again);
    listener.typing(conversation.id, false);
    return { ...stored, responseId: null, settled: Promise.resolve() };
  }

  #begin(
    message: StoredUserMessage,
    stored: StoredTurn,
    { request, listener, onStored, signal, arrivedAt }: Incoming,
  ): TakenTurn {
    const { scope } = request;
    const clientMessageId = request.clientMessageId ?? null;
    // Its answer failed: the messages to be answered together with it still are.
    const isAskedAgain = !request.isSpoken && message.storedAt === null;
    const before = request.isSpoken ? null : this.#writtenBefore(scope, message.conversation.id);
    const turn = new Turn(
      {
        scope,
        conversation: message.conversation,
        messageId: message.id,
        text: message.content,
        clientMessageId,
        agent: request.agent ?? null,
        voice: request.voice !== false,
        isSpoken: request.isSpoken === true,
        goesOn: request.goesOn === true || before !== null || isAskedAgain,
        writtenBefore: before?.written ?? [],
        asked: storedSince(arrivedAt, request.asked),
        sharedCallId: request.sharedCallId ?? null,
        speaker: request.speaker,
      },
      this.#options.surroundings,
    );
    // Its reply is withdrawn before any of it was said, and the next reply answers both.
    before?.stop({ playedMs: Promise.resolve(0) });
    onStored(stored);
    this.#tellStored(message, { scope, clientMessageId, except: request.isSpoken ? [] : [listener.id] });
    turn.join(listener);
    void turn.settled.then(() => this.#tellIfFailed(turn, message));
    if (signal) stopWith(signal, turn, this.#options.queue);
    this.#options.queue.add(turn);
    if (this.#hasGivenUp) this.#options.queue.stop([turn], restarting());
    return { ...stored, responseId: turn.responseId, settled: turn.settled };
  }

  /** Then no other instance answers it. A turn cancelled because Sigma closes is answered by the next instance. */
  async #tellIfFailed(turn: Turn, message: StoredUserMessage): Promise<void> {
    if (!turn.hasFailed || this.#hasGivenUp) return;
    // If this cannot be stored either, the turn is answered later, at worst in vain.
    await this.#options.surroundings.conversations.tellFailedTurn(turn.scope, message).catch(() => {});
  }

  /** The turn written right before, if it has no answer yet and both are one request; else null. */
  #writtenBefore(scope: ContactScope, conversationId: string): Turn | null {
    const last = this.#options.queue.turnsOf(scope, conversationId).at(-1);
    return last?.isUnbegun && last.written && isOneWish(last.written) ? last : null;
  }

  #tellStored(
    { id, content, conversation, storedAt }: StoredUserMessage,
    about: { scope: ContactScope; clientMessageId: string | null; except: readonly string[] },
  ): void {
    if (storedAt)
      this.#options.surroundings.publish({
        type: 'message',
        conversationId: conversation.id,
        id,
        content,
        at: storedAt,
        ...about,
      });
  }

  #refuseTooMany({ scope, conversationId }: TakeTurnRequest): void {
    const arriving = this.#options.arrivals.countOf(conversationId);
    const here = this.#options.queue.waitingCount(scope, conversationId) + arriving;
    const everywhere = this.#options.queue.waitingCount(scope) + arriving;
    if (
      here < this.#options.limits.maxWaitingPerConversation &&
      everywhere < this.#options.limits.maxWaitingPerUser
    )
      return;
    throw new AppError('rate-limited', 429, 'calls.too-many-waiting');
  }
}

/** The listener of a turn that no client asked for here. */
const nobody: TurnListener = {
  id: '',
  isPresent: false,
  followsSentences: false,
  typing() {},
  sentence() {},
  reply() {},
  failed() {},
};

/** Limits of messages that are answered together: messages, questions, characters. */
const MAX_IN_A_ROW = 5;
const MAX_QUESTIONS = 1;
const MAX_CHARACTERS = 500;

/** Whether messages in a row may be answered together with more: separate questions get separate answers. */
const isOneWish = (written: readonly string[]) =>
  written.length <= MAX_IN_A_ROW &&
  written.filter((text) => /[?？؟]\s*$/u.test(text)).length <= MAX_QUESTIONS &&
  written.join(' ').length <= MAX_CHARACTERS;

function storedSince(startedAt: number, asked: Asked = { endedAt: startedAt, steps: [] }): Asked {
  const storing = { name: 'storing' as const, startedAt, endedAt: performance.now() };
  return { ...asked, steps: [...asked.steps, storing] };
}

function stopWith(signal: AbortSignal, turn: Turn, queue: TurnQueue<Turn>): void {
  const onAbort = () => queue.stop([turn], unavailable('calls.called-off'));
  signal.addEventListener('abort', onAbort, { once: true });
  void turn.settled.then(() => signal.removeEventListener('abort', onAbort));
}
