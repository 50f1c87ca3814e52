import { v7 as uuidv7 } from 'uuid';
import type { Sound } from '#server/audio/sound';
import type { AgentProfile, CustomerTurn, Dialogue, Sentence } from '#server/dialogue/contract';
import { type Seat, type SharedState, untilItsOurs } from '#server/engines/shared-state/contract';
import type { RecordingsService } from '#server/features/conversations/recordings/service';
import type {
  ConversationFace,
  ConversationsService,
  MessageRecord,
  Reply,
} from '#server/features/conversations/service';
import { unavailable } from '#server/lib/errors';
import { accountOf, type ContactScope } from '#server/lib/scope';
import { untilAborted } from '#server/lib/wait';
import { type Asked, during, Timeline, type TurnStory } from '#server/telemetry/timeline';
import type { ConversationEvent, TurnListener } from './call-events.ts';
import { channelOf, customerTurn, goneOnWith, HISTORY_MESSAGES } from './customer-turn.ts';
import { failedTurn } from './failed-turn.ts';
import { FILLER_AFTER_MS, withFiller } from './filler.ts';
import type { FirstWords } from './first-words.ts';
import type { CallModelUse } from './model-use.ts';
import { delivered, playedText } from './playout.ts';
import type { GivenReply, Responder, ResponderOf } from './responder.ts';
import { type SpokenSentence, speakInOrder } from './speak-in-order.ts';
import type { ThinkingAhead } from './thinking-ahead.ts';
import { toldAgain } from './told-again.ts';
import { type CallActions, turnActions } from './turn-actions.ts';
import type { OwnVoice, Voice } from './voice.ts';

/** Two sentences ahead keep the voice gapless without speaking much that an interruption discards. */
const LOOK_AHEAD = 3;

export interface TurnSurroundings {
  conversations: ConversationsService;
  /** Chooses the responder of a turn. */
  responderOf: ResponderOf;
  /** Gives conversations their titles. */
  dialogue: Pick<Dialogue, 'title'>;
  /** Agents' actions besides talking; absent: none. */
  actions: CallActions | undefined;
  modelUse: CallModelUse | undefined;
  ahead: ThinkingAhead;
  firstWords: FirstWords;
  voice: Voice;
  agentOf(scope: ContactScope, conversation: ConversationFace): Promise<AgentProfile>;
  /** Runs a task while no other stores in, or joins, this conversation. */
  exclusively<T>(conversationId: string, task: () => Promise<T>): Promise<T>;
  /** Lets only one instance at a time answer in a conversation. */
  sharedState: Pick<SharedState, 'isShared' | 'take'>;
  recordings: Pick<RecordingsService, 'urlOf'> | undefined;
  publish(event: ConversationEvent): void;
  /** Keeps the durations of a reply's sentences, for an interruption after it is stored. */
  remember(turn: Turn): void;
  /** Stores the audio of a stored reply, in the background; `playedMs` of an interrupted one. */
  keepSpeech(
    scope: ContactScope,
    message: MessageRecord,
    sentences: readonly (Sound | null)[],
    playedMs: number | null,
  ): void;
  /** Called when a turn of the agent has ended; null: its steps are not recorded. */
  onTurn: ((story: TurnStory) => void) | null;
  onUnexpected(error: unknown): void;
  timeoutMs: number;
}

/** The claim of the instance that answers in a conversation. */
export const turnSeat = (conversationId: string): string => `turn in ${conversationId}`;

/** Why a turn stops: a person took the floor at this playout position (in milliseconds), or it is cancelled. */
type Stop = { playedMs: Promise<number> } | { reason: Error };

interface TurnRequest {
  scope: ContactScope;
  conversation: ConversationFace;
  messageId: string;
  text: string;
  clientMessageId: string | null;
  /** `null`: the conversation's own agent. */
  agent: AgentProfile | null;
  /** Whether the reply is spoken. */
  voice: boolean;
  /** Whether the message was spoken, so that the customer listens for its answer. */
  isSpoken: boolean;
  /** Whether it continues an earlier message whose reply was called off unheard. */
  goesOn: boolean;
  /** Messages written right before it and answered together with it, oldest first. */
  writtenBefore: readonly string[];
  asked: Asked;
  /** The call of a room, shared with others' records; null: the conversation's alone. */
  sharedCallId: string | null;
  /** The speaker's name, if several people speak. */
  speaker: string | undefined;
}

/**
 * Answers one stored user message: once, for every listener that joins, however late. It outlives its listeners: a
 * reply whose client is lost is completed and stored regardless.
 */
