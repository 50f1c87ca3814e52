import type { ParticipantsEngine } from '#server/engines/participants/contract';
import type { RoomEvent, RoomParticipant, RoomsEngine } from '#server/engines/rooms/contract';
import type { SharedState } from '#server/engines/shared-state/contract';
import type { AgentsService } from '#server/features/agents/service';
import type { RecordingsService } from '#server/features/conversations/recordings/service';
import type { ConversationsService } from '#server/features/conversations/service';
import type { CallsService } from '#server/features/turns/service';
import { forbidden, inItsWords, notFound, unavailable } from '#server/lib/errors';
import { memberScope } from '#server/lib/scope';
import type { Seal } from '#server/lib/seal';
import type { Member } from '#server/lib/session';
import type { TurnTaking, TurnTakingListener } from '#server/listening/contract';
import type { User } from '#shared/accounts';
import {
  type CreatedRoom,
  type JoinedRoom,
  type RoomAccess,
  type RoomRequest,
  TEST_ROOM_NAME,
  type TestRoom,
} from '#shared/rooms';
import { AgentsOnDuty } from './agents-on-duty.ts';
import { CallRecord, type RoomAgent } from './call-record.ts';
import { isCustomer, type Passage } from './doors/door-marks.ts';
import type { DoorsRepository } from './doors/repository.ts';
import { RoomDoors } from './doors/room-doors.ts';
import { RoomGuard } from './doors/room-guard.ts';
import { defaultRoomLimits, type RoomLimits } from './limits.ts';
import type { RoomsRepository } from './repository.ts';
import { RoomAgents } from './room-agents.ts';
import { RoomCall } from './room-call.ts';

interface RoomsDependencies {
  rooms: RoomsEngine;
  participants: ParticipantsEngine;
  repository: RoomsRepository;
  doors: DoorsRepository;
  /** Who may join a room that somebody has just made. */
  access: RoomAccess;
  /** What browsers ask under which address they are seen; null: what they usually ask. */
  stunServers: readonly string[] | null;
  sharedState: SharedState;
  /** The same for all instances. */
  seal: Seal;
  /** Those of these sessions that have not ended. */
  liveSessions(sessionIds: readonly string[]): Promise<Set<string>>;
  agents: AgentsService;
  calls: CallsService;
  conversations: ConversationsService;
  recordings: RecordingsService;
  /** Begins to listen to one person, who speaks a language (BCP 47). */
  listen(language: string, listener: TurnTakingListener): TurnTaking;
  /** How long what somebody says now would wait until it is understood, in milliseconds. */
  earsWaitMs(): number;
  /** What stands in the way of hearing or speaking, in one sentence; null when all is well. */
  trouble(): string | null;
  /** Told of failures that are worth a look; what people said is not in them. */
  onFailure(what: 'room', error: unknown): void;
  limits?: Partial<RoomLimits>;
}

/** Where a request came from. */
export interface RequestOrigin {
  /** The session it was made in. */
  sessionId: string;
  /** The Host header. */
  host: string;
  secure: boolean;
}

const SWEEP_MS = 30_000;
const SWEPT_AT_ONCE = 50;

/**
 * Live rooms: who may join which, with which token, and the agent that takes part. A room's name is all that is needed
 * to join it, for every signed-in user, unless its owner closes it; what somebody says there is heard by whoever is there
 * and by nobody else.
 */
export class RoomsService {
  /** What owners of rooms do about them. */
  readonly doors: RoomDoors;
  readonly #deps: RoomsDependencies;
  readonly #limits: RoomLimits;
  readonly #duty: AgentsOnDuty;
  readonly #agents: RoomAgents;
  readonly #guard: RoomGuard;
  readonly #stopListening: () => void;
  readonly #sweeping: NodeJS.Timeout;

