import { v7 as uuidv7 } from 'uuid';
import type { Sound } from '#server/audio/sound';
import type { AgentProfile } from '#server/dialogue/contract';
import type { RecordingsService } from '#server/features/conversations/recordings/service';
import type { ConversationsService } from '#server/features/conversations/service';
import type { FinishedReply } from '#server/features/turns/service';
import { AppError, notFound } from '#server/lib/errors';
import type { ContactScope } from '#server/lib/scope';
import type { RoomsRepository } from './repository.ts';

/** The agent of a room. */
export interface RoomAgent {
  profile: AgentProfile;
  /** Its owner; null: the demo agent, which is everybody's. */
  ownerId: string | null;
}

interface RecordSurroundings {
  conversations: Pick<
    ConversationsService,
    'createLive' | 'addWords' | 'openRecord' | 'end' | 'reply' | 'cutReply'
  >;
  repository: RoomsRepository;
  recordings: Pick<RecordingsService, 'keepSpeech' | 'keepUtterance' | 'cutSpeech'>;
  recordLifeMs: number;
  /** Called when storing failed, without words of the people. */
  onFailure(error: unknown): void;
}

/** The open conversation that records a room for one person. */
export interface OpenRecord {
  scope: ContactScope;
  conversationId: string;
}

interface Writer {
  identity: string;
  /** Their name in others' records. */
  name: string;
  open: Promise<OpenRecord>;
  /** Ids, in this record, of messages that may still be answered, by the id of the utterance. */
  copies: Map<string, string>;
}

/** Replies come within a minute; older utterances get none. */
const REMEMBERED_WORDS = 20;

/** A person's utterance, stored in their own record. */
interface StoredWords {
  /** The id of the utterance: the `clientMessageId` in the speaker's record. */
  saidAs: string;
  text: string;
}

/**
 * The records of one live room: every person gets the call in their own history, from their arrival until they left.
 * Others' words are in it under their names, as text only; a person's voice is stored only in their own record. All is
 * stored as it happens, in one order; failures are reported and stop no call.
 */
export class CallRecord {
  readonly #around: RecordSurroundings;
  readonly #roomName: string;
  readonly #agent: RoomAgent;
  readonly #writers = new Map<string, Writer>();
  #writing: Promise<unknown> = Promise.resolve();
  #callId: Promise<string> | null = null;

  constructor(around: RecordSurroundings, roomName: string, agent: RoomAgent) {
    this.#around = around;
    this.#roomName = roomName;
    this.#agent = agent;
  }