export class Turn {
  readonly responseId = uuidv7();
  readonly sentences: SpokenSentence[] = [];
  /** Resolves when the turn has ended, with or without a reply. */
  readonly settled: Promise<void>;
  readonly #request: TurnRequest;
  readonly #around: TurnSurroundings;
  readonly #listeners = new Map<string, TurnListener>();
  /** Aborts when no more of the reply should be made. */
  readonly #generation = new AbortController();
  /** Aborts when the whole turn is cancelled. */
  readonly #turn = new AbortController();
  #state: 'waiting' | 'replying' | 'storing' | 'settled' = 'waiting';
  /** The reply that the responder made, even if not all of it was played. */
  #made: GivenReply | null = null;
  /** Playout position of a stopped reply, in milliseconds. */
  #playedMs: Promise<number> | null = null;
  /** Known once the answer has begun. */
  #responder: Responder | null = null;
  #agent: AgentProfile | null = null;
  /** Whether listeners see that it is being answered. */
  #showsTyping = false;
  #voice: OwnVoice | null = null;
  /** The steps done while its reply was prepared. */
  #ahead: Timeline | undefined;
  /** When the voice was first asked for. */
  #saidAt: number | null = null;
  readonly #timeline = new Timeline();
  /** When it was taken, and when first words and first sound were out, by `performance.now()`. */
  readonly #createdAt = performance.now();
  #firstTextAt: number | null = null;
  #firstSoundAt: number | null = null;
  #outcome: TurnStory['outcome'] = 'failed';
  #settle = () => {};
  #firstWordsOut = () => {};

  constructor(request: TurnRequest, around: TurnSurroundings) {
    this.#request = request;
    this.#around = around;
    this.settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  get scope(): ContactScope {
    return this.#request.scope;
  }

  get conversationId(): string {
    return this.#request.conversation.id;
  }

  get messageId(): string {
    return this.#request.messageId;
  }

  /** The messages in a row that are answered together here, oldest first; null if spoken. */
  get written(): readonly string[] | null {
    const { isSpoken, text, writtenBefore } = this.#request;
    return isSpoken ? null : [...writtenBefore, text];
  }

  /** Whether none of its reply was said yet, and it can still be answered together with later messages. */
  get isUnbegun(): boolean {
    const isUnderWay = this.#state === 'waiting' || this.#state === 'replying';
    return isUnderWay && this.sentences.length === 0 && !this.#turn.signal.aborted;
  }

  /** Whether listeners see that it is being answered: not before a person has begun to. */
  get isTyping(): boolean {
    return this.#isUnderWay && this.#showsTyping;
  }

  get #isUnderWay(): boolean {
    return this.#state === 'replying' || this.#state === 'storing';
  }

  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  /** Whether it has ended without a reply. */
  get hasFailed(): boolean {
    return this.#state === 'settled' && (this.#outcome === 'failed' || this.#outcome === 'called off');
  }

  /** Lets a listener hear the turn from its beginning. */
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

  /**
   * Stops at once. An interrupted reply is stored as far as it was played, as soon as that is known; of a cancelled
   * turn listeners get the reason, and nothing is stored. Does nothing to a reply that is already being stored as a
   * whole.
   */
  stop(why: Stop): void {
    if ('reason' in why) {
      this.#turn.abort(why.reason);
      this.#generation.abort(why.reason);
    } else if (this.#state === 'waiting' || this.#state === 'replying') {
      this.#playedMs ??= why.playedMs;
      this.#generation.abort(new Error('Somebody took the floor.'));
    }
  }

