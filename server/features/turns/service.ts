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
  /** Who answers in a conversation; without it the agent's dialogue. */
  responderOf?: ResponderOf;
  synthesis: SynthesisEngine;
  encoder: SoundEncoder;
  /** What instances share: one of them at a time answers in a conversation. */
  sharedState: Pick<SharedState, 'isShared' | 'take'>;
  /** What agents can do besides talking; without it nothing. */
  actions?: CallActions;
  /** Counts, and bounds, what language models take; without it neither is done. */
  modelUse?: CallModelUse;
  /**
   * Keeps how replies were spoken; without it nothing of that is kept. All of it goes on in the background, and none of
   * it fails a turn.
   */
  recordings?: Pick<RecordingsService, 'keepSpeech' | 'cutSpeech' | 'urlOf' | 'urlsOf'>;
  /** Told of failures that are worth a look; what customers said is not in them. */
  onFailure(what: 'turn' | 'voice' | 'preparation', error: unknown): void;
  /** Told of each turn of an agent's that has ended, however it did. */
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
      agentOf: (scope: ContactScope, conversation: ConversationFace) => this.#agentOf(scope, conversation),
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

  /** How long an answer that begins now would wait for the voice of others, in milliseconds. */
  get voiceWaitMs(): number {
    return this.#voice.waitMs;
  }

  /** Turns that are answered or wait for it. */
  get turnsUnderWay(): number {
    return this.#queue.all().length;
  }

  /** Tells `observer` what happens in every conversation, for clients that have it open without having asked. */
  observe(observer: (event: ConversationEvent) => void): void {
    this.#observers.add(observer);
  }

  /** Tells everybody who has a conversation open that it has another label. */
  tellSentiment(conversationId: string, sentiment: Sentiment): void {
    this.#publish({ type: 'labelled', conversationId, except: [], sentiment });
  }

  /**
   * Starts a call, or goes on with an open one: then the listener also joins the turns that were left behind
   * by a client that went away.
   * @param onStarted called once, and waited for, before the listener hears anything of this conversation
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

  /** A client has a conversation open: what answers no message of it reaches it, too, until it leaves. */
  attend(conversationId: string, listener: TurnListener, voice: boolean): void {
    this.#audience.attend(conversationId, listener, voice);
  }

  /**
   * Says something that answers no message in particular, such as a second thought of a colleague: stored, and told like a reply.
   * One client speaks it, the one that started the conversation or said something last.
   * @returns the message's id
   * @throws AppError not-found, conversation-ended
   */
  async say(words: UnaskedWords): Promise<string> {
    this.#refuseWhileClosing();
    return this.#unasked.say(words);
  }

  /**
   * What an agent opens a call with, for a call that is kept elsewhere. Never rejects.
   * @param patienceMs how long its voice may take
   */
  welcome(agent: AgentProfile, patienceMs: number): Promise<Welcome> {
    return this.#openings.welcome(agent, patienceMs);
  }

  /**
   * What an agent asks into a silence, for a call that is kept elsewhere; null where a colleague answers. Never rejects.
   * @param record the conversation of the person who is silent; null: it could not be opened
   */
  stillThere(
    agent: AgentProfile,
    record: Pick<SilentCall, 'scope' | 'conversationId'> | null,
  ): Promise<Welcome | null> {
    return this.#unasked.stillThere(agent, record);
  }

  /**
   * Asks a customer who says nothing whether they are still there; stored, and told to the listener, like a reply.
   * @returns whether it was asked: not where somebody spoke or is being answered meanwhile, nor where the call is over
   */
  async askWhetherThere(call: SilentCall, listener: TurnListener): Promise<boolean> {
    return !this.#isClosing && this.#unasked.askWhetherThere(call, listener);
  }

  /**
   * Ends a call, as whoever hangs up does.
   * @throws AppError not-found
   */
  async hangUp(scope: ContactScope, conversationId: string): Promise<void> {
    await this.#deps.conversations.end(scope, conversationId);
  }

  /**
   * Stores what a customer said to somebody else, so that it is part of the conversation; nobody answers it. A turn with
   * the same clientMessageId answers it after all.
   * @throws AppError as `takeTurn` does
   */
  async note(note: NotedTurn): Promise<StoredTurn> {
    this.#refuseWhileClosing();
    return this.#admission.note(note);
  }

  /**
   * Takes a customer's message: stores it, then answers it when its turn has come. The same clientMessageId again
   * joins the turn under way, or hears the stored reply again, or has a failed turn tried again.
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
    // In a room each question has a listener of its own.
    if (!request.agent && listener.isPresent)
      this.attend(request.conversationId, listener, request.voice !== false);
    return taken;
  }

  /**
   * Answers a message that an instance took which has gone, though nobody asks for it again: clients hear of it as `observe`
   * tells. Not while somebody answers in its conversation, here or at another instance.
   * @throws AppError conversation-ended, not-found, unavailable
   */
  async takeUp(left: LeftTurn): Promise<void> {
    this.#refuseWhileClosing();
    await this.#admission.takeUp(left);
  }

  /**
   * Thinks ahead of a turn that endpointing is not sure of yet, so that its answer is there sooner if it comes. Nobody
   * hears of it and nothing is stored; the next candidate of the same conversation takes its place.
   */
  think({ scope, conversationId, text, agent: given, voice, goesOn = false, isSpoken }: CandidateTurn): void {
    if (this.#isClosing) return;
    // What is stored from here on, the message itself first of all, was said later.
    const place = uuidv7();
    this.#ahead.think({ conversationId, text, goesOn, voice: voice !== false }, async () => {
      const { conversations } = this.#deps;
      await Promise.all(this.#queue.turnsOf(scope, conversationId).map((turn) => turn.settled));
      const opening = conversations.openRecord(scope, conversationId);
      const [agent, responder, history] = await Promise.all([
        opening.then((conversation) => given ?? this.#agentOf(scope, conversation)),
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

  /** Stops thinking ahead: the customer speaks on. */
  stopThinking(conversationId: string): void {
    this.#ahead.stop(conversationId);
  }

  /**
   * Somebody takes the floor from a reply: nothing more of it is made or spoken, at once, and what is stored of it is cut
   * to what was played. Asked again for the same reply, the position that is known first counts.
   * @param playedMs playout position: milliseconds of its audio that left the loudspeaker. A promise never rejects.
   * @returns what is stored of it now
   * @throws AppError not-found for a conversation or reply that is not theirs
   */
  stop(reply: ReplyRef, playedMs: number | Promise<number>): Promise<{ content: string }> {
    return this.#stopped.stop(reply, playedMs);
  }

  /**
   * What the agent of an open conversation speaks (BCP 47).
   * @throws AppError not-found, conversation-ended
   */
  async languageOf(scope: ContactScope, conversationId: string, agentId?: string): Promise<string> {
    const conversation = await this.#deps.conversations.openRecord(scope, conversationId);
    if (agentId !== undefined && conversation.agentId !== agentId) throw notFound('agent');
    return (await this.#agentOf(scope, conversation)).language;
  }

  /** The words of a reply as far as they are made, or of another message of the agent's by its id; null for none. */
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
   * Answers a turn as a call would, for somebody who tries an agent; nothing of it is stored.
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

  /** Speech as a page plays it, in one file; nothing where there is none, or it cannot be encoded. Never rejects. */
  audioOf(speeches: readonly (Sound | null)[]): Promise<SpokenAudio> {
    return spokenAudio(speeches, this.#deps.encoder, (error) => this.#deps.onFailure('voice', error));
  }

  /** Forgets a client that went away, or that closed a conversation; the turns it asked for are finished and kept. */
  leave(listenerId: string): void {
    for (const turn of this.#queue.all()) turn.leave(listenerId);
    this.#audience.leave(listenerId);
  }

  /** Whether somebody waits for an answer of this instance. */
  isAnswering(account: string): boolean {
    return this.#queue.has(account);
  }

  /** Resolves once no turn is under way and none waits. */
  async idle(): Promise<void> {
    await this.#arrivals.settled();
    await this.#queue.idle();
  }

  /** Takes nothing new, lets turns under way finish for at most `limitMs`, then gives them up. */
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

  async #agentOf(scope: ContactScope, conversation: ConversationFace): Promise<AgentProfile> {
    const { agents } = this.#deps;
    if (conversation.agentId === null) return agents.demoAgent;
    const agent = await agents.profileFor(scope, conversation.agentId);
    if (!agent) throw notFound('agent');
    return agent;
  }

  /** The answer itself goes out first, and the title that came with it. */
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