  /**
   * Opens the record of a person who came, or continues one they left a moment ago.
   * @returns their conversation, and whether it continues
   */
  async enter(identity: string, name: string): Promise<{ open: OpenRecord; goesOn: boolean }> {
    const { repository } = this.#around;
    const whose = this.#scopeOf(identity);
    const found = whose.then((scope) => this.#find(scope));
    const opening = Promise.all([whose, found]).then(([scope, open]) => open ?? this.#create(scope));
    opening.catch(() => {});
    const writer = { identity, name, open: opening, copies: new Map<string, string>() };
    this.#writers.set(identity, writer);
    const [before, open] = await Promise.all([found, opening]);
    await repository.renew([open.conversationId], this.#lifeEnd(), await this.callId());
    return { open, goesOn: before !== null };
  }

  /** The id of the call that all these records share, also after an agent's restart. */
  callId(): Promise<string> {
    this.#callId ??= this.#around.repository
      .callIn(this.#roomName, new Date())
      .then((underWay) => underWay ?? uuidv7())
      .catch((error: unknown) => {
        this.#callId = null;
        throw error;
      });
    return this.#callId;
  }

  /** @param how `left` ends the record; `lost` leaves it open for a while */
  async leave(identity: string, how: 'left' | 'lost'): Promise<void> {
    const writer = this.#writers.get(identity);
    this.#writers.delete(identity);
    if (!writer) return;
    await this.#writing;
    try {
      const { scope, conversationId } = await writer.open;
      if (how === 'lost')
        return await this.#around.repository.renew([conversationId], this.#lifeEnd(), await this.callId());
      await this.#around.conversations.end(scope, conversationId);
      await this.#around.repository.forget(conversationId);
    } catch (error) {
      this.#tell(error);
    }
  }

  /**
   * Writes into the conversation of a person in the room. If it was deleted, ended or never opened, writes into a new
   * one.
   */
  async inConversationOf<T>(identity: string, write: (record: OpenRecord) => Promise<T>): Promise<T> {
    const writer = this.#writers.get(identity);
    if (!writer) throw notFound('participant');
    // Others' earlier words come first.
    await this.#writing;
    try {
      return await write(await writer.open);
    } catch (error) {
      const before = writer.open;
      const reopened = this.#stillOpen(identity, before);
      writer.open = reopened;
      const known = await before.catch(() => null);
      if (known?.conversationId === (await reopened).conversationId) throw error;
      return write(await reopened);
    }
  }

  /** The conversation of a person in the room; null without one. */
  async conversationOf(identity: string): Promise<OpenRecord | null> {
    return this.#writers.get(identity)?.open.catch(() => null) ?? null;
  }

  /** The name of a person in the room. */
  nameOf(identity: string): string | undefined {
    return this.#writers.get(identity)?.name;
  }

  async #stillOpen(identity: string, before: Promise<OpenRecord>): Promise<OpenRecord> {
    const known = await before.catch(() => null);
    if (known === null) {
      const scope = await this.#scopeOf(identity);
      return (await this.#find(scope)) ?? this.#create(scope);
    }
    if (await this.#isOpen(known)) return known;
    await this.#around.repository.forget(known.conversationId);
    return this.#create(known.scope);
  }

  /** @throws AppError not-found if the account is gone */
  async #scopeOf(identity: string): Promise<ContactScope> {
    const scope = await this.#around.repository.scopeOf(identity);
    if (!scope) throw notFound('participant');
    return scope;
  }

  #isOpen({ scope, conversationId }: OpenRecord): Promise<boolean> {
    return this.#around.conversations.openRecord(scope, conversationId).then(
      () => true,
      (error: unknown) => {
        if (error instanceof AppError) return false;
        throw error;
      },
    );
  }

  /** Renews every record's sign of life. Never rejects. */
  async renew(): Promise<void> {
    const records = await Promise.all(
      [...this.#writers.values()].map((writer) => writer.open.catch(() => null)),
    );
    try {
      const open = records.flatMap((record) => record?.conversationId ?? []);
      await this.#around.repository.renew(open, this.#lifeEnd(), await this.callId());
    } catch (error) {
      this.#tell(error);
    }
  }

  /** Stores a person's voice, only in their own record. */
  keepVoice(
    { scope, conversationId }: OpenRecord,
    messageId: string,
    samples: Float32Array | null,
    sampleRate: number,
  ): void {
    const message = { id: messageId, conversationId };
    if (samples) this.#around.recordings.keepUtterance(scope, message, { samples, sampleRate });
  }

  /** Copies a person's utterance to all other records. The speaker's own has it already. */
  tellOthers(speakerId: string, { saidAs, text }: StoredWords): void {
    const saidBy = this.#writers.get(speakerId)?.name ?? 'Somebody';
    this.#forEach(
      (identity) => identity !== speakerId,
      async ({ scope, conversationId }, { copies }) => {
        const { id } = await this.#around.conversations.addWords(scope, conversationId, {
          role: 'user',
          content: text,
          saidBy,
        });
        copies.set(saidAs, id);
        for (const [oldest] of copies) if (copies.size > REMEMBERED_WORDS) copies.delete(oldest);
      },
    );
  }

