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
  /** The access of a new room. */
  access: RoomAccess;
  /** Servers that tell browsers their public address; null: the browser's defaults. */
  stunServers: readonly string[] | null;
  sharedState: SharedState;
  /** The same for all instances. */
  seal: Seal;
  /** The active ones of these sessions. */
  liveSessions(sessionIds: readonly string[]): Promise<Set<string>>;
  agents: AgentsService;
  calls: CallsService;
  conversations: ConversationsService;
  recordings: RecordingsService;
  /** Begins to listen to one person, in a language (BCP 47). */
  listen(language: string, listener: TurnTakingListener): TurnTaking;
  /** How long a new utterance would wait to be recognised, in milliseconds. */
  earsWaitMs(): number;
  /** The current problem of ears or voice, in one sentence; null without one. */
  trouble(): string | null;
  /** Called with failures to log, without people's words. */
  onFailure(what: 'room', error: unknown): void;
  limits?: Partial<RoomLimits>;
}

/** The origin of a request. */
export interface RequestOrigin {
  /** The session of the request. */
  sessionId: string;
  /** The Host header. */
  host: string;
  secure: boolean;
}

const SWEEP_MS = 30_000;
const SWEPT_AT_ONCE = 50;

/**
 * Live rooms: admission, tokens, and the agent that takes part. Every signed-in user can join a room by its name,
 * unless its owner closes it; only people in the room hear it.
 */
export class RoomsService {
  /** Owners' actions on their rooms. */
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
    // Embedded rooms belong to one process each.
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

  /** Prepares a room for a user; a requested agent will be the one in it. */
  async create(user: Member, request: RoomRequest, origin: RequestOrigin): Promise<CreatedRoom> {
    const { agent, comesAs, roomName } = await this.#prepare(user, request);
    if (request.agentId !== undefined && comesAs !== 'guest') this.#agents.choose(roomName, agent);
    return { roomName, wsUrl: this.#deps.rooms.wsUrl(origin) };
  }

  /**
   * Admits a user to the room, and sends the agent there.
   * @throws AppError forbidden for another identity or by the owner's rules, lobby while they wait for the owner,
   *   not-found for an agent that is not theirs, conflict in too many rooms, unavailable without a room server or a
   *   free agent
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

  /** Admits a user to the test room, which is open to everybody. */
  async joinTestRoom(user: Member, origin: RequestOrigin): Promise<TestRoom> {
    const request = { roomName: TEST_ROOM_NAME, participantName: user.name, participantIdentity: user._id };
    const { participantToken, wsUrl } = await this.join(user, request, origin);
    return { token: participantToken, wsUrl, name: TEST_ROOM_NAME, ...this.#stunServers };
  }

  /** A session has ended: removes people whom it admitted from rooms, and blocks its keys. */
  sessionEnded({ sessionId, userId }: { sessionId: string; userId: string }): void {
    this.#guard.sessionEnded(sessionId, userId);
  }

  /** An account is held: ends the links into its rooms, and lets none of its agents stay there. */
  accountHeld(userId: string): Promise<void> {
    return this.doors.withdraw(userId);
  }

  /** Removes people who may no longer be in a room and were missed, for example by another instance. Never rejects. */
  recheckPeople(): Promise<void> {
    return this.#guard.recheck();
  }

  /** Rooms with an agent, the most allowed, and the people in them. */
  get seats(): { taken: number; max: number; people: number } {
    return { ...this.#duty.seats, max: this.#limits.maxAgents };
  }

  /** Takes LiveKit's events of its rooms. @returns whether the sender was LiveKit */
  async takeWebhook(body: string, authorization: string | undefined): Promise<boolean> {
    return (await this.#deps.rooms.receiveWebhook?.(body, authorization)) ?? false;
  }

  /** Ends records that are no longer renewed: their server was stopped, or their person did not return. */
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

  /** Admits nobody any more and calls the agents back. Resolves when all words are stored. */
  async close(): Promise<void> {
    this.#stopListening();
    clearInterval(this.#sweeping);
    await this.#duty.close();
  }

  /** @returns the agent of the room, and the user's admission */
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

  /** @param wanted the agent that the owner requests */
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
      // Only the agent writes captions: a participant could otherwise send text as another person's words.
      microphoneOnly: true,
      canPublishData: false,
      ttlMs: this.#limits.tokenTtlMs,
    });
  }

  /** People who come without asking this process, for example after a restart, get an agent, too. */
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

  /** Returns to rooms that outlived the last process: those of a LiveKit server. */
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
 * The embedded server reports everybody who comes, so an agent need not wait. A LiveKit server may have no webhook:
 * then the agent stays as long as people may still come, or return, by themselves.
 */
const patienceOf = ({ kind }: RoomsEngine): Partial<RoomLimits> =>
  kind === 'embedded'
    ? {}
    : { arrivalMs: defaultRoomLimits.tokenTtlMs, returnMs: defaultRoomLimits.recordLifeMs };
