import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eq } from 'drizzle-orm';
import { io, type Socket } from 'socket.io-client';
import { v7 as uuidv7 } from 'uuid';
import { agents as agentsTable, users } from '#server/database/schema';
import { createFakeEncoder } from '#server/engines/encoding/fake';
import { createFakeRecognition } from '#server/engines/recognition/fake';
import type { SharedState } from '#server/engines/shared-state/contract';
import { MemoryState } from '#server/engines/shared-state/memory';
import { createFakeVoiceActivity } from '#server/engines/voice-activity/fake';
import { AgentsRepository } from '#server/features/agents/repository';
import { AgentsService } from '#server/features/agents/service';
import { callsFeature } from '#server/features/channels/page/socket';
import { type SpeechDependencies, SpeechService } from '#server/features/channels/page/speech/service';
import { ConversationsRepository } from '#server/features/conversations/repository';
import { ConversationsService } from '#server/features/conversations/service';
import type { TurnListener } from '#server/features/turns/call-events';
import type { CallLimits } from '#server/features/turns/limits';
import type { CallModelUse } from '#server/features/turns/model-use';
import type { ResponderOf } from '#server/features/turns/responder';
import { CallsService } from '#server/features/turns/service';
import { memberIn } from '#server/lib/principal';
import { type LimiterFactory, memoryLimiters } from '#server/lib/rate-limits';
import type { Member } from '#server/lib/session';
import { attachRealtime } from '#server/realtime/server';
import type { User } from '#shared/accounts';
import type {
  ConversationStarted,
  ServerToClientEvents,
  StartConversationAck,
  UserMessage,
  UserMessageAck,
} from '#shared/realtime';
import { aMember, aUser, workspaceOf } from '../factories.ts';
import { FakeDialogue, FakeSynthesis } from './scripted-engines.ts';
import { ScriptedTurnTaking } from './scripted-turn-taking.ts';
import { openTestDatabase, type TestDatabase } from './test-database.ts';

export const demoProfile = {
  id: 'demo',
  revision: '1',
  name: 'Sigma',
  companyName: 'Northwind Test',
  language: 'en',
  personality: 'Friendly.',
  companyInfo: 'Open from nine to five.',
  prompts: [],
};

/** A signed-in user, as a page knows them. */
type Caller = User & { token: string };

export interface TestUser extends Member {
  token: string;
}

export interface CallWorldOptions {
  limits?: Partial<CallLimits>;
  speech?: Partial<SpeechDependencies>;
  /** `true`: the real limits; or the test's own counters. */
  rateLimit?: boolean | LimiterFactory;
  /** Records tokens of language models. */
  modelUse?: CallModelUse;
  /** Selects the responder; default: the scripted dialogue. */
  responderOf?: ResponderOf;
  /** A database that outlives this world; by default it opens and closes its own. */
  database?: TestDatabase;
}

/**
 * Everything a call needs, for tests: the real channel and services over the real embedded database on a port
 * of their own, with a scripted dialogue and voice.
 */
