import { v7 as uuidv7 } from 'uuid';
import type { Sound } from '#server/audio/sound';
import type { AgentProfile, Dialogue } from '#server/dialogue/contract';
import type { SoundEncoder } from '#server/engines/encoding/contract';
import type { SynthesisEngine } from '#server/engines/synthesis/contract';
import { conversationEnded, notFound } from '#server/errors';
import type { AgentsService } from '#server/features/agents/service';
import type { RecordingsService } from '#server/features/conversations/recordings/service';
import type {
  ConversationFace,
  ConversationOutcome,
  ConversationsService,
} from '#server/features/conversations/service';
import type { Sentiment } from '#shared/conversations';
import type { SpokenAudio } from '#shared/realtime';
import { Admission, restarting } from './admission.ts';
import { Arrivals } from './arrivals.ts';
import type { ConversationEvent, StartedCall, TurnListener } from './call-events.ts';
import { customerTurn, HISTORY_MESSAGES } from './customer-turn.ts';
import { HeardReplies } from './heard-replies.ts';
import { Interruptions } from './interruptions.ts';
import { type CallLimits, defaultCallLimits } from './limits.ts';
import { type RehearsedReply, type RehearsedTurn, rehearse } from './rehearsal.ts';
import type {
  NotedTurn,
  PossibleTurn,
  StartRequest,
  TakenTurn,
  TakeTurnOptions,
  TakeTurnRequest,
  Welcome,
} from './requests.ts';
import { ThinkingAhead } from './thinking-ahead.ts';
import type { Turn, TurnSurroundings } from './turn.ts';
import { TurnQueue } from './turn-queue.ts';
import { Voice } from './voice.ts';

export type { ConversationEvent, FinishedReply, StartedCall, TurnListener } from './call-events.ts';
export { type DeliveredSentence, heardText } from './heard-text.ts';
export type {
  NotedTurn,
  PossibleTurn,
  StartRequest,
  TakenTurn,
  TakeTurnOptions,
  TakeTurnRequest,
  Welcome,
} from './requests.ts';
export type { SpokenSentence } from './speak-in-order.ts';

/** What calls need of recordings: all of it goes on in the background, and none of it fails a turn. */
export type ReplyRecordings = Pick<RecordingsService, 'keepSpeech' | 'cutSpeech' | 'urlOf' | 'urlsOf'>;

export interface CallsDependencies {
  conversations: ConversationsService;
  agents: AgentsService;
  dialogue: Dialogue;
  synthesis: SynthesisEngine;
  encoder: SoundEncoder;
  /** Keeps how replies were spoken; without it nothing of that is kept. */
  recordings?: ReplyRecordings;
  /** Told of failures that are worth a look; what customers said is not in them. */
  onFailure(what: 'turn' | 'voice' | 'preparation', error: unknown): void;
  limits?: Partial<CallLimits>;
}

/** Calls: customers talk with agents, typed or spoken, on a page or in a room. */
export class CallsService {
  readonly #deps: CallsDependencies;
  readonly #limits: CallLimits;
  readonly #voice: Voice;
  readonly #arrivals = new Arrivals();
  readonly #queue: TurnQueue<Turn>;
  readonly #heardReplies = new HeardReplies();
  readonly #ahead: ThinkingAhead;
  readonly #interruptions: Interruptions;
  readonly #observers = new Set<(event: ConversationEvent) => void>();
  readonly #admission: Admission;
  #isClosing = false;

