import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import type { SharedState } from '#server/engines/shared-state/contract';
import { conflict, conversationEnded, forSupervisors, invalidInput, notFound } from '#server/lib/errors';
import type { Sight } from '#server/lib/principal';
import { accountOf, type ContactScope, contactScopeSchema, everybodyIn, type Scope } from '#server/lib/scope';
import { TextQuota } from '#server/lib/text-quota';
import {
  type Channel,
  type Citation,
  type Contact,
  type Conversation,
  type ConversationListQuery,
  type ListedConversation,
  MAX_MESSAGE_CHARACTERS,
  type Outcome,
} from '#shared/conversations';
import { storable } from '#shared/storable';
import { idsBetween, timeOf } from './id-times.ts';
import { presentConversation, presentPeople, presentSummary } from './present.ts';
import type { PlayableMessage } from './recordings/service.ts';
import type {
  AppendedReply,
  ConversationFace,
  ConversationRecord,
  ConversationResult,
  ConversationsRepository,
  LeftTurn,
  LiveCall,
  MessageRecord,
  RoomWords,
  SaidMessage,
} from './repository.ts';
import { ConversationSearch } from './search/search.ts';
import { Transcripts } from './transcripts.ts';

export type {
  ConversationFace,
  LeftTurn,
  MessageRecord,
  SaidMessage,
} from './repository.ts';

import { refusal } from '#shared/refusals/refusal';

interface ConversationPage {
  conversations: ListedConversation[];
  /** `null` on the last page. */
  nextCursor: string | null;
}

/** The agent of a conversation. */
interface ConversationAgent {
  /** `null`: the demo agent, or another owner's. */
  id: string | null;
  name: string;
  /** For their own agent: its version at the beginning. */
  version?: number | undefined;
  companyName: string;
  /** By default the page, or the simulator for the demo agent. */
  channel?: Channel | undefined;
}

/** A user message that is safely stored. */
export interface StoredUserMessage {
  id: string;
  content: string;
  conversation: ConversationFace;
  /** When it was stored; null if its clientMessageId was stored before. */
  storedAt: Date | null;
}

/** The author of replies in a conversation. */
export type ReplyAuthor = { kind: 'agent' } | { kind: 'colleague'; id: string; name: string };

export interface Reply {
  responseId: string;
  /** Default: the agent. */
  author?: ReplyAuthor | undefined;
  content: string;
  citations: Citation[];
  interrupted: boolean;
  /** Its outcome; absent if it was interrupted before it was known. */
  outcome?: Outcome | undefined;
  /** The dialogue's state after it: plain JSON, passed back with the history. */
  state?: unknown;
  /** Its topic, in the words of a title. */
  topic?: string | undefined;
  /** The customer's contact details so far. */
  contact?: Contact | undefined;
  /** The question as the dialogue understood it: stored if it stays unanswered. */
  question?: string | undefined;
}

/** The audio of messages. */
interface MessageAudio {
  /** The audio of messages in these conversations for a viewer, by message id. */
  playableIn(
    scope: Scope,
    conversationIds: readonly string[],
    viewerId: string,
  ): Promise<ReadonlyMap<string, PlayableMessage>>;
  /** Attaches the waiting recording to a message just stored. Never rejects. */
  attach(scope: ContactScope, conversationId: string, messageId: string, content: string): Promise<void>;
}

const DELETED_AT_ONCE = 100;
const REMEMBERED_UNSPOKEN = 200;
/** Twenty turns each in the fifty conversations of a page. */
const MAX_LISTED_MESSAGES = 1_000;
const DAY_MS = 24 * 60 * 60_000;

const noSound: ReadonlyMap<string, PlayableMessage> = new Map();
const noAudio: MessageAudio = { playableIn: async () => noSound, attach: async () => {} };

export { presentAuthor, presentContact } from './present.ts';

/** Why a conversation accepts no more turns. */
type ConversationClosing = z.infer<typeof closingSchema>;
const closingSchema = z.object({
  scope: contactScopeSchema,
  conversationId: z.string(),
  reason: z.enum(['ended', 'deleted']),
});
const CLOSED = 'conversation closed';

/** The result of a conversation has changed. */
export type ConversationOutcome = ConversationResult & { scope: ContactScope; conversationId: string };