  /** Stores the agent's unasked words, such as its welcome, in every record. */
  agentSpoke(responseId: string, text: string, speech: Sound | null): void {
    this.#forEach(
      () => true,
      async ({ scope, conversationId }) => {
        const { id } = await this.#around.conversations.addWords(scope, conversationId, {
          role: 'assistant',
          content: text,
          responseId,
        });
        this.#around.recordings.keepSpeech(scope, { id, conversationId }, [speech]);
      },
    );
  }

  /** Copies the agent's answer to a person to all other records. */
  agentReplied(askerId: string, saidAs: string, reply: FinishedReply): void {
    const { message, responseId, sentences, question = null, contact = null } = reply;
    const { outcome, topic, authorId, saidBy } = message;
    // The state of the asker's dialogue, and their looked-up data, stay in their own record.
    const state = reply.stateForOthers ?? null;
    // Called off before any of it was played.
    if (message.content === '') return;
    this.#forEach(
      (identity) => identity !== askerId,
      async ({ scope, conversationId }, { copies }) => {
        const { id } = await this.#around.conversations.addWords(scope, conversationId, {
          role: 'assistant',
          content: message.content,
          ...{ authorId, saidBy },
          responseId,
          replyTo: copies.get(saidAs) ?? null,
          interrupted: message.interrupted,
          citations: message.citations ?? [],
          ...{ outcome, state, topic, contact, question },
        });
        const speeches = sentences.map(({ speech }) => speech);
        if (!message.interrupted) this.#around.recordings.keepSpeech(scope, { id, conversationId }, speeches);
      },
    );
  }

  /** Cuts the agent's words to the part played. @param except the person whose record is cut already */
  cut(responseId: string, content: string, playedMs: number, except: string | null): void {
    const { conversations, recordings } = this.#around;
    this.#forEach(
      (identity) => identity !== except,
      async ({ scope, conversationId }) => {
        const reply = await conversations.reply(scope, conversationId, responseId);
        if (!reply || reply.interrupted || reply.content === content) return;
        await conversations.cutReply(scope, reply, content);
        recordings.cutSpeech(scope, { id: reply.id, conversationId }, playedMs);
      },
    );
  }

  /** Resolves when all words so far are stored. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  /** One write after another, for all records at the same time. */
  #forEach(
    isMeant: (identity: string) => boolean,
    write: (record: OpenRecord, writer: Writer) => Promise<void>,
  ): void {
    const writers = [...this.#writers.values()].filter(({ identity }) => isMeant(identity));
    if (writers.length === 0) return;
    this.#writing = this.#writing.then(() =>
      Promise.all(
        writers.map(async (writer) => {
          try {
            await write(await writer.open, writer);
          } catch (error) {
            // Members who deleted or ended their own record did so on purpose.
            if (!(error instanceof AppError)) this.#tell(error);
          }
        }),
      ),
    );
  }

  async #find(scope: ContactScope): Promise<OpenRecord | null> {
    const { repository, conversations } = this.#around;
    const open = await repository.findOpen(scope, this.#roomName);
    if (!open) return null;
    const record = { scope, conversationId: open.conversationId };
    const isOngoing = open.liveUntil.getTime() > Date.now() && open.agentId === this.#agentId;
    const stands = await this.#isOpen(record);
    if (stands && isOngoing) return record;
    if (stands) await conversations.end(scope, open.conversationId, open.liveUntil);
    await repository.forget(open.conversationId);
    return null;
  }

  async #create(scope: ContactScope): Promise<OpenRecord> {
    const { profile, ownerId } = this.#agent;
    const { id } = await this.#around.conversations.createLive(
      scope,
      // Another owner's agent is stored by its name only.
      {
        ...(ownerId === scope.contactId ? { id: profile.id, version: profile.version } : { id: null }),
        name: profile.name,
        companyName: profile.companyName,
      },
      {
        roomName: this.#roomName,
        agentId: this.#agentId,
        agentOwnerId: ownerId,
        callId: await this.callId(),
        liveUntil: this.#lifeEnd(),
      },
    );
    return { scope, conversationId: id };
  }

  get #agentId(): string | null {
    return this.#agent.ownerId === null ? null : this.#agent.profile.id;
  }

  #lifeEnd(): Date {
    return new Date(Date.now() + this.#around.recordLifeMs);
  }

  #tell(error: unknown): void {
    this.#around.onFailure(error);
  }
}
