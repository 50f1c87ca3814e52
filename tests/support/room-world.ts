import { v7 as uuidv7 } from 'uuid';
import { agents as agentsTable, liveCalls, users } from '#server/database/schema';
import type { Dialogue } from '#server/dialogue/contract';
import { createFakeEncoder } from '#server/engines/encoding/fake';
import { createFakeParticipants, type FakePresence } from '#server/engines/participants/fake';
import { createFakeRecognition } from '#server/engines/recognition/fake';
import { createFakeRooms } from '#server/engines/rooms/fake';
import type { SharedState } from '#server/engines/shared-state/contract';
import { MemoryState } from '#server/engines/shared-state/memory';
import { createFakeMediaStore } from '#server/engines/storage/fake';
import { createFakeVoiceActivity } from '#server/engines/voice-activity/fake';
import { AgentsRepository } from '#server/features/agents/repository';
import { AgentsService } from '#server/features/agents/service';
import { DoorsRepository } from '#server/features/channels/room/doors/repository';
import type { RoomLimits } from '#server/features/channels/room/limits';
import { RoomsRepository } from '#server/features/channels/room/repository';
import { RoomsService } from '#server/features/channels/room/service';
import { openRecordings } from '#server/features/conversations/recordings/open';
import { RecordingsRepository } from '#server/features/conversations/recordings/repository';
import { ConversationsRepository } from '#server/features/conversations/repository';
import { ConversationsService } from '#server/features/conversations/service';
import type { ResponderOf } from '#server/features/turns/responder';
import { CallsService } from '#server/features/turns/service';
import type { CallActions } from '#server/features/turns/turn-actions';
import { createSeal } from '#server/lib/seal';
import type { Member } from '#server/lib/session';
import { aMember, aUser, ownScope, workspaceOf } from '../factories.ts';
import { demoProfile } from './call-world.ts';
import { FakeDialogue, FakeSynthesis } from './scripted-engines.ts';
import { ScriptedTurnTaking } from './scripted-turn-taking.ts';
import { openTestDatabase, type TestDatabase } from './test-database.ts';
import { unscanned } from './unscanned.ts';

const origin = { host: 'care.example.com', secure: true };

/**
 * Live rooms for tests: the real services over the real embedded database, in simulated rooms. Voices are
 * `presences`; people's words are given to `ears`.
 */