/**
 * Users' conversations and the actions on them. Every method throws `notFound` for an id that is malformed, missing or
 * of another user: the three look alike.
 */
export class ConversationsService {
  readonly #repository: ConversationsRepository;
  readonly #audio: MessageAudio;
  readonly #search: ConversationSearch;
  readonly #transcripts: Transcripts;
  readonly #closingListeners = new Set<(closing: ConversationClosing) => void>();
  readonly #outcomeListeners = new Set<(change: ConversationOutcome) => void>();
  #others: Pick<SharedState, 'tell'> | null = null;
  readonly #settle: (scope: ContactScope, conversationId: string) => Promise<void>;

  /** The final form of recently ended conversations without a customer's word, for a repeated end. */
  readonly #unspoken = new Map<string, Conversation>();

  readonly #perDay: number;
  readonly #texts: TextQuota;

  /**
   * @param perDay the most conversations one account may begin within a day
   * @param settle completes an ending conversation before its final form is returned; must not reject
   */
  constructor(
    repository: ConversationsRepository,
    audio: MessageAudio = noAudio,
    perDay = Number.POSITIVE_INFINITY,
    texts = new TextQuota(),
    settle: (scope: ContactScope, conversationId: string) => Promise<void> = async () => {},
  ) {
    this.#settle = settle;
    this.#perDay = perDay;
    this.#texts = texts;
    this.#repository = repository;
    this.#audio = audio;
    this.#search = new ConversationSearch(repository.search);
    this.#transcripts = new Transcripts(repository);
  }

  /** Calls `listener` after a conversation was ended or deleted, after `closeWith` also on another instance. */
  onClosing(listener: (closing: ConversationClosing) => void): void {
    this.#closingListeners.add(listener);
  }

