import { v7 as uuidv7 } from 'uuid';
import type { Sound } from '#server/audio/sound';
import type { AgentProfile, CustomerTurn, Dialogue, WholeReply } from '#server/dialogue/contract';
import { EngineError } from '#server/engines/engine-error';
import { AppError, internal, unavailable } from '#server/errors';
import type {
  ConversationFace,
  ConversationsService,
  MessageRecord,
  Reply,
} from '#server/features/conversations/service';
import type { ConversationEvent, FailedTurn, TurnListener } from './call-events.ts';
import { customerTurn, HISTORY_MESSAGES } from './customer-turn.ts';
import { delivered, heardText } from './heard-text.ts';
import { type SpokenSentence, speakInOrder } from './speak-in-order.ts';
import type { ThinkingAhead } from './thinking-ahead.ts';
import { untilAborted } from './until-aborted.ts';
import type { Voice } from './voice.ts';

/** Two sentences ahead keep the voice gapless without speaking what an interruption will throw away. */
const LOOK_AHEAD = 3;

export interface TurnSurroundings {
  conversations: ConversationsService;
  dialogue: Pick<Dialogue, 'title'>;
  ahead: ThinkingAhead;
  voice: Voice;
  agentOf(userId: string, conversation: ConversationFace): Promise<AgentProfile>;
  /** Runs a task while nobody else stores in, or joins, this conversation. */
  exclusively<T>(conversationId: string, task: () => Promise<T>): Promise<T>;
  publish(event: ConversationEvent): void;
  /** Keeps how long the sentences of a reply were, for an interruption that comes when it is already stored. */
  remember(turn: Turn): void;
  /** Keeps how a stored reply was spoken, in the background; `heardMs` of one that was interrupted. */
  keepSpeech(
    userId: string,
    message: MessageRecord,
    sentences: readonly (Sound | null)[],
    heardMs: number | null,
  ): void;
  onUnexpected(error: unknown): void;
  timeoutMs: number;
}

export interface TurnRequest {
  userId: string;
  conversation: ConversationFace;
  messageId: string;
  text: string;
  clientMessageId: string | null;
  /** `null`: the conversation's own agent. */
  agent: AgentProfile | null;
  /** Whether the reply is spoken. */
  voice: boolean;
  /** Whether it goes on with what was said before, whose reply was withdrawn unheard. */
  goesOn: boolean;
}

/**
 * The answering of one stored user message: made once, heard by every listener that joins, however late.
 * It outlives its listeners: a reply whose client went away is finished and stored all the same.
 */
export class Turn {
  readonly responseId = uuidv7();
  readonly sentences: SpokenSentence[] = [];
  /** Resolves when the turn has ended, one way or the other. */
  readonly settled: Promise<void>;
  readonly #request: TurnRequest;
  readonly #around: TurnSurroundings;
  readonly #listeners = new Map<string, TurnListener>();
  /** Stops making the reply: by an interruption, or because the whole turn is given up. */
  readonly #generation = new AbortController();
  /** Gives up the whole turn. */
  readonly #turn = new AbortController();
  #state: 'waiting' | 'replying' | 'storing' | 'settled' = 'waiting';
  /** What the dialogue made, though the customer may not have heard all of it. */
  #made: WholeReply | null = null;
  #heardMs: number | null = null;
  /** Resolves when it is known how much of a stopped reply was heard. */
  readonly #heard: Promise<void>;
  #isHeardKnown = () => {};
  #isStopped = false;
  /** Known once the answer is under way. */
  #agent: AgentProfile | null = null;
  #settle = () => {};

