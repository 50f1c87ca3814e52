import { v7 as uuidv7 } from 'uuid';
import type { Sound } from '#server/audio/sound';
import type { AgentProfile, Dialogue } from '#server/dialogue/contract';
import type { SoundEncoder } from '#server/engines/encoding/contract';
import type { SharedState } from '#server/engines/shared-state/contract';
import type { SynthesisEngine } from '#server/engines/synthesis/contract';
import type { AgentsService } from '#server/features/agents/service';
import type { RecordingsService } from '#server/features/conversations/recordings/service';
import type {
  ConversationFace,
  ConversationOutcome,
  ConversationsService,
  LeftTurn,
} from '#server/features/conversations/service';
import { conversationEnded, notFound, restarting } from '#server/lib/errors';
import { accountOf, type ContactScope } from '#server/lib/scope';
import type { TurnStory } from '#server/telemetry/timeline';
import type { Sentiment } from '#shared/conversations';
import type { SpokenAudio } from '#shared/realtime';
import { Admission } from './admission.ts';
import { agentOf } from './agent-of.ts';
import { Arrivals } from './arrivals.ts';
import { Audience } from './audience.ts';
import type { ConversationEvent, StartedCall, TurnListener } from './call-events.ts';
import { channelOf, customerTurn, HISTORY_MESSAGES } from './customer-turn.ts';
import { FirstWords } from './first-words.ts';
import { type CallLimits, defaultCallLimits } from './limits.ts';
import { masked } from './masking/masked.ts';
import type { CallModelUse } from './model-use.ts';
import { Openings } from './openings.ts';
import { type RehearsedReply, type RehearsedTurn, rehearse } from './rehearsal.ts';
import type {
  CandidateTurn,
  NotedTurn,
  ReplyRef,
  StartRequest,
  StoredTurn,
  TakenTurn,
  TakeTurnOptions,
  TakeTurnRequest,
  Welcome,
} from './requests.ts';
import { agentResponder, type ResponderOf } from './responder.ts';
import { spokenAudio } from './spoken-audio.ts';
import { StoppedReplies } from './stopped-replies.ts';
import { ThinkingAhead } from './thinking-ahead.ts';
import type { Turn, TurnSurroundings } from './turn.ts';
import { type CallActions, turnActions } from './turn-actions.ts';
import { TurnQueue } from './turn-queue.ts';
import { type SilentCall, Unasked, type UnaskedWords } from './unasked.ts';
import { Voice } from './voice.ts';

export type { FinishedReply, TurnListener } from './call-events.ts';
export { type DeliveredSentence, delivered, playedText } from './playout.ts';
export type { StoredTurn, Welcome } from './requests.ts';

interface CallsDependencies {
  conversations: ConversationsService;
  agents: AgentsService;
  dialogue: Dialogue;
  /** Chooses the responder of a conversation; without it the agent's dialogue. */
  responderOf?: ResponderOf;
  synthesis: SynthesisEngine;
  encoder: SoundEncoder;
  /** Lets only one instance at a time answer in a conversation. */
  sharedState: Pick<SharedState, 'isShared' | 'take'>;
  /** Agents' actions besides talking; without it none. */
  actions?: CallActions;
  /** Counts and limits the use of language models; without it neither. */
  modelUse?: CallModelUse;
  /** Stores the audio of replies; without it none is stored. Runs in the background and never fails a turn. */
  recordings?: Pick<RecordingsService, 'keepSpeech' | 'cutSpeech' | 'urlOf' | 'urlsOf'>;
  /** Called for failures to log, without customers' words. */
  onFailure(what: 'turn' | 'voice' | 'preparation', error: unknown): void;
  /** Called with each ended turn of an agent. */
  onTurn?: (story: TurnStory) => void;
  limits?: Partial<CallLimits>;
}

/** Calls: customers talk with agents, typed or spoken, on a page or in a room. */
export class CallsService {
  readonly #deps: CallsDependencies;
  readonly #limits: CallLimits;
  readonly #voice: Voice;
  readonly #arrivals = new Arrivals();
  readonly #audience = new Audience();
  readonly #queue: TurnQueue<Turn>;
  readonly #ahead: ThinkingAhead;
  readonly #responderOf: ResponderOf;
  readonly #stopped: StoppedReplies;
  readonly #observers = new Set<(event: ConversationEvent) => void>();
  readonly #openings: Openings;
  readonly #admission: Admission;
  readonly #unasked: Unasked;
  #isClosing = false;