export async function openRoomWorld(
  limits: Partial<RoomLimits> = {},
  shared?: TestDatabase,
  {
    rooms = createFakeRooms(),
    sharedState = new MemoryState() as SharedState,
    brain,
    actions,
    responderOf,
  }: {
    rooms?: ReturnType<typeof createFakeRooms>;
    sharedState?: SharedState;
    /** Replaces the scripted dialogue. */
    brain?: Dialogue;
    actions?: CallActions;
    /** Selects the responder; default: the scripted dialogue. */
    responderOf?: ResponderOf;
  } = {},
) {
  const database = shared ?? (await openTestDatabase());
  const { db } = database;
  const participants = createFakeParticipants();
  const dialogue = new FakeDialogue();
  if (brain) dialogue.answer = (turn, signal) => brain.respond(turn, signal);
  const synthesis = new FakeSynthesis();
  const encoder = createFakeEncoder();
  const ears: ScriptedTurnTaking[] = [];
  const failures: unknown[] = [];
  const onFailure = (_what: unknown, error: unknown) => void failures.push(error);
  const agents = new AgentsService(new AgentsRepository(db), demoProfile);
  const recordings = await openRecordings({
    repository: new RecordingsRepository(db),
    store: createFakeMediaStore(),
    encoder,
    scans: unscanned,
    mayKeep: async () => true,
    isMasked: async () => false,
    onFailure,
  });
  const conversations = new ConversationsService(new ConversationsRepository(db), recordings);
  const calls = new CallsService({
    conversations,
    agents,
    dialogue,
    synthesis,
    encoder,
    recordings,
    sharedState,
    ...(actions ? { actions } : {}),
    ...(responderOf ? { responderOf } : {}),
    onFailure,
  });
  const earsWait = { ms: 0 };
  const endedSessions = new Set<string>();
  const trouble: { sentence: string | null } = { sentence: null };
  const service = new RoomsService({
    rooms,
    participants,
    repository: new RoomsRepository(db),
    doors: new DoorsRepository(db),
    access: 'members',
    stunServers: null,
    sharedState,
    seal: createSeal('a secret that is as long as it has to be'),
    liveSessions: async (ids) => new Set(ids.filter((id) => !endedSessions.has(id))),
    agents,
    calls,
    conversations,
    recordings,
    listen: (language, listener) => {
      const turns = new ScriptedTurnTaking({
        mode: 'hands-free',
        language,
        listener,
        recognition: createFakeRecognition(),
        voiceActivity: createFakeVoiceActivity(),
      });
      ears.push(turns);
      return turns;
    },
    earsWaitMs: () => earsWait.ms,
    trouble: () => trouble.sentence,
    onFailure,
    limits,
  });

  return {
    database,
    rooms,
    participants,
    dialogue,
    synthesis,
    ears,
    failures,
    trouble,
    /** Reported delay of recognition. */
    earsWait,
    endedSessions,
    service,
    calls,
    conversations,
    agents,

    async addUser(name: string): Promise<Member> {
      const id = uuidv7();
      const email = `${id}@sigma.example`;
      const user = aUser({ id, name, email });
      await db.insert(users).values(user);
      return aMember({ _id: id, name, email, workspaceId: user.workspaceId });
    },

    async addAgent(owner: Member, name: string): Promise<string> {
      const id = uuidv7();
      await db.insert(agentsTable).values({
        id,
        workspaceId: workspaceOf(owner._id),
        name,
        companyName: 'Contoso Bikes',
        personality: 'Brisk.',
        companyInfo: 'Open at night.',
        prompts: [],
      });
      return id;
    },

    join: (user: Member, roomName: string, agentId?: string, sessionId = `session of ${user._id}`) =>
      service.join(
        user,
        {
          roomName,
          participantName: 'whoever',
          participantIdentity: user._id,
          ...(agentId ? { agentId } : {}),
        },
        { ...origin, sessionId },
      ),

    /** The agent's newest presence in a room, once it exists. */
    async presenceIn(roomName: string, count = 1): Promise<FakePresence> {
      return until(() => {
        const there = participants.presences.filter(({ token }) => JSON.parse(token).room === roomName);
        return there.length >= count ? there.at(-1) : undefined;
      }, `an agent in ${roomName}`);
    },

    /** Turn-taking of the nth participant. */
    async earsOf(count: number): Promise<ScriptedTurnTaking> {
      return until(() => ears[count - 1], `ears ${count}`);
    },

    /** The conversation as in a user's history: `name: text`. */
    async transcript(user: Member): Promise<string[]> {
      const page = await conversations.list(ownScope(user), { limit: 50 });
      return page.conversations.flatMap(({ messages = [], agentName }) =>
        messages.map(
          ({ role, content, saidBy, interrupted }) =>
            `${role === 'user' ? (saidBy ?? 'me') : agentName}: ${content}${interrupted ? ' (cut)' : ''}`,
        ),
      );
    },

    async records(user: Member) {
      return (await conversations.list(ownScope(user), { limit: 50 })).conversations;
    },

    openRecords: () => db.select().from(liveCalls),

    async close() {
      await service.close();
      await calls.close(0);
      await recordings.close(0);
      if (!shared) await database.close();
    },
  };
}

export type RoomWorld = Awaited<ReturnType<typeof openRoomWorld>>;

export async function until<T>(find: () => T | undefined | Promise<T | undefined>, what: string): Promise<T> {
  const deadline = Date.now() + 15_000;
  for (;;) {
    const found = await find();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`Waited for ${what} in vain.`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