  constructor(deps: RoomsDependencies) {
    this.#deps = deps;
    // Embedded rooms are each process's own.
    const sharedState = this.#isLiveKit && deps.sharedState.isShared ? deps.sharedState : null;
    const onFailure = (error: unknown) => deps.onFailure('room', error);
    this.doors = new RoomDoors({
      rooms: deps.rooms,
      repository: deps.doors,
      access: deps.access,
      sharedState,
      onFailure,
    });
    this.#agents = new RoomAgents({ ...deps, sharedState });
    this.#limits = { ...defaultRoomLimits, ...patienceOf(deps.rooms), ...deps.limits };
    this.#guard = new RoomGuard({
      ...deps,
      doors: this.doors,
      inside: () => this.#duty.rooms,
      onFailure,
    });
    this.#duty = new AgentsOnDuty({
      rooms: deps.rooms,
      participants: deps.participants,
      limits: this.#limits,
      onFailure,
      sharedState,
      marks: this.#guard.marks,
      earsWaitMs: deps.earsWaitMs,
      agentFor: async ({ roomName, agent }) => {
        await this.doors.lookUp(roomName);
        return this.#agents.by(agent);
      },
      callFor: (roomName, agent, identity, mayYield, onOver) =>
        new RoomCall({
          ...deps,
          listen: (listener) => deps.listen(agent.profile.language, listener),
          letsAgentStay: () => this.doors.letsAgentStay(roomName),
          limits: this.#limits,
          agent,
          identity,
          mayYield,
          onCustomer: (face) => void (this.#isLiveKit && this.#guard.turnAway(roomName, face)),
          onOver,
          endRoom: () => deps.rooms.deleteRoom(roomName),
          onFailure,
          record: new CallRecord(
            { ...deps, recordLifeMs: this.#limits.recordLifeMs, onFailure },
            roomName,
            agent,
          ),
        }),
    });
    deps.conversations.onClosing(({ conversationId, reason }) => {
      if (reason === 'ended') void deps.repository.forget(conversationId).catch(onFailure);
    });
    this.#stopListening = deps.rooms.onEvent((event) => this.#follow(event));
    this.#sweeping = setInterval(() => void this.sweep(), SWEEP_MS).unref();
    void this.sweep();
    void this.#goOn();
  }

  /** Makes a room ready for somebody; an agent that is asked for is the one who will be there. */
  async create(user: Member, request: RoomRequest, origin: RequestOrigin): Promise<CreatedRoom> {
    const { agent, comesAs, roomName } = await this.#prepare(user, request);
    if (request.agentId !== undefined && comesAs !== 'guest') this.#agents.choose(roomName, agent);
    return { roomName, wsUrl: this.#deps.rooms.wsUrl(origin) };
  }

  /**
   * Lets a user into a room, and sends the agent there.
   * @throws AppError forbidden for another identity or where its owner lets them not, lobby while they wait for that,
   *   not-found for an agent that is not theirs, conflict in too many rooms, unavailable without a room server or a free
   *   agent
   */
  async join(user: Member, request: RoomRequest, origin: RequestOrigin): Promise<JoinedRoom> {
    const { agent, comesAs, roomName, closings } = await this.#prepare(user, request);
    const { sessionId } = origin;
    const participantToken = await this.#tokenFor(user, roomName, { sessionId, closings });
    this.#agents.sent(roomName);
    this.#duty.send(roomName, agent, user._id);
    return {
      participantToken,
      wsUrl: this.#deps.rooms.wsUrl(origin),
      roomName,
      ...(comesAs === 'owner' ? { isOwner: true } : {}),
      ...this.#stunServers,
    };
  }

  /** Lets a user into the room where everybody may try out how it is. */
  async joinTestRoom(user: Member, origin: RequestOrigin): Promise<TestRoom> {
    const request = { roomName: TEST_ROOM_NAME, participantName: user.name, participantIdentity: user._id };
    const { participantToken, wsUrl } = await this.join(user, request, origin);
    return { token: participantToken, wsUrl, name: TEST_ROOM_NAME, ...this.#stunServers };
  }

  /** A session has ended: whoever came into a room through it is put out, and does not come back with the key it was given. */
  sessionEnded({ sessionId, userId }: { sessionId: string; userId: string }): void {
    this.#guard.sessionEnded(sessionId, userId);
  }

  /** An account waits for its person: links into its rooms end, and its agents go on in none of them. */
  accountHeld(userId: string): Promise<void> {
    return this.doors.withdraw(userId);
  }

  /** Puts everybody out who may not be there any more and went unnoticed, as at another instance. Never rejects. */
  recheckPeople(): Promise<void> {
    return this.#guard.recheck();
  }

  /** Rooms with an agent, how many may have one, and the people in them. */
  get seats(): { taken: number; max: number; people: number } {
    return { ...this.#duty.seats, max: this.#limits.maxAgents };
  }

  /** Takes what LiveKit tells of its rooms. @returns whether it came from there */
  async takeWebhook(body: string, authorization: string | undefined): Promise<boolean> {
    return (await this.#deps.rooms.receiveWebhook?.(body, authorization)) ?? false;
  }

  /** Ends records that nobody writes any more: their server was stopped, or their person did not come back. */
  async sweep(): Promise<void> {
    const { repository, conversations, onFailure } = this.#deps;
    try {
      await this.doors.sweep();
      for (const { scope, conversationId, liveUntil } of await repository.abandoned(
        new Date(),
        SWEPT_AT_ONCE,
      )) {
        await conversations.end(scope, conversationId, liveUntil);
        await repository.forget(conversationId);
      }
    } catch (error) {
      onFailure('room', error);
    }
    await this.recheckPeople();
    this.#agents.sweep();
    this.#guard.sweep();
  }

  /** Takes nobody in any more and calls the agents back. Resolves when everything that was said is stored. */
  async close(): Promise<void> {
    this.#stopListening();
    clearInterval(this.#sweeping);
    await this.#duty.close();
  }

  /** @returns the agent who will be there, and as what the user comes into which room */
  async #prepare(user: Member, request: RoomRequest) {
    const { rooms } = this.#deps;
    if (request.participantIdentity !== user._id) throw forbidden('rooms.as-yourself');
    const wanted = await this.#wantedAgent(user, request);
    const meant = await this.doors.nameOf(request.roomName);
    this.#duty.forOneMore.refuseTooManyRooms(meant, user._id);
    if (this.#duty.earsWaitMs(meant) > this.#limits.earsWaitMs && !this.#duty.hasSeen(meant, user._id))
      throw unavailable('rooms.too-many-speaking');
    if (!this.#duty.hasSeen(meant, user._id)) await this.#deps.conversations.refuseTooMany(memberScope(user));
    this.#duty.forOneMore.refuseWithoutAgent(meant, user._id);
    const status = rooms.status();
    if (status.state === 'failed') throw unavailable(inItsWords(status));
    const { roomName, comesAs, closings } = await this.doors.enter(user._id, { ...request, roomName: meant });
    const agent = await this.#agentFor(roomName, comesAs === 'guest' ? null : wanted);
    try {
      await rooms.createRoom(roomName, {
        emptyTimeoutMs: this.#limits.arrivalMs * 2,
        departureTimeoutMs: this.#limits.returnMs,
        maxParticipants: this.#limits.maxPeople + 1,
      });
    } catch (error) {
      throw unavailable('rooms.away', error);
    }
    return { agent, comesAs, roomName, closings };
  }

  async #wantedAgent(user: Member, { agentId }: RoomRequest): Promise<RoomAgent | null> {
    if (agentId === undefined) return null;
    const profile = await this.#deps.agents.profileFor(memberScope(user), agentId);
    if (!profile) throw notFound('agent');
    return { profile, ownerId: user._id };
  }

  /** @param wanted whom the owner of the room asks for */
  async #agentFor(roomName: string, wanted: RoomAgent | null): Promise<RoomAgent> {
    const there = this.#duty.agentIn(roomName);
    if (there) return there;
    const held = this.#duty.heldElsewhere(roomName);
    return held ? this.#agents.by(held.agent) : this.#agents.in(roomName, wanted);
  }

  #tokenFor(user: User, roomName: string, passage: Passage): Promise<string> {
    return this.#deps.rooms.token({
      room: roomName,
      identity: user._id,
      name: user.name,
      metadata: JSON.stringify(this.#guard.letIn(roomName, user._id, passage)),
      // What people say is written down by the agent alone: nobody may send text, as if it were somebody else's words.
      microphoneOnly: true,
      canPublishData: false,
      ttlMs: this.#limits.tokenTtlMs,
    });
  }

  /** Whoever comes without having asked this process, as after a restart, finds an agent, too. */
  #follow(event: RoomEvent): void {
    if (event.type === 'participant_joined' && isCustomer(event.participant.metadata))
      void this.#attend(event.room, event.participant);
  }

  async #attend(roomName: string, participant: RoomParticipant): Promise<void> {
    const isToStay = await this.#guard.turnAway(roomName, participant);
    const hasAgent = this.#duty.agentIn(roomName) ?? this.#duty.heldElsewhere(roomName);
    if (isToStay && !hasAgent) await this.#sendTo(roomName);
  }

  async #sendTo(roomName: string): Promise<void> {
    try {
      await this.doors.lookUp(roomName);
      this.#duty.send(roomName, await this.#agents.in(roomName, null), null);
    } catch (error) {
      this.#deps.onFailure('room', error);
    }
  }

  get #stunServers(): Pick<JoinedRoom, 'stunServers'> {
    const { stunServers } = this.#deps;
    return stunServers ? { stunServers: [...stunServers] } : {};
  }

  get #isLiveKit(): boolean {
    return this.#deps.rooms.kind === 'livekit';
  }

  /** Goes back to the rooms that outlived the last process: those of a LiveKit server. */
  async #goOn(): Promise<void> {
    const { rooms, repository, onFailure } = this.#deps;
    await rooms.ready;
    if (rooms.kind === 'embedded' || rooms.status().state !== 'ready') return;
    try {
      for (const roomName of await repository.roomsUnderWay(new Date())) {
        const there = await rooms.listParticipants(roomName);
        if (there.some(({ metadata }) => isCustomer(metadata))) await this.#sendTo(roomName);
      }
    } catch (error) {
      onFailure('room', error);
    }
  }
}

/**
 * The embedded server tells of everybody who comes, so an agent need not wait. A LiveKit server may have no webhook set:
 * then the agent stays for as long as somebody may still come, or come back, by themselves.
 */
const patienceOf = ({ kind }: RoomsEngine): Partial<RoomLimits> =>
  kind === 'embedded'
    ? {}
    : { arrivalMs: defaultRoomLimits.tokenTtlMs, returnMs: defaultRoomLimits.recordLifeMs };