  /** Answers. Never rejects; `typing false` always comes last. */
  async run(): Promise<void> {
    const overdue = setTimeout(
      () => this.stop({ reason: unavailable('calls.took-too-long') }),
      this.#around.timeoutMs,
    );
    let history: MessageRecord[] | null = null;
    let seat: Seat | null = null;
    this.#state = 'replying';
    try {
      // Turns of one conversation follow one another on this instance; another instance may be answering in it.
      const name = turnSeat(this.conversationId);
      seat = await untilItsOurs(this.#around.sharedState, name, this.#turn.signal);
      this.#responder = await untilAborted(
        this.#around.responderOf(this.#request.conversation),
        this.#turn.signal,
      );
      if (this.#responder.answersAtOnce) this.#showTyping();
      else clearTimeout(overdue);
      this.#timeline.add({ name: 'waiting', startedAt: this.#createdAt, endedAt: performance.now() });
      this.#firstWordsOut = this.#around.firstWords.begin();
      const [before, earlier] = await untilAborted(
        Promise.all([this.#loadHistory(), this.#earlierReply()]),
        this.#turn.signal,
      );
      history = before;
      const answering = earlier
        ? this.#tellAgain.bind(this, earlier)
        : this.#answer.bind(this, history, this.#responder);
      await (this.#around.onTurn ? during(this.#timeline, answering) : answering());
    } catch (error) {
      this.#outcome = this.#turn.signal.aborted ? 'called off' : 'failed';
      this.#tellFailure(this.#turn.signal.aborted ? this.#turn.signal.reason : error);
    } finally {
      clearTimeout(overdue);
      seat?.release();
      this.#firstWordsOut();
      this.#state = 'settled';
      this.#tellTyping(false);
      if (this.#responder?.answersAtOnce !== false) this.#around.onTurn?.(this.#story());
    }
    if (history && !this.#turn.signal.aborted) await this.#giveTitle(history);
    this.#settle();
  }

  #loadHistory(): Promise<MessageRecord[]> {
    const { scope, conversation, messageId } = this.#request;
    return this.#around.conversations.historyBefore(scope, conversation.id, messageId, HISTORY_MESSAGES);
  }

  /** The reply that another instance has stored meanwhile. */
  async #earlierReply(): Promise<MessageRecord | null> {
    const { conversations, sharedState } = this.#around;
    if (!sharedState.isShared) return null;
    return conversations.replyTo(this.scope, this.conversationId, this.messageId);
  }

  async #tellAgain(reply: MessageRecord): Promise<void> {
    const told = await toldAgain(this.#around.recordings, this.scope, this.#request.conversation, reply);
    await Promise.all([...this.#listeners.values()].map((listener) => listener.reply(told)));
    this.#outcome = 'answered';
  }

  async #answer(history: readonly MessageRecord[], responder: Responder): Promise<void> {
    const turn = await this.#asked(history);
    try {
      const whole = await this.#say(turn, responder);
      if (whole) {
        const { text: content, citations = [] } = whole;
        await this.#finish(turn, { content, citations, interrupted: false }, null);
      } else if (responder.answersAtOnce) throw new Error('The responder ended without a reply.');
      else this.#outcome = 'called off';
    } catch (error) {
      if (!this.#playedMs || this.#turn.signal.aborted) throw error;
      const playedMs = await untilAborted(this.#playedMs, this.#turn.signal);
      const { text: content } = playedText(this.sentences.map(delivered), playedMs);
      await this.#finish(turn, { content, citations: [], interrupted: true }, playedMs);
    }
  }

  /** The request to the responder. */
  async #asked(history: readonly MessageRecord[]): Promise<CustomerTurn> {
    const { actions, modelUse, agentOf } = this.#around;
    const { scope, conversation, messageId, text, goesOn, isSpoken, sharedCallId } = this.#request;
    const agent =
      this.#request.agent ?? (await untilAborted(agentOf(scope, conversation), this.#turn.signal));
    this.#agent = agent;
    // An utterance in several parts is one request: it keeps the id of the first.
    const turnId = (goesOn && goneOnWith(history)[0]?.id) || messageId;
    return {
      ...customerTurn(agent, history, text, { goesOn, joint: isSpoken ? ' ' : '\n' }),
      ...(await untilAborted(
        turnActions(agent, actions, { scope, conversationId: conversation.id, turnId, sharedCallId }),
        this.#turn.signal,
      )),
      account: accountOf(scope),
      channel: channelOf(this.#request),
      speaker: this.#request.speaker,
      models: modelUse?.allowance({ scope, conversationId: conversation.id, messageId }),
    };
  }

  /** Sends listeners the reply, sentence by sentence, as it is made and spoken. @returns null if there is none */
  async #say(turn: CustomerTurn, responder: Responder): Promise<GivenReply | null> {
    const { ahead, firstWords, voice } = this.#around;
    const { isSpoken } = this.#request;
    const { signal } = this.#generation;
    const own = voice.forReply(turn.agent.language, signal, !isSpoken);
    this.#voice = own;
    const answering = ahead.answer(this.conversationId, { turn, responder }, own, signal);
    this.#ahead = answering.timeline;
    const askedAt = performance.now();
    const isWaitedFor = isSpoken ? this.#isSpoken : this.#isFollowed;
    const filler = isWaitedFor ? responder.oneMoment(turn.agent) : null;
    let fillers = 0;
    const onFiller = () => fillers++;
    const afterMs = FILLER_AFTER_MS[isSpoken ? 'spoken' : 'typed'];
    const events =
      filler === null ? answering.events : withFiller(answering.events, filler, onFiller, afterMs);
    // Speech begun ahead is found by its sentence's position in the reply itself.
    const say = (sentence: Sentence) =>
      sentence.index < fillers
        ? own.say(sentence)
        : answering.say({ ...sentence, index: sentence.index - fillers });
    return speakInOrder(events, {
      say: (sentence) => {
        this.#saidAt ??= performance.now();
        return this.#isSpoken ? say(sentence) : null;
      },
      emit: (sentence) => this.#tellSentence(sentence),
      past: (aheadMs, signal) => own.waitFor(firstWords.past(aheadMs, signal)),
      onMade: (whole) => {
        this.#made = whole;
        this.#timeline.add({ name: 'dialogue', startedAt: askedAt, endedAt: performance.now() });
      },
      lookAhead: LOOK_AHEAD,
      signal,
    });
  }

  /** Whether a listener reads each sentence as it is made. */
  get #isFollowed(): boolean {
    return [...this.#listeners.values()].some(({ followsSentences }) => followsSentences);
  }

  /** A reply needs its voice only while a client listens. */
  get #isSpoken(): boolean {
    return this.#request.voice && this.hasListeners;
  }

  async #finish(
    { agent, text: question }: CustomerTurn,
    reply: Pick<Reply, 'content' | 'citations' | 'interrupted'>,
    playedMs: number | null,
  ) {
    const { conversations, exclusively, keepSpeech, publish, remember } = this.#around;
    const { scope, messageId } = this.#request;
    const { conversationId } = this;
    const { outcome, state, stateForOthers, contact, topic, leavesTo } = this.#made ?? {};
    this.#state = 'storing';
    this.#outcome = reply.interrupted ? 'interrupted' : 'answered';
    const stored = exclusively(conversationId, async () => {
      const message = await conversations.addReply(scope, conversationId, messageId, {
        ...reply,
        ...{ outcome, state, contact, topic, question },
        author: this.#responder?.author,
        responseId: this.responseId,
      });
      if (!this.#isUnderWay) return [];
      remember(this);
      const finished = {
        conversationId,
        responseId: this.responseId,
        message,
        agent: { name: agent.name, companyName: agent.companyName },
        question,
        contact,
        stateForOthers,
        leavesTo: reply.interrupted ? undefined : leavesTo,
        sentences: this.sentences,
        isVoiceBusy: this.#voice?.isBusy === true,
      };
      const told = [...this.#listeners.values()].map((listener) => listener.reply(finished));
      publish({ type: 'reply', conversationId, except: [...this.#listeners.keys()], reply: finished });
      // A reply that another instance stored first was spoken there.
      if (message.responseId === this.responseId)
        keepSpeech(
          scope,
          message,
          this.sentences.map(({ speech }) => speech),
          playedMs,
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
      const naming = conversations.giveTitle(this.scope, conversation, title);
      if (!(await untilAborted(naming, this.#turn.signal))) return;
      publish({ type: 'titled', conversationId: this.conversationId, except: [], title });
    } catch (error) {
      if (!this.#turn.signal.aborted) onUnexpected(error);
    }
  }

  #addressed(sentence: SpokenSentence) {
    const { conversationId, responseId } = this;
    return { ...sentence, conversationId, responseId, author: this.#responder?.author };
  }

  async #tellSentence(sentence: SpokenSentence): Promise<void> {
    this.#showTyping();
    this.sentences.push(sentence);
    const told = this.#addressed(sentence);
    const madeAt = performance.now();
    await Promise.all([...this.#listeners.values()].map((listener) => listener.sentence(told)));
    const outAt = performance.now();
    this.#firstTextAt ??= outAt;
    if (sentence.speech && this.#firstSoundAt === null) {
      this.#firstSoundAt = outAt;
      this.#timeline.add({ name: 'synthesis', startedAt: this.#saidAt ?? madeAt, endedAt: madeAt });
      this.#timeline.add({ name: 'first sound', startedAt: madeAt, endedAt: outAt });
    }
    this.#firstWordsOut();
  }

  #story(): TurnStory {
    const { conversationId, messageId, responseId } = this;
    const { asked, isSpoken, agent } = this.#request;
    // A page's agent is its conversation's; a room has its own.
    const kind = isSpoken ? (agent ? 'room' : 'spoken') : 'typed';
    return {
      kind,
      outcome: this.#outcome,
      conversationId,
      messageId,
      responseId,
      askedAt: asked.endedAt,
      endedAt: performance.now(),
      firstTextAt: this.#firstTextAt,
      firstSoundAt: this.#firstSoundAt,
      sentences: this.sentences.length,
      steps: [...asked.steps, ...(this.#ahead?.steps ?? []), ...this.#timeline.steps],
    };
  }

  #showTyping(): void {
    if (this.#showsTyping) return;
    this.#showsTyping = true;
    this.#tellTyping(true);
  }

  #tellTyping(isTyping: boolean): void {
    const { conversationId } = this;
    for (const listener of this.#listeners.values()) listener.typing(conversationId, isTyping);
    const except = [...this.#listeners.keys()];
    this.#around.publish({ type: 'typing', conversationId, except, isTyping });
  }

  #tellFailure(error: unknown): void {
    const { conversationId } = this;
    const { clientMessageId } = this.#request;
    const failure = failedTurn({ conversationId, clientMessageId }, error, this.#around.onUnexpected);
    for (const listener of this.#listeners.values()) listener.failed(failure);
  }
}