  constructor(deps: CallsDependencies) {
    this.#deps = deps;
    this.#limits = { ...defaultCallLimits, ...deps.limits };
    this.#queue = new TurnQueue({ maxRunningPerUser: this.#limits.maxRunningPerUser });
    this.#voice = new Voice(deps.synthesis, {
      sentenceTimeoutMs: this.#limits.sentenceTimeoutMs,
      onFailure: (error) => deps.onFailure('voice', error),
    });
    this.#ahead = new ThinkingAhead(deps.dialogue, this.#voice);
    this.#interruptions = new Interruptions({
      queue: this.#queue,
      conversations: deps.conversations,
      heardReplies: this.#heardReplies,
      recordings: deps.recordings,
      onFailure: (error) => deps.onFailure('turn', error),
    });
    const surroundings: TurnSurroundings = {
      conversations: deps.conversations,
      dialogue: deps.dialogue,
      ahead: this.#ahead,
      voice: this.#voice,
      agentOf: (userId, conversation) => this.#agentOf(userId, conversation),
      exclusively: (conversationId, task) => this.#arrivals.exclusively(conversationId, task),
      publish: (event) => this.#publish(event),
      remember: (turn) => this.#heardReplies.remember(turn.responseId, turn.sentences),
      keepSpeech: (userId, message, sentences, heardMs) =>
        deps.recordings?.keepSpeech(userId, message, sentences, heardMs),
      onUnexpected: (error) => deps.onFailure('turn', error),
      timeoutMs: this.#limits.turnTimeoutMs,
    };
    this.#admission = new Admission({
      surroundings,
      recordings: deps.recordings,
      arrivals: this.#arrivals,
      queue: this.#queue,
      limits: this.#limits,
    });
    deps.conversations.onOutcome((change) => this.#tellOutcome(change));
    deps.conversations.onClosing(({ userId, conversationId, reason }) => {
      const why = reason === 'ended' ? conversationEnded() : notFound('conversation');
      this.#queue.cancel(this.#queue.turnsOf(userId, conversationId), why);
      this.#ahead.withdraw(conversationId);
    });
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
    if (request.conversationId !== undefined)
      return this.#resume(request, request.conversationId, listener, onStarted);
    const { agents, conversations } = this.#deps;
    const { userId, agentId } = request;
    const agent = agentId === undefined ? agents.demoAgent : await agents.profileFor(userId, agentId);
    if (!agent) throw notFound('agent');
    const { text, speech } = this.#greet(agent, request.voice === false ? null : this.#limits.welcomeWaitMs);
    const { conversation, welcomeId } = await conversations.create(
      userId,
      { id: agentId === undefined ? null : agent.id, name: agent.name, companyName: agent.companyName },
      text,
    );
    const welcome = { id: welcomeId, text, at: conversation.createdAt, speech: await speech };
    await onStarted({ conversationId: conversation.id, agent, welcome });
    const message = { id: welcomeId, conversationId: conversation.id };
    this.#deps.recordings?.keepSpeech(userId, message, [welcome.speech]);
  }

  /**
   * What an agent opens a call with, for a call that is kept elsewhere. Never rejects.
   * @param patienceMs how long its voice may take
   */
  async welcome(agent: AgentProfile, patienceMs: number): Promise<Welcome> {
    const { text, speech } = this.#greet(agent, patienceMs);
    return { text, speech: await speech };
  }

  /**
   * Stores what a customer said to somebody else, so that it is part of the conversation; nobody answers it. A turn with
   * the same clientMessageId answers it after all.
   * @throws AppError as `takeTurn` does
   */
  async note(note: NotedTurn): Promise<{ messageId: string }> {
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
    return this.#admission.take({ request, listener, onStored: onStored ?? (() => {}), signal });
  }

  /**
   * Thinks ahead of a turn that endpointing is not sure of yet, so that its answer is there sooner if it comes. Nobody
   * hears of it and nothing is stored; the next candidate of the same conversation takes its place.
   */
  anticipate({ userId, conversationId, text, agent: given, voice, goesOn = false }: PossibleTurn): void {
    if (this.#isClosing) return;
    // What is stored from here on, the message itself first of all, was said later.
    const place = uuidv7();
    this.#ahead.think({ conversationId, text, goesOn, voice: voice !== false }, async () => {
      await Promise.all(this.#queue.turnsOf(userId, conversationId).map((turn) => turn.settled));
      const conversation = await this.#deps.conversations.openRecord(userId, conversationId);
      const [agent, history] = await Promise.all([
        given ?? this.#agentOf(userId, conversation),
        this.#deps.conversations.historyBefore(userId, conversationId, place, HISTORY_MESSAGES),
      ]);
      return customerTurn(agent, history, text, goesOn);
    });
  }

  /** What was thought ahead is not wanted any more: the customer speaks on. */
  dismiss(conversationId: string): void {
    this.#ahead.withdraw(conversationId);
  }

  /**
   * Stops a reply the customer talks over, and cuts what is stored of it to what was heard.
   * @param heardMs milliseconds of its audio that left the loudspeaker
   * @returns what is stored of it now
   * @throws AppError not-found for a conversation or reply that is not theirs
   */
  async interrupt(
    userId: string,
    conversationId: string,
    responseId: string,
    heardMs: number,
  ): Promise<{ content: string }> {
    return this.#interruptions.cut(userId, conversationId, responseId, heardMs);
  }

  /**
   * The customer takes the floor: nothing more of a reply is made or spoken, at once. `interrupt` is expected to say how
   * much of it was heard.
   * @param heardMs counts when `interrupt` does not come
   */
  yieldFloor(userId: string, conversationId: string, responseId: string, heardMs: number): void {
    this.#interruptions.stop(userId, conversationId, responseId, heardMs);
  }

  /** The words of a reply as far as they are made, or of another message of the agent's by its id; null for none. */
  async wordsOf(userId: string, conversationId: string, responseId: string): Promise<string | null> {
    const { conversations } = this.#deps;
    const turn = this.#queue.turnsOf(userId, conversationId).find((turn) => turn.responseId === responseId);
    if (turn) return turn.sentences.map(({ text }) => text).join(' ');
    const reply = await conversations.reply(userId, conversationId, responseId);
    if (reply) return reply.content;
    const messages = await conversations.messages(userId, conversationId);
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
      voice: this.#voice,
      limits: this.#limits,
      audioOf: (speeches: readonly (Sound | null)[]) => this.audioOf(speeches),
    };
    return rehearse(turn, around, signal);
  }

  /** Speech as a page plays it, in one file; nothing where there is none, or it cannot be encoded. Never rejects. */
  async audioOf(speeches: readonly (Sound | null)[]): Promise<SpokenAudio> {
    const { encoder, onFailure } = this.#deps;
    const sounds = speeches.filter((speech) => speech !== null);
    if (sounds.length === 0) return {};
    try {
      const files = await Promise.all(sounds.map((sound) => encoder.encode(sound, 'now')));
      const { audio, mediaType } = encoder.join(files);
      return { audioData: Buffer.from(audio).toString('base64'), audioType: mediaType };
    } catch (error) {
      onFailure('voice', error);
      return {};
    }
  }

  /** Forgets a client that went away; the turns it asked for are finished and kept. */
  leave(listenerId: string): void {
    for (const turn of this.#queue.all()) turn.leave(listenerId);
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
    this.#interruptions.close();
  }

  /** @param patienceMs how long its voice may take; null: it needs none */
  #greet(
    agent: AgentProfile,
    patienceMs: number | null,
  ): { text: string; speech: Promise<Sound | null> | null } {
    const { dialogue } = this.#deps;
    void dialogue.prepare(agent).catch((error) => this.#deps.onFailure('preparation', error));
    const text = dialogue.greet(agent);
    if (patienceMs === null) return { text, speech: null };
    return { text, speech: this.#voice.speakWithin(text, agent.language, patienceMs) };
  }

  async #resume(
    request: StartRequest,
    conversationId: string,
    listener: TurnListener,
    onStarted: (call: StartedCall) => void | Promise<void>,
  ): Promise<void> {
    const { conversations } = this.#deps;
    const { userId, agentId } = request;
    await this.#arrivals.exclusively(conversationId, async () => {
      const record = await conversations.openRecord(userId, conversationId);
      if (agentId !== undefined && record.agentId !== agentId) throw notFound('agent');
      const [agent, messages, audioUrls] = await Promise.all([
        this.#agentOf(userId, record),
        conversations.messages(userId, conversationId),
        this.#deps.recordings?.urlsOf(userId, [conversationId]),
      ]);
      const turns = this.#queue.turnsOf(userId, conversationId);
      const isAnswering = turns.some((turn) => turn.hasListeners);
      await onStarted({ conversationId, agent, messages, audioUrls, isAnswering });
      for (const turn of turns) {
        if (!turn.hasListeners) turn.join(listener);
        else if (turn.isTyping) listener.typing(conversationId, true);
      }
    });
  }

  async #agentOf(userId: string, conversation: ConversationFace): Promise<AgentProfile> {
    const { agents } = this.#deps;
    if (conversation.agentId === null) return agents.demoAgent;
    const agent = await agents.profileFor(userId, conversation.agentId);
    if (!agent) throw notFound('agent');
    return agent;
  }

  /** The answer itself goes out first, and the title that came with it. */
  #tellOutcome({ userId, conversationId, outcome, contact }: ConversationOutcome): void {
    const answering = this.#queue.turnsOf(userId, conversationId).find((turn) => turn.isTyping);
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