export async function openCallWorld(options: CallWorldOptions = {}) {
  const database = options.database ?? (await openTestDatabase());
  const dialogue = new FakeDialogue();
  const synthesis = new FakeSynthesis();
  const conversations = new ConversationsService(new ConversationsRepository(database.db));
  const failures: { what: string; error: unknown }[] = [];
  const sharedState = new MemoryState();
  const callsOver = (over: ConversationsService, sharedState: SharedState) =>
    new CallsService({
      conversations: over,
      agents: new AgentsService(new AgentsRepository(database.db), demoProfile),
      dialogue,
      synthesis,
      encoder: createFakeEncoder(),
      sharedState,
      onFailure: (what, error) => failures.push({ what, error }),
      ...(options.limits ? { limits: options.limits } : {}),
      ...(options.modelUse ? { modelUse: options.modelUse } : {}),
      ...(options.responderOf ? { responderOf: options.responderOf } : {}),
    });
  const calls = callsOver(conversations, sharedState);
  const recognition = createFakeRecognition();
  const earsWait = { ms: 0 };
  const microphones: ScriptedTurnTaking[] = [];
  const utterances: { messageId: string; sampleRate: number; samples: number }[] = [];
  const speech = new SpeechService({
    calls,
    conversations,
    ears: { recognition, voiceActivity: createFakeVoiceActivity() },
    listen(settings) {
      const turnTaking = new ScriptedTurnTaking(settings);
      microphones.push(turnTaking);
      return turnTaking;
    },
    recordings: {
      keepUtterance: (_userId, { id }, { samples, sampleRate }) =>
        void utterances.push({ messageId: id, sampleRate, samples: samples.length }),
    },
    earsWaitMs: () => earsWait.ms,
    sharedState,
    onFailure: (error) => failures.push({ what: 'speech', error }),
    ...options.speech,
  });
  const present = new Set<string>();
  const presence = {
    events: {},
    attached() {},
    left: ({ id }: { id: string }) => void present.delete(id),
  };
  const httpServer = createServer((_request, response) => response.writeHead(404).end());
  const signedIn = new Map<string, Member>();
  const logged: unknown[] = [];
  const realtime = attachRealtime({
    httpServer,
    authenticate: async (token) => {
      const user = signedIn.get(token);
      return user ? memberIn({ id: `session of ${token}`, user }) : null;
    },
    isAllowedOrigin: (origin) => origin === 'https://care.example.com',
    features: [callsFeature(calls, speech), presence],
    addressOf: ({ socket }) => socket.remoteAddress ?? '',
    limiter: options.rateLimit === true ? memoryLimiters : options.rateLimit || null,
    log: { error: (...entry: unknown[]) => logged.push(entry) },
  });
  httpServer.listen(0, '127.0.0.1');
  await once(httpServer, 'listening');
  const { port }: AddressInfo = addressOf(httpServer.address());
  const url = `http://127.0.0.1:${port}`;
  const clients = new Set<CallClient>();

  return {
    url,
    database,
    dialogue,
    synthesis,
    conversations,
    calls,
    speech,
    recognition,
    /** Reported delay of recognition. */
    earsWait,
    /** Microphones switched on, newest last. */
    microphones,
    /** Their stored sound. */
    utterances,
    realtime,
    signedIn,
    failures,
    logged,

    /** Restores the default dialogue and voice. */
    reset() {
      Object.assign(dialogue, new FakeDialogue());
      Object.assign(synthesis, new FakeSynthesis());
      failures.length = 0;
      logged.length = 0;
      microphones.length = 0;
      utterances.length = 0;
    },

    /** Makes a method of the conversations reject. @returns restores it */
    breakStorage(method: 'addUserMessage' | 'addReply' | 'giveTitle', reason: string) {
      conversations[method] = async () => {
        throw new Error(reason);
      };
      return () => void Reflect.deleteProperty(conversations, method);
    },

    sharedState,

    /** A second instance of the services over the same database and shared state. */
    anotherServer() {
      const conversations = new ConversationsService(new ConversationsRepository(database.db));
      return { conversations, calls: callsOver(conversations, new MemoryState(sharedState)) };
    },

    /** A listener that ignores everything. */
    nobody(): TurnListener {
      return {
        id: uuidv7(),
        isPresent: true,
        followsSentences: false,
        typing() {},
        sentence() {},
        reply() {},
        failed() {},
      };
    },

    async addUser(name = 'Ada'): Promise<TestUser> {
      const id = uuidv7();
      const email = `${id}@sigma.example`;
      const row = aUser({ id, name, email });
      await database.db.insert(users).values(row);
      const user = aMember({ _id: id, name, email, workspaceId: row.workspaceId });
      const token = `token-${id}`;
      signedIn.set(token, user);
      return { ...user, token };
    },

    async addAgent(user: User, name = 'Mia'): Promise<string> {
      const id = uuidv7();
      await database.db.insert(agentsTable).values({
        id,
        workspaceId: workspaceOf(user._id),
        name,
        companyName: 'Contoso Test',
        personality: 'Brisk.',
        companyInfo: 'Open at night.',
        prompts: [],
      });
      return id;
    },

    async deleteAgent(agentId: string) {
      await database.db.delete(agentsTable).where(eq(agentsTable.id, agentId));
    },

    /** Resolves when the server has noticed that a client disconnected. */
    async serverSawLeaving(client: CallClient) {
      while (present.has(client.id)) await new Promise((resolve) => setTimeout(resolve, 2));
    },

    async connect(user: Caller, settings: { streaming?: boolean } = {}): Promise<CallClient> {
      const client = new CallClient(url, user, settings);
      clients.add(client);
      await client.connected();
      present.add(client.id);
      return client;
    },

    async close() {
      for (const client of clients) client.socket.disconnect();
      await speech.close();
      await calls.close(0);
      await realtime.close();
      httpServer.close();
      httpServer.closeAllConnections();
      if (!options.database) await database.close();
    },
  };
}