  constructor(request: TurnRequest, around: TurnSurroundings) {
    this.#request = request;
    this.#around = around;
    this.settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.#heard = new Promise((resolve) => {
      this.#isHeardKnown = resolve;
    });
  }

  get userId(): string {
    return this.#request.userId;
  }

  get conversationId(): string {
    return this.#request.conversation.id;
  }

  get messageId(): string {
    return this.#request.messageId;
  }

  get isTyping(): boolean {
    return this.#state === 'replying' || this.#state === 'storing';
  }

  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  /** Lets a listener hear the turn from its beginning on. */
  join(listener: TurnListener): void {
    if (!listener.isPresent || this.#listeners.has(listener.id)) return;
    this.#listeners.set(listener.id, listener);
    if (!this.isTyping) return;
    listener.typing(this.conversationId, true);
    for (const sentence of this.sentences) void listener.sentence(this.#addressed(sentence));
  }

  leave(listenerId: string): void {
    this.#listeners.delete(listenerId);
  }

  /** Gives up: listeners are told the reason, nothing is stored. */
  cancel(reason: Error): void {
    this.#turn.abort(reason);
    this.#generation.abort(reason);
  }

  /**
   * Stops the reply; what was heard of it is stored.
   * @param heardMs milliseconds of its audio that left the loudspeaker
   * @returns false when it is too late, because the whole reply is on its way into the database
   */
  interrupt(heardMs: number): boolean {
    if (!this.stop()) return false;
    this.#heardMs ??= heardMs;
    this.#isHeardKnown();
    return true;
  }

  /**
   * Stops making the reply; it is stored once `interrupt` says how much of it was heard.
   * @returns false when it is too late
   */
  stop(): boolean {
    if (this.#state !== 'waiting' && this.#state !== 'replying') return false;
    this.#isStopped = true;
    this.#generation.abort(new Error('The customer interrupted the reply.'));
    return true;
  }

  /** Answers. Never rejects; `typing false` always comes last. */
  async run(): Promise<void> {
    const overdue = setTimeout(
      () => this.cancel(unavailable('This answer took too long. Please try again.')),
      this.#around.timeoutMs,
    );
    let history: MessageRecord[] | null = null;
    this.#state = 'replying';
    this.#tellTyping(true);
    try {
      this.#turn.signal.throwIfAborted();
      history = await untilAborted(this.#loadHistory(), this.#turn.signal);
      await this.#answer(history);
    } catch (error) {
      this.#tellFailure(this.#turn.signal.aborted ? this.#turn.signal.reason : error);
    } finally {
      clearTimeout(overdue);
      this.#state = 'settled';
      this.#tellTyping(false);
    }
    if (history && !this.#turn.signal.aborted) await this.#giveTitle(history);
    this.#settle();
  }

  #loadHistory(): Promise<MessageRecord[]> {
    const { userId, conversation, messageId } = this.#request;
    return this.#around.conversations.historyBefore(userId, conversation.id, messageId, HISTORY_MESSAGES);
  }

  async #answer(history: readonly MessageRecord[]): Promise<void> {
    const { ahead, agentOf, voice } = this.#around;
    const { userId, conversation, text, goesOn } = this.#request;
    const { signal } = this.#generation;
    const agent =
      this.#request.agent ?? (await untilAborted(agentOf(userId, conversation), this.#turn.signal));
    this.#agent = agent;
    const turn = customerTurn(agent, history, text, goesOn);
    try {
      const answering = ahead.answer(conversation.id, turn, voice.forReply(agent.language, signal), signal);
      const whole = await speakInOrder(answering.events, {
        say: (sentence) => (this.#isSpoken ? answering.say(sentence) : null),
        emit: (sentence) => this.#tellSentence(sentence),
        onMade: (whole) => {
          this.#made = whole;
        },
        lookAhead: LOOK_AHEAD,
        signal,
      });
      await this.#finish(turn, { content: whole.text, citations: whole.citations, interrupted: false });
    } catch (error) {
      if (!this.#isStopped || this.#turn.signal.aborted) throw error;
      await untilAborted(this.#heard, this.#turn.signal);
      if (this.#heardMs === null) throw error;
      const heard = heardText(this.sentences.map(delivered), this.#heardMs);
      await this.#finish(turn, { content: heard.text, citations: [], interrupted: true });
    }
  }

  /** A reply is worth its voice only while somebody listens. */
  get #isSpoken(): boolean {
    return this.#request.voice && this.hasListeners;
  }

  async #finish(
    { agent, text: question }: CustomerTurn,
    reply: Pick<Reply, 'content' | 'citations' | 'interrupted'>,
  ) {
    const { conversations, exclusively, keepSpeech, publish, remember } = this.#around;
    const { userId, messageId } = this.#request;
    const { conversationId } = this;
    const { outcome, state, contact, topic } = this.#made ?? {};
    this.#state = 'storing';
    const stored = exclusively(conversationId, async () => {
      const message = await conversations.addReply(userId, conversationId, messageId, {
        ...reply,
        ...{ outcome, state, contact, topic, question },
        responseId: this.responseId,
      });
      if (!this.isTyping) return [];
      remember(this);
      const finished = {
        conversationId,
        responseId: this.responseId,
        message,
        agent: { name: agent.name, companyName: agent.companyName },
        question,
        contact,
        sentences: this.sentences,
      };
      const told = [...this.#listeners.values()].map((listener) => listener.reply(finished));
      publish({ type: 'reply', conversationId, except: [...this.#listeners.keys()], reply: finished });
      // A reply that another instance stored first was spoken there.
      if (message.responseId === this.responseId)
        keepSpeech(
          userId,
          message,
          this.sentences.map(({ speech }) => speech),
          reply.interrupted ? this.#heardMs : null,
        );
      return told;
    });
    await untilAborted(
      stored.then((told) => Promise.all(told)),
      this.#turn.signal,
    );
  }

  async #giveTitle(history: readonly MessageRecord[]): Promise<void> {
    const { conversations, dialogue, publish, onUnexpected } = this.#around;
    const { conversation, text } = this.#request;
    const agent = this.#agent;
    if (!agent || !conversations.isUntitled(conversation)) return;
    try {
      const earlier = history.filter(({ role }) => role === 'user').map(({ content }) => content);
      const topics = [...history.map(({ topic }) => topic), this.#made?.topic];
      const title = dialogue.title(
        agent,
        [...earlier, text],
        topics.filter((topic) => typeof topic === 'string'),
      );
      if (!title) return;
      const naming = conversations.giveTitle(this.userId, conversation, title);
      if (!(await untilAborted(naming, this.#turn.signal))) return;
      publish({ type: 'titled', conversationId: this.conversationId, except: [], title });
    } catch (error) {
      if (!this.#turn.signal.aborted) onUnexpected(error);
    }
  }

  #addressed(sentence: SpokenSentence) {
    return { ...sentence, conversationId: this.conversationId, responseId: this.responseId };
  }

  async #tellSentence(sentence: SpokenSentence): Promise<void> {
    this.sentences.push(sentence);
    const told = this.#addressed(sentence);
    await Promise.all([...this.#listeners.values()].map((listener) => listener.sentence(told)));
  }

  #tellTyping(isTyping: boolean): void {
    const { conversationId } = this;
    for (const listener of this.#listeners.values()) listener.typing(conversationId, isTyping);
    const except = [...this.#listeners.keys()];
    this.#around.publish({ type: 'typing', conversationId, except, isTyping });
  }

  #tellFailure(error: unknown): void {
    const failure = this.#describe(error);
    for (const listener of this.#listeners.values()) listener.failed(failure);
  }

  #describe(error: unknown): FailedTurn {
    const { clientMessageId } = this.#request;
    const { conversationId } = this;
    if (error instanceof EngineError)
      return {
        conversationId,
        clientMessageId,
        message: error.message,
        code: 'unavailable',
        retryable: error.retryable,
      };
    const known = error instanceof AppError ? error : internal(error);
    if (known !== error) this.#around.onUnexpected(error);
    return {
      conversationId,
      clientMessageId,
      message: known.message,
      code: known.code,
      retryable: known.retryable,
    };
  }
}