  constructor(deps: CallsDependencies) {
    this.#deps = deps;
    this.#limits = { ...defaultCallLimits, ...deps.limits };
    this.#queue = new TurnQueue({ maxRunningPerUser: this.#limits.maxRunningPerUser });
    const firstWords = new FirstWords();
    this.#voice = new Voice(deps.synthesis, {
      sentenceTimeoutMs: this.#limits.sentenceTimeoutMs,
      readWaitMs: this.#limits.readWaitMs,
      isCrowded: () => firstWords.isCrowded,
      onFailure: (error) => deps.onFailure('voice', error),
    });
    this.#ahead = new ThinkingAhead(this.#voice, firstWords, deps.onTurn !== undefined);
    const agent = agentResponder(deps.dialogue);
    this.#responderOf = deps.responderOf ?? (async () => agent);
    this.#stopped = new StoppedReplies({
      queue: this.#queue,
      conversations: deps.conversations,
      recordings: deps.recordings,
    });
    const shared = {
      conversations: deps.conversations,
      dialogue: deps.dialogue,
      voice: this.#voice,
      agentOf: (scope: ContactScope, conversation: ConversationFace) =>
        agentOf(deps.agents, scope, conversation),
      responderOf: this.#responderOf,
    };
    const surroundings: TurnSurroundings = {
      ...shared,
      actions: deps.actions,
      modelUse: deps.modelUse,
      sharedState: deps.sharedState,
      recordings: deps.recordings,
      ahead: this.#ahead,
      firstWords,
      exclusively: (conversationId, task) => this.#arrivals.exclusively(conversationId, task),
      publish: (event) => this.#publish(event),
      remember: (turn) => this.#stopped.remember(turn),
      keepSpeech: (...reply) => deps.recordings?.keepSpeech(...reply),
      onTurn: deps.onTurn ?? null,
      onUnexpected: (error) => deps.onFailure('turn', error),
      timeoutMs: this.#limits.turnTimeoutMs,
    };
    const storing = { arrivals: this.#arrivals, queue: this.#queue, limits: this.#limits };
    this.#admission = new Admission({ ...storing, surroundings });
    this.#openings = new Openings({
      ...shared,
      ...storing,
      recordings: deps.recordings,
      agents: deps.agents,
      onFailure: (error) => deps.onFailure('preparation', error),
    });
    this.#unasked = new Unasked({
      ...shared,
      ...storing,
      recordings: deps.recordings,
      audience: this.#audience,
      stopped: this.#stopped,
      publish: surroundings.publish,
      patienceMs: this.#limits.sentenceTimeoutMs,
    });
    deps.conversations.onOutcome((change) => this.#tellOutcome(change));
    deps.conversations.onClosing(({ scope, conversationId, reason }) => {
      const why = reason === 'ended' ? conversationEnded() : notFound('conversation');
      this.#queue.stop(this.#queue.turnsOf(scope, conversationId), why);
      this.#ahead.stop(conversationId);
      this.#audience.end(conversationId);
    });
  }

  /** How long a new answer would wait for a voice busy with others, in milliseconds. */
  get voiceWaitMs(): number {
    return this.#voice.waitMs;
  }

  /** Running and waiting turns. */
  get turnsUnderWay(): number {
    return this.#queue.all().length;
  }

  /** Sends the events of every conversation to `observer`, for clients that have it open without having asked. */
  observe(observer: (event: ConversationEvent) => void): void {
    this.#observers.add(observer);
  }

  /** Reports a conversation's new label to all clients that have it open. */
  tellSentiment(conversationId: string, sentiment: Sentiment): void {
    this.#publish({ type: 'labelled', conversationId, except: [], sentiment });
  }

  /**
   * Starts a call, or continues an open one: then the listener also joins turns that a lost client left behind.
   * @param onStarted called once, and awaited, before the listener gets any event of this conversation
   * @throws AppError not-found for an agent or conversation that is not theirs, conversation-ended, unavailable
   */
  async start(
    request: StartRequest,
    listener: TurnListener,
    onStarted: (call: StartedCall) => void | Promise<void>,
  ): Promise<void> {
    this.#refuseWhileClosing();
    const { conversationId } = request;
    const onOpen = (call: StartedCall) => {
      this.attend(call.conversationId, listener, request.voice !== false);
      return onStarted(call);
    };
    if (conversationId === undefined) await this.#openings.start(request, onOpen);
    else await this.#openings.resume(request, conversationId, listener, onOpen);
  }

  /** Registers a client with an open conversation: unasked words reach it, too, until it leaves. */
  attend(conversationId: string, listener: TurnListener, voice: boolean): void {
    this.#audience.attend(conversationId, listener, voice);
  }

  /**
   * Says words that answer no message, such as a colleague's afterthought: stored, and sent like a reply. One client
   * speaks it, the one that started the conversation or spoke last.
   * @returns the message's id
   * @throws AppError not-found, conversation-ended
   */
  async say(words: UnaskedWords): Promise<string> {
    this.#refuseWhileClosing();
    return this.#unasked.say(words);
  }

  /**
   * An agent's first words, for a call that is stored elsewhere. Never rejects.
   * @param patienceMs time for its voice
   */
  welcome(agent: AgentProfile, patienceMs: number): Promise<Welcome> {
    return this.#openings.welcome(agent, patienceMs);
  }

  /**
   * An agent's question into a silence, for a call that is stored elsewhere; null if a colleague answers. Never
   * rejects.
   * @param record the conversation of the silent person; null if it could not be opened
   */
  stillThere(
    agent: AgentProfile,
    record: Pick<SilentCall, 'scope' | 'conversationId'> | null,
  ): Promise<Welcome | null> {
    return this.#unasked.stillThere(agent, record);
  }

  /**
   * Asks a silent customer whether they are still there; stored, and sent to the listener, like a reply.
   * @returns whether it was asked: not if a person speaks or is being answered meanwhile, nor if the call is over
   */
  async askWhetherThere(call: SilentCall, listener: TurnListener): Promise<boolean> {
    return !this.#isClosing && this.#unasked.askWhetherThere(call, listener);
  }

  /**
   * Ends a call, like hanging up.
   * @throws AppError not-found
   */
  async hangUp(scope: ContactScope, conversationId: string): Promise<void> {
    await this.#deps.conversations.end(scope, conversationId);
  }

  /**
   * Stores a customer's words to another person as part of the conversation, without an answer. A later turn with the
   * same clientMessageId answers them after all.
   * @throws AppError as `takeTurn` does
   */
  async note(note: NotedTurn): Promise<StoredTurn> {
    this.#refuseWhileClosing();
    return this.#admission.note(note);
  }

  /**
   * Takes a customer's message: stores it, then answers it when its turn has come. Repeating the same clientMessageId
   * joins the running turn, gets the stored reply again, or retries a failed turn.
   * @returns once the message is stored
   * @throws AppError when it was not: invalid-input, not-found, conversation-ended, rate-limited, unavailable
   */
  async takeTurn(
    request: TakeTurnRequest,
    listener: TurnListener,
    { onStored, signal }: TakeTurnOptions = {},
  ): Promise<TakenTurn> {
    this.#refuseWhileClosing();
    signal?.throwIfAborted();
    const arrivedAt = performance.now();
    const incoming = { request, listener, onStored: onStored ?? (() => {}), signal, arrivedAt };
    const taken = await this.#admission.take(incoming);
    // In a room each question has its own listener.
    if (!request.agent && listener.isPresent)
      this.attend(request.conversationId, listener, request.voice !== false);
    return taken;
  }

  /**
   * Answers a message of a lost instance without a new request: `observe` tells clients. Not while another turn is
   * answered in its conversation, here or at another instance.
   * @throws AppError conversation-ended, not-found, unavailable
   */
  async takeUp(left: LeftTurn): Promise<void> {
    this.#refuseWhileClosing();
    await this.#admission.takeUp(left);
  }

  /**
   * Prepares the reply to a possible turn before endpointing is sure, so that it comes sooner. It is unnoticed and not
   * stored; the next candidate of the same conversation replaces it.
   */
  think({ scope, conversationId, text, agent: given, voice, goesOn = false, isSpoken }: CandidateTurn): void {
    if (this.#isClosing) return;
    // All messages stored from here on, first of all this one, are later.
    const place = uuidv7();
    this.#ahead.think({ conversationId, text, goesOn, voice: voice !== false }, async () => {
      const { conversations } = this.#deps;
      await Promise.all(this.#queue.turnsOf(scope, conversationId).map((turn) => turn.settled));
      const opening = conversations.openRecord(scope, conversationId);
      const [agent, responder, history] = await Promise.all([
        opening.then((conversation) => given ?? agentOf(this.#deps.agents, scope, conversation)),
        opening.then((conversation) => this.#responderOf(conversation)),
        conversations.historyBefore(scope, conversationId, place, HISTORY_MESSAGES),
      ]);
      if (!responder.answersAtOnce) throw new Error('A person is not asked ahead.');
      const [said, actions] = await Promise.all([
        masked(text, async () => agent),
        turnActions(agent, this.#deps.actions, null),
      ]);
      const models = this.#deps.modelUse?.allowance({ scope, conversationId, messageId: null });
      const turn = {
        ...customerTurn(agent, history, said.text, { goesOn, joint: ' ' }),
        ...actions,
        account: accountOf(scope),
        channel: channelOf({ agent: given, isSpoken }),
        models,
      };
      return { turn, responder };
    });
  }

  /** Drops the prepared reply: the customer continues to speak. */
  stopThinking(conversationId: string): void {
    this.#ahead.stop(conversationId);
  }

  /**
   * A person takes the floor from a reply: making and speaking stop at once, and its stored text is cut to the part
   * played. If called again for the same reply, the first known position counts.
   * @param playedMs playout position: milliseconds of its audio that were played. A promise must not reject.
   * @returns its stored text now
   * @throws AppError not-found for a conversation or reply that is not theirs
   */
  stop(reply: ReplyRef, playedMs: number | Promise<number>): Promise<{ content: string }> {
    return this.#stopped.stop(reply, playedMs);
  }

  /**
   * The language of an open conversation's agent (BCP 47).
   * @throws AppError not-found, conversation-ended
   */
  async languageOf(scope: ContactScope, conversationId: string, agentId?: string): Promise<string> {
    const conversation = await this.#deps.conversations.openRecord(scope, conversationId);
    if (agentId !== undefined && conversation.agentId !== agentId) throw notFound('agent');
    return (await agentOf(this.#deps.agents, scope, conversation)).language;
  }

  /** The words made so far of a reply, or of another message of the agent by its id; null for none. */
  async wordsOf({ scope, conversationId, responseId }: ReplyRef): Promise<string | null> {
    const { conversations } = this.#deps;
    const turn = this.#queue.turnsOf(scope, conversationId).find((turn) => turn.responseId === responseId);
    if (turn) return turn.sentences.map(({ text }) => text).join(' ');
    const reply = await conversations.reply(scope, conversationId, responseId);
    if (reply) return reply.content;
    const messages = await conversations.messages(scope, conversationId);
    return messages.find(({ id, role }) => id === responseId && role === 'assistant')?.content ?? null;
  }

  /**
   * Answers a turn as a call would, for a trial of an agent; stores nothing.
   * @throws AppError unavailable, EngineError, or the signal's reason
   */
  async rehearse(turn: RehearsedTurn, signal: AbortSignal): Promise<RehearsedReply> {
    this.#refuseWhileClosing();
    const around = {
      dialogue: this.#deps.dialogue,
      modelUse: this.#deps.modelUse,
      voice: this.#voice,
      limits: this.#limits,
      audioOf: (speeches: readonly (Sound | null)[]) => this.audioOf(speeches),
    };
    return rehearse(turn, around, signal);
  }

  /** Speech for a page, in one file; nothing if there is none, or encoding fails. Never rejects. */
  audioOf(speeches: readonly (Sound | null)[]): Promise<SpokenAudio> {
    return spokenAudio(speeches, this.#deps.encoder, (error) => this.#deps.onFailure('voice', error));
  }

  /** Removes a client that is lost, or that closed a conversation; its turns are completed and stored. */
  leave(listenerId: string): void {
    for (const turn of this.#queue.all()) turn.leave(listenerId);
    this.#audience.leave(listenerId);
  }

  /** Whether a user waits for an answer of this instance. */
  isAnswering(account: string): boolean {
    return this.#queue.has(account);
  }

  /** Resolves once no turn runs or waits. */
  async idle(): Promise<void> {
    await this.#arrivals.settled();
    await this.#queue.idle();
  }

  /** Refuses new turns, lets running ones finish for at most `limitMs`, then cancels them. */
  async close(limitMs: number): Promise<void> {
    this.#isClosing = true;
    this.#ahead.close();
    let overdue: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      overdue = setTimeout(resolve, limitMs);
    });
    await Promise.race([this.idle(), limit]);
    clearTimeout(overdue);
    this.#admission.giveUp();
    await this.#queue.idle();
  }

  /** The answer itself is sent first, and the title that came with it. */
  #tellOutcome({ scope, conversationId, outcome, contact }: ConversationOutcome): void {
    const answering = this.#queue.turnsOf(scope, conversationId).find((turn) => turn.isTyping);
    const tell = () => this.#publish({ type: 'concluded', conversationId, except: [], outcome, contact });
    if (answering) void answering.settled.then(tell);
    else tell();
  }

  #refuseWhileClosing(): void {
    if (this.#isClosing) throw restarting();
  }

  #publish(event: ConversationEvent): void {
    for (const observer of this.#observers) observer(event);
  }
}