export type CallWorld = Awaited<ReturnType<typeof openCallWorld>>;

type ServerEvents = keyof ServerToClientEvents;
type EventOf<E extends ServerEvents> = Parameters<ServerToClientEvents[E]>[0];

/** A browser tab as the server sees it; records all events. */
export class CallClient {
  readonly socket: Socket;
  readonly user: Caller;
  id = '';
  /** Event names in order of arrival; `typing` with its value. */
  readonly order: string[] = [];
  readonly #received: { event: string; value: unknown }[] = [];
  #wakeUp: (() => void)[] = [];

  constructor(url: string, user: Caller, settings: { streaming?: boolean } = {}) {
    this.user = user;
    this.socket = io(url, {
      auth: { token: user.token, ...settings },
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
    });
    this.socket.onAny((event: string, value: unknown) => {
      this.order.push(event === 'typing' ? `typing ${value}` : event);
      this.#received.push({ event, value });
      const wakeUp = this.#wakeUp;
      this.#wakeUp = [];
      for (const wake of wakeUp) wake();
    });
  }

  connected(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.socket.once('connect', () => {
        this.id = this.socket.id ?? '';
        resolve();
      });
      this.socket.once('connect_error', reject);
    });
  }

  /** All received events of one kind. */
  all<E extends ServerEvents>(event: E): EventOf<E>[] {
    return this.#received.filter((entry) => entry.event === event).map((entry) => entry.value as EventOf<E>);
  }

  /** Waits for `count` events of a kind and returns the last of them. */
  async nth<E extends ServerEvents>(event: E, count = 1): Promise<EventOf<E>> {
    return this.#until(() => this.all(event)[count - 1], `${count} × ${event}`);
  }

  /** Waits until `typing false` came `count` times. */
  async quiet(count = 1): Promise<void> {
    await this.#until(
      () => (this.order.filter((name) => name === 'typing false').length >= count ? true : undefined),
      `${count} × typing false`,
    );
  }

  /** Starts a call, by default with the demo agent. */
  async start(payload: Record<string, unknown> = {}): Promise<ConversationStarted> {
    const before = this.all('conversation_started').length;
    const ack = await this.send<StartConversationAck>('start_conversation', {
      userId: this.user._id,
      isCallSimulator: true,
      ...payload,
    });
    if (!ack.ok) throw new Error(ack.error.message);
    return this.nth('conversation_started', before + 1);
  }

  /** Sends a message and returns its acknowledgement. */
  say(
    conversationId: string,
    message: string,
    more: Partial<UserMessage> & Record<string, unknown> = {},
  ): Promise<UserMessageAck> {
    return this.send('user_message', { conversationId, message, isCallSimulator: true, ...more });
  }

  /** Emits an event and returns the acknowledgement. */
  send<Answer>(event: string, ...args: unknown[]): Promise<Answer> {
    return new Promise((resolve) => {
      this.emit(event, ...args, resolve);
    });
  }

  /** Emits anything, like a hostile client. */
  emit(event: string, ...args: unknown[]): void {
    this.socket.emit(event, ...args);
  }

  async #until<T>(find: () => T | undefined, what: string): Promise<T> {
    const deadline = Date.now() + 10_000;
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      if (Date.now() > deadline)
        throw new Error(`Waited for ${what} in vain. Received: ${this.order.join(', ') || 'nothing'}.`);
      await new Promise<void>((resolve) => {
        this.#wakeUp.push(resolve);
        setTimeout(resolve, 200);
      });
    }
  }
}

function addressOf(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('The test server listens on no port.');
  return address;
}