  /** Connects instances, so that each closes its open parts of a conversation that another one has closed. */
  closeWith(others: Pick<SharedState, 'tell' | 'hear'>): void {
    this.#others = others;
    others.hear(CLOSED, closingSchema, (closing) => this.#closeHere(closing));
  }

  /** Calls `listener` when a reply, or its cut, has changed the outcome or contact details of a conversation. */
  onOutcome(listener: (change: ConversationOutcome) => void): void {
    this.#outcomeListeners.add(listener);
  }

  /**
   * Checks that an account may begin another conversation. Simultaneous ones may exceed the limit slightly.
   * @throws AppError conflict
   */
  async refuseTooMany(scope: ContactScope): Promise<void> {
    if (!Number.isFinite(this.#perDay)) return;
    const dayAgo = uuidv7({ msecs: Date.now() - DAY_MS, random: new Uint8Array(16), seq: 0 });
    if ((await this.#repository.countSince(scope, dayAgo, this.#perDay)) < this.#perDay) return;
    throw conflict(refusal('conversations.too-many-today', { max: this.#perDay }));
  }

  /**
   * Starts a conversation whose first message is the agent's welcome.
   * @throws AppError conflict when the account has begun the most allowed
   */
  async create(
    scope: ContactScope,
    agent: ConversationAgent,
    welcome: string,
  ): Promise<{ conversation: ConversationRecord; welcomeId: string }> {
    await this.refuseTooMany(scope);
    const welcomeId = uuidv7();
    const id = uuidv7();
    const conversation = await this.#repository.insert(
      scope,
      {
        id,
        agentId: agent.id,
        agentName: agent.name,
        agentVersion: agent.version ?? null,
        companyName: agent.companyName,
        title: titleBeforeWeKnow(agent, null),
        channel: agent.channel ?? (agent.id === null ? 'simulator' : 'page'),
        at: timeOf(id),
      },
      { id: welcomeId, content: welcome },
    );
    return { conversation, welcomeId };
  }

  /** Starts a user's empty record of a live room. One record is open per user and room. */
  async createLive(
    scope: ContactScope,
    agent: ConversationAgent,
    live: LiveCall,
  ): Promise<ConversationRecord> {
    const id = uuidv7();
    return this.#repository.insertLive(
      scope,
      {
        id,
        agentId: agent.id,
        agentName: agent.name,
        agentVersion: agent.version ?? null,
        companyName: agent.companyName,
        title: titleBeforeWeKnow(agent, live.roomName),
        channel: 'room',
        at: timeOf(id),
      },
      live,
    );
  }

  /**
   * Stores another speaker's words in a room, a person's or the agent's, in one user's record of it.
   * @throws AppError conversation-ended or not-found if it accepts no more
   */
  async addWords(
    scope: ContactScope,
    conversationId: string,
    words: Pick<RoomWords, 'role' | 'content'> & Partial<Omit<RoomWords, 'id'>>,
  ): Promise<{ id: string }> {
    const said = {
      authorId: null,
      saidBy: null,
      replyTo: null,
      responseId: null,
      interrupted: false,
      citations: [],
      outcome: null,
      state: null,
      topic: null,
      contact: null,
      question: null,
      at: new Date(),
      ...words,
      content: storable(words.content),
      id: uuidv7(),
    };
    const added = await this.#repository.appendWords(scope, conversationId, said);
    if (!added) {
      await this.openRecord(scope, conversationId);
      throw missing();
    }
    this.#search.changed();
    this.#announceReply(scope, conversationId, added);
    return { id: said.id };
  }

  async record(scope: ContactScope, id: string): Promise<ConversationRecord> {
    const record = isUuid(id) ? await this.#repository.find(scope, id) : null;
    if (!record) throw missing();
    return record;
  }

  /** Like `record`, but throws for an ended conversation. */
  async openRecord(scope: ContactScope, id: string): Promise<ConversationRecord> {
    const record = isUuid(id) ? await this.#repository.find(scope, id) : null;
    if (!record) throw this.#gone(scope, id);
    if (record.endedAt) throw conversationEnded();
    return record;
  }

  async get(scope: ContactScope, id: string): Promise<Conversation> {
    const record = await this.record(scope, id);
    return this.#present(scope, record);
  }

  /**
   * Newest first. An unknown agentId, and a search without a word, find nothing. A page with messages ends before its
   * limit if they would become too many.
   * @throws AppError invalid-input naming the invalid field
   */
  async list(scope: ContactScope, query: ConversationListQuery): Promise<ConversationPage> {
    const { records, nextCursor } = await this.#newest(scope, query);
    if (query.view === 'summary')
      return { conversations: records.map((each) => presentSummary(each)), nextCursor };
    const ids = records.map((record) => record.id);
    const playable = await this.#audio.playableIn(scope, ids, scope.contactId);
    const said = await this.#saidIn(scope, ids);
    return {
      conversations: records.map((record) => presentConversation(record, said(record.id), playable)),
      nextCursor,
    };
  }

  /**
   * Like `list`, for all conversations of a workspace, with their contacts; a member gets those assigned to them.
   * @throws AppError invalid-input naming the invalid field; forbidden for a member who asks for others'
   */
  async listOfWorkspace(sight: Sight, query: ConversationListQuery): Promise<ConversationPage> {
    if (!sight.seesAll && query.assignedTo !== sight.viewerId) throw forSupervisors();
    const scope = everybodyIn(sight);
    const { records, nextCursor } = await this.#newest(scope, query);
    const people = await this.#repository.peopleIn(records);
    const withPeople = (record: ConversationRecord, shown: ListedConversation) => ({
      ...shown,
      ...presentPeople(record, people),
    });
    if (query.view === 'summary')
      return {
        conversations: records.map((record) => withPeople(record, presentSummary(record))),
        nextCursor,
      };
    const ids = records.map(({ id }) => id);
    const said = await this.#saidIn(scope, ids);
    const playable = await this.#playableFor(sight, scope, ids);
    return {
      conversations: records.map((record) =>
        withPeople(record, presentConversation(record, said(record.id), playable)),
      ),
      nextCursor,
    };
  }

  /**
   * A conversation for a viewer: their own as `get` returns it; owners, supervisors and keys see all, members those
   * assigned to them, with the contact.
   */
  async see(sight: Sight, id: string): Promise<Conversation> {
    const record = await this.seenRecord(sight, id);
    if (record.contactId === sight.viewerId) return this.#present(record, record);
    const people = await this.#repository.peopleIn([record]);
    const said = await this.#saidIn(record, [id]);
    const modelUse = await this.#repository.modelUse(record, id);
    return {
      ...presentConversation(record, said(id), await this.#playableFor(sight, record, [id]), modelUse),
      ...presentPeople(record, people),
    };
  }

  /** The stored row of a conversation that the viewer may see. */
  async seenRecord(sight: Sight, id: string): Promise<ConversationRecord> {
    const record = isUuid(id) ? await this.#repository.findSeen(sight, id) : null;
    if (!record) throw missing();
    return record;
  }

  async #newest(scope: Scope, query: ConversationListQuery) {
    const { agentId, contactId, assignedTo, limit } = query;
    if ([agentId, contactId, assignedTo].some((id) => id !== undefined && !isUuid(id)))
      return { records: [], nextCursor: null };
    const filters = {
      ...{ agentId, contactId, assignedTo },
      ...{ channel: query.channel, state: query.state },
      sentiments: query.sentiment,
      outcomes: query.outcome,
      ...idsBetween(query),
    };
    const search = query.q?.trim();
    const rows = search
      ? await this.#repository.findAll(scope, await this.#search.find(scope, search, filters, limit + 1))
      : await this.#repository.list(scope, filters, limit + 1);
    const isSummary = query.view === 'summary';
    const records = isSummary ? rows.slice(0, limit) : readableAtOnce(rows.slice(0, limit));
    const nextCursor = rows.length > records.length ? (records.at(-1)?.id ?? null) : null;
    return { records, nextCursor };
  }

  /** Links are made for a person: a program gets none. */
  async #playableFor({ viewerId }: Sight, scope: Scope, ids: readonly string[]) {
    return viewerId === null ? noSound : this.#audio.playableIn(scope, ids, viewerId);
  }

  /** The messages of each of these conversations. */
  async #saidIn(scope: Scope, ids: readonly string[]): Promise<(id: string) => readonly SaidMessage[]> {
    const byConversation = new Map<string, SaidMessage[]>();
    for (const message of await this.#transcripts.of(scope, ids)) {
      const said = byConversation.get(message.conversationId);
      if (said) said.push(message);
      else byConversation.set(message.conversationId, [message]);
    }
    return (id) => byConversation.get(id) ?? [];
  }

  async delete(scope: ContactScope, id: string): Promise<void> {
    const deleted = isUuid(id) && (await this.#repository.delete(scope, id));
    if (!deleted) throw missing();
    this.#announceClosing({ scope, conversationId: id, reason: 'deleted' });
  }

  /** Deletes all conversations of a deleted contact, a few at a time, so that other requests are served in between. */
  async deleteAll(scope: ContactScope): Promise<void> {
    let deleted: string[];
    do {
      deleted = await this.#repository.deleteSome(scope, DELETED_AT_ONCE);
      for (const conversationId of deleted)
        this.#announceClosing({ scope, conversationId, reason: 'deleted' });
    } while (deleted.length > 0);
  }

  /**
   * Ends a conversation and returns its final form. Ending it again changes nothing. One without a customer's word is
   * deleted.
   * @param at when it ended, if this is noticed late
   */
  async end(scope: ContactScope, id: string, at = new Date()): Promise<Conversation> {
    const record = isUuid(id) ? await this.#repository.end(scope, id, at) : null;
    if (!record) {
      const unspoken = this.#unspoken.get(nameOf(scope, id));
      if (unspoken) return unspoken;
      throw missing();
    }
    this.#announceClosing({ scope, conversationId: id, reason: 'ended' });
    if (!(await this.#repository.isSpokenIn(scope, id))) {
      const unspoken = await this.#present(scope, record);
      this.#rememberUnspoken(nameOf(scope, id), unspoken);
      await this.deleteUnspoken(scope, id);
      return unspoken;
    }
    await this.#settle(scope, id);
    return this.#present(scope, await this.record(scope, id));
  }

  /** Deletes a conversation, unless it has a customer's word by now. */
  async deleteUnspoken(scope: ContactScope, id: string): Promise<void> {
    if (await this.#repository.deleteUnspoken(scope, id))
      this.#announceClosing({ scope, conversationId: id, reason: 'deleted' });
  }

  /**
   * Stores a customer's message, once per `clientMessageId`.
   * @param isTurn whether the agent should answer it
   * @throws AppError invalid-input for a blank or overlong text, conversation-ended, not-found, conflict for too much
   *   text within a day
   */
  async addUserMessage(
    scope: ContactScope,
    conversationId: string,
    text: string,
    clientMessageId: string | undefined,
    isTurn = true,
  ): Promise<StoredUserMessage> {
    if (!isUuid(conversationId)) throw missing();
    const content = storable(text);
    if (!content.trim()) throw invalidInput('conversations.message-missing');
    if (content.length > MAX_MESSAGE_CHARACTERS)
      throw invalidInput(refusal('conversations.message-too-long', { max: MAX_MESSAGE_CHARACTERS }));
    await this.#texts.take(accountOf(scope), content.length);
    const message = {
      id: uuidv7(),
      content,
      clientMessageId: clientMessageId === undefined ? null : storable(clientMessageId),
      isTurn,
      at: new Date(),
    };
    const appended = await this.#repository.appendUserMessage(scope, conversationId, message);
    switch (appended.outcome) {
      case 'stored':
        this.#search.changed();
        await this.#audio.attach(scope, conversationId, message.id, content);
        return { id: message.id, content, conversation: appended.conversation, storedAt: message.at };
      case 'repeated':
        return {
          id: appended.messageId,
          content: appended.content,
          conversation: await this.record(scope, conversationId),
          storedAt: null,
        };
      case 'ended':
        throw conversationEnded();
      case 'missing':
        throw this.#gone(scope, conversationId);
    }
  }

  /**
   * Stores the reply to a user message; an existing reply stays.
   * @returns the stored message
   * @throws AppError conversation-ended or not-found if it accepts no more
   */
  async addReply(
    scope: ContactScope,
    conversationId: string,
    replyTo: string,
    reply: Reply,
  ): Promise<MessageRecord> {
    const { outcome = null, state = null, topic = null, contact = null, question = null, author } = reply;
    const by = author?.kind === 'colleague' ? author : null;
    const message = {
      ...reply,
      authorId: by?.id ?? null,
      saidBy: by ? storable(by.name) : null,
      content: storable(reply.content),
      ...{ outcome, state, topic, contact },
      question: question === null ? null : storable(question),
      id: uuidv7(),
      replyTo,
      at: new Date(),
    };
    const added = await this.#repository.appendReply(scope, conversationId, message);
    if (added) {
      this.#search.changed();
      this.#announceReply(scope, conversationId, added);
      return {
        id: message.id,
        conversationId,
        role: 'assistant',
        content: message.content,
        createdAt: message.at,
        clientMessageId: null,
        replyTo,
        responseId: message.responseId,
        interrupted: message.interrupted,
        sentiment: null,
        sentimentScore: null,
        citations: message.citations,
        outcome: message.content === '' ? null : outcome,
        state,
        topic,
        saidBy: message.saidBy,
        authorId: message.authorId,
      };
    }
    const earlier = await this.#repository.findReplyTo(scope, conversationId, replyTo);
    if (earlier) return earlier;
    await this.openRecord(scope, conversationId);
    throw missing();
  }

  /**
   * A message stored before, in a conversation that is still open.
   * @throws AppError conversation-ended, not-found
   */
  async storedMessage(scope: ContactScope, conversationId: string, id: string): Promise<StoredUserMessage> {
    const conversation = await this.openRecord(scope, conversationId);
    const message = await this.#repository.findUserMessage(scope, conversationId, id);
    if (!message) throw missing();
    return { id, content: message.content, conversation, storedAt: null };
  }

  /** Records that an instance has taken over the turn of a message, and for which time. */
  async tellTakenAgain(
    scope: ContactScope,
    { conversation, id: messageId }: StoredUserMessage,
    times = 1,
  ): Promise<void> {
    const taken = { type: 'turn.taken' as const, data: { messageId, times } };
    await this.#repository.tellOfTurn(scope, conversation.id, taken);
  }

  /** Records that the turn of a message has ended without a reply. */
  async tellFailedTurn(
    scope: ContactScope,
    { conversation, id: messageId }: StoredUserMessage,
  ): Promise<void> {
    const failed = { type: 'turn.failed' as const, data: { messageId } };
    await this.#repository.tellOfTurn(scope, conversation.id, failed);
  }

  /** All turns that were taken and not answered; see the repository. */
  async turnsLeft(minutes: number, since: number | null): Promise<LeftTurn[]> {
    return this.#repository.turnsLeft(minutes, since);
  }

  /** The reply to a user message, or null without one. */
  async replyTo(
    scope: ContactScope,
    conversationId: string,
    userMessageId: string,
  ): Promise<MessageRecord | null> {
    return this.#repository.findReplyTo(scope, conversationId, userMessageId);
  }

  /** The stored reply with this responseId, or null. */
  async reply(
    scope: ContactScope,
    conversationId: string,
    responseId: string,
  ): Promise<MessageRecord | null> {
    if (!isUuid(conversationId) || !isUuid(responseId)) return null;
    return this.#repository.findReply(scope, conversationId, responseId);
  }

  /**
   * Cuts a stored reply to the part played; an already cut reply does not change. Keeps only those citations whose
   * words were played.
   */
  async cutReply(scope: ContactScope, reply: MessageRecord, content: string): Promise<void> {
    const { conversationId, id, citations } = reply;
    const changed = await this.#repository.cutReply(scope, conversationId, id, {
      content,
      citations: (citations ?? []).filter((citation) => content.includes(citation.text)),
    });
    if (changed) this.#announceOutcome({ scope, conversationId, ...changed });
  }

  /** All messages, oldest first. */
  async messages(scope: ContactScope, conversationId: string): Promise<SaidMessage[]> {
    return this.#transcripts.of(scope, [conversationId]);
  }

  /** The messages before a user message, oldest first, each reply after its question; at most the newest `limit`. */
  async historyBefore(
    scope: ContactScope,
    conversationId: string,
    userMessageId: string,
    limit: number,
  ): Promise<MessageRecord[]> {
    return this.#repository.historyBefore(scope, conversationId, userMessageId, limit);
  }

  /** Whether the conversation still has the title it was started with. */
  isUntitled(record: ConversationFace): boolean {
    const agent = { id: record.agentId, name: record.agentName };
    return record.title === titleBeforeWeKnow(agent, record.roomName);
  }

  /** Gives an untitled conversation its title. @returns whether it was still untitled */
  async giveTitle(scope: ContactScope, record: ConversationFace, title: string): Promise<boolean> {
    this.#search.changed();
    return this.#repository.rename(scope, record.id, record.title, title);
  }

  /** Why a missing conversation accepts no more. */
  #gone(scope: ContactScope, id: string) {
    return this.#unspoken.has(nameOf(scope, id)) ? conversationEnded() : missing();
  }

  #rememberUnspoken(name: string, conversation: Conversation): void {
    this.#unspoken.set(name, conversation);
    const [oldest] = this.#unspoken.keys();
    if (this.#unspoken.size > REMEMBERED_UNSPOKEN && oldest !== undefined) this.#unspoken.delete(oldest);
  }

  async #present(scope: ContactScope, record: ConversationRecord): Promise<Conversation> {
    const [messages, playable, modelUse] = await Promise.all([
      this.#transcripts.of(scope, [record.id]),
      this.#audio.playableIn(scope, [record.id], scope.contactId),
      this.#repository.modelUse(scope, record.id),
    ]);
    return presentConversation(record, messages, playable, modelUse);
  }

  #announceReply(scope: ContactScope, conversationId: string, { changed }: AppendedReply): void {
    if (changed) this.#announceOutcome({ scope, conversationId, ...changed });
  }

  #announceOutcome(change: ConversationOutcome): void {
    for (const listener of this.#outcomeListeners) listener(change);
  }

  #announceClosing(closing: ConversationClosing): void {
    this.#closeHere(closing);
    this.#others?.tell(CLOSED, closing);
  }

  #closeHere(closing: ConversationClosing): void {
    for (const listener of this.#closingListeners) listener(closing);
  }
}

const nameOf = (scope: ContactScope, id: string) => `${scope.contactId} ${id.toLowerCase()}`;

const missing = () => notFound('conversation');

function titleBeforeWeKnow(agent: { id: string | null; name: string }, roomName: string | null): string {
  if (roomName !== null) return `Live call in ${roomName}`;
  return agent.id === null ? 'Demo call' : `Chat with ${agent.name}`;
}

/** The first of these conversations, and further ones as long as all of them fit into a page. */
function readableAtOnce(records: readonly ConversationRecord[]): ConversationRecord[] {
  let messages = 0;
  const end = records.findIndex((record, n) => {
    messages += record.messageCount;
    return n > 0 && messages > MAX_LISTED_MESSAGES;
  });
  return records.slice(0, end === -1 ? records.length : end);
}
