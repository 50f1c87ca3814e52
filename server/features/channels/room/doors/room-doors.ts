import { randomBytes } from 'node:crypto';
import { validate as isUuid } from 'uuid';
import { z } from 'zod';
import type { RoomsEngine } from '#server/engines/rooms/contract';
import type { SharedState } from '#server/engines/shared-state/contract';
import { conflict, forbidden, inLobby, notFound } from '#server/lib/errors';
import { hashToken } from '#server/lib/tokens';
import { refusal } from '#shared/refusals/refusal';
import {
  lookOf,
  type OwnRoom,
  type RoomAccess,
  type RoomChange,
  type RoomInvite,
  type RoomRequest,
  TEST_ROOM_NAME,
} from '#shared/rooms';
import type { DoorsRepository, OwnedRoom } from './repository.ts';

interface DoorSurroundings {
  rooms: Pick<RoomsEngine, 'listParticipants' | 'removeParticipant' | 'muteTrack'>;
  repository: DoorsRepository;
  /** The access of a new room. */
  access: RoomAccess;
  /** Informs other instances, which may have the agent of a room; null if no other instance has these rooms. */
  sharedState: Pick<SharedState, 'tell' | 'hear'> | null;
  onFailure(error: unknown): void;
}

const CHANGED_TOPIC = 'a room changed';

const INVITE_BYTES = 32;
const INVITE_LIFE_MS = 7 * 24 * 60 * 60_000;
const MAX_INVITES = 50;
/** People in a lobby ask every few seconds; after this time without asking they have gone. */
const KNOCK_LIFE_MS = 15_000;
const MAX_WAITING = 50;
/** A room that its owner has not entered for so long becomes free. */
const ROOM_LIFE_MS = 30 * 24 * 60 * 60_000;
const MAX_ROOMS = 500;
/** Rooms whose agent setting is cached. */
const MAX_KNOWN = 1_000;

/** An admission to a room. */
interface Entry {
  /** As the room's creator wrote it. */
  roomName: string;
  /** The test room has no owner and no guests. */
  comesAs: 'owner' | 'guest' | 'anybody';
  /** How often the room was closed at admission: an older key is checked again. */
  closings: number;
}

/** The owners of rooms, admission to them, and owners' actions on people inside. */
export class RoomDoors {
  readonly #around: DoorSurroundings;
  /** Whether the agent stays without its owner, by room. */
  readonly #stays = new Map<string, boolean>();
  #looked: Promise<void> | null = null;

  constructor(around: DoorSurroundings) {
    this.#around = around;
    around.sharedState?.hear(CHANGED_TOPIC, z.string(), (roomName) => {
      if (this.#stays.has(roomName)) void this.lookUp(roomName).catch(around.onFailure);
    });
  }

  /** The name of the room that a name refers to, as its creator wrote it; unchanged if there is none. */
  async nameOf(roomName: string): Promise<string> {
    const room = await this.#find(roomName);
    return room?.name ?? (isTestRoom(roomName) ? TEST_ROOM_NAME : roomName);
  }

  /**
   * Admits a person; a room that did not exist is theirs from now on.
   * @throws AppError forbidden if they may not enter, lobby until the owner admits them, conflict with too many rooms
   *   of their own
   */
  async enter(
    userId: string,
    { roomName, invite }: Pick<RoomRequest, 'roomName' | 'invite'>,
  ): Promise<Entry> {
    const { repository } = this.#around;
    const known = await this.#find(roomName);
    if (!known && isTestRoom(roomName)) return { roomName: TEST_ROOM_NAME, comesAs: 'anybody', closings: 0 };
    const room = known ?? (await this.#make(userId, roomName));
    const { name, closings } = room;
    this.#remember(room);
    if (room.ownerId === userId) {
      await repository.change(name, { usedAt: new Date() });
      return { roomName: name, comesAs: 'owner', closings };
    }
    await this.#admit(room, userId, invite);
    return { roomName: name, comesAs: 'guest', closings };
  }

  /**
   * Whether a key still admits: not a person whom the owner has removed since, and after the room was closed only
   * people who were inside then.
   * @param roomName from its key
   * @param closings how often the room had been closed when the key was given
   */
  async isOpenTo(roomName: string, userId: string, closings: number): Promise<boolean> {
    if (roomName === TEST_ROOM_NAME || !isUuid(userId)) return true;
    const { repository } = this.#around;
    const [room, guest] = await Promise.all([repository.find(roomName), repository.guest(roomName, userId)]);
    if (!room || room.ownerId === userId) return true;
    if (guest?.removedAt) return false;
    return closings >= room.closings || guest?.insideAtClosing === room.closings;
  }

  /** Whether the agent of a room stays while its owner is away. */
  letsAgentStay(roomName: string): boolean {
    return this.#stays.get(roomName) ?? false;
  }

  /** Loads a room that people returned to without asking here. */
  async lookUp(roomName: string): Promise<void> {
    const room = await this.#around.repository.find(roomName);
    if (room) this.#remember(room);
  }

  /** @throws AppError not-found, forbidden for anybody but the owner */
  async show(userId: string, roomName: string): Promise<OwnRoom> {
    return this.#shown(await this.#owned(userId, roomName));
  }

  /** @throws AppError not-found, forbidden for anybody but the owner */
  async change(userId: string, roomName: string, change: RoomChange): Promise<OwnRoom> {
    const room = await this.#owned(userId, roomName);
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    if (Object.keys(given).length === 0) return this.#shown(room);
    const changed = closes(room, change)
      ? await this.#around.repository.close(room.name, given, await this.#inside(room.name))
      : await this.#around.repository.change(room.name, given);
    if (!changed) throw notFound('room');
    this.#remember(changed);
    this.#around.sharedState?.tell(CHANGED_TOPIC, room.name);
    return this.#shown(changed);
  }

  /**
   * Makes a link that admits its holders to the room for a week.
   * @param base the address of the page, without a trailing slash
   * @throws AppError not-found, forbidden for anybody but the owner
   */
  async invite(userId: string, roomName: string, base: string): Promise<RoomInvite> {
    const { name } = await this.#owned(userId, roomName);
    const invite = randomBytes(INVITE_BYTES).toString('base64url');
    const createdAt = new Date();
    const expiresAt = new Date(createdAt.getTime() + INVITE_LIFE_MS);
    await this.#around.repository.addInvite(
      { secretHash: hashToken(invite), roomName: name, createdAt, expiresAt },
      MAX_INVITES,
    );
    // After the # it appears in no log on its way here.
    const url = `${base}/live-call/${encodeURIComponent(name)}#invite=${invite}`;
    return { invite, url, expiresAt: expiresAt.toISOString() };
  }

  /**
   * Admits a person from the lobby.
   * @throws AppError not-found for a person not in it, forbidden for anybody but the owner
   */
  async letIn(userId: string, roomName: string, identity: string): Promise<void> {
    const { name } = await this.#owned(userId, roomName);
    const { repository } = this.#around;
    const guest = isUuid(identity) ? await repository.guest(name, identity) : null;
    if (!guest?.knockedAt) throw notFound('participant');
    await repository.setGuest(name, identity, { admittedAt: new Date(), removedAt: null });
  }

  /**
   * Removes a person from the room or its lobby. Only a later invitation admits them again.
   * @throws AppError not-found for a person not there, forbidden for anybody but the owner, conflict for themselves
   */
  async remove(userId: string, roomName: string, identity: string): Promise<void> {
    const { name } = await this.#owned(userId, roomName);
    const { rooms, repository } = this.#around;
    if (identity === userId) throw conflict('rooms.remove-yourself');
    if (!isUuid(identity)) throw notFound('participant');
    const there = await rooms.listParticipants(name);
    if (!there.some((one) => one.identity === identity) && !(await repository.guest(name, identity)))
      throw notFound('participant');
    await repository.setGuest(name, identity, {
      removedAt: new Date(),
      admittedAt: null,
      knockedAt: null,
    });
    await rooms.removeParticipant(name, identity);
  }

  /**
   * Mutes a person's microphone; they may turn it on again.
   * @throws AppError not-found for a person not there, forbidden for anybody but the owner
   */
  async mute(userId: string, roomName: string, identity: string): Promise<void> {
    const { name } = await this.#owned(userId, roomName);
    const { rooms } = this.#around;
    const there = await rooms.listParticipants(name);
    const participant = there.find((one) => one.identity === identity && one.kind === 'standard');
    if (!participant) throw notFound('participant');
    for (const { sid, kind, muted } of participant.tracks)
      if (kind === 'audio' && !muted) await rooms.muteTrack(name, identity, sid, true);
  }

  /** Ends the links into an owner's rooms, and lets none of their agents stay there without them. */
  async withdraw(ownerId: string): Promise<void> {
    for (const room of await this.#around.repository.withdraw(ownerId)) {
      this.#remember(room);
      this.#around.sharedState?.tell(CHANGED_TOPIC, room.name);
    }
  }

  /** Deletes rooms that their owners have not entered for a month, and expired links. */
  async sweep(): Promise<void> {
    const { repository } = this.#around;
    await repository.forgetUnused(new Date(Date.now() - ROOM_LIFE_MS));
    await repository.forgetExpiredInvites(new Date());
    // An instance of an older version may have made some, and a look may be free now.
    await this.#lookAtRooms();
  }

  async #find(roomName: string): Promise<OwnedRoom | null> {
    this.#looked ??= this.#lookAtRooms().catch((error: unknown) => {
      this.#looked = null;
      throw error;
    });
    await this.#looked;
    const room = await this.#around.repository.findAlike(roomName, hashToken(lookOf(roomName)));
    return room?.name === roomName || !isTestRoom(roomName) ? room : null;
  }

  /**
   * Stores the looks of rooms from older versions. Rooms that look alike are each found by their exact name, and other
   * spellings lead to the latest used one while it exists.
   */
  async #lookAtRooms(): Promise<void> {
    const { repository } = this.#around;
    for (const name of await repository.withoutLook())
      await repository.giveLook(name, hashToken(lookOf(name)));
  }

  /** The users in a room. An unavailable room server does not prevent closing a room. */
  async #inside(roomName: string): Promise<string[]> {
    try {
      const there = await this.#around.rooms.listParticipants(roomName);
      return there.flatMap(({ identity, kind }) =>
        kind === 'standard' && isUuid(identity) ? [identity] : [],
      );
    } catch (error) {
      this.#around.onFailure(error);
      return [];
    }
  }

  async #make(ownerId: string, name: string): Promise<OwnedRoom> {
    const { repository, access } = this.#around;
    if ((await repository.countOwnedBy(ownerId)) >= MAX_ROOMS)
      throw conflict(refusal('rooms.too-many-made', { max: MAX_ROOMS }));
    return repository.findOrMake({
      ...{ name, ownerId, access },
      look: hashToken(lookOf(name)),
      usedAt: new Date(),
    });
  }

  async #admit(room: OwnedRoom, userId: string, secret: string | undefined): Promise<void> {
    const { repository } = this.#around;
    const now = new Date();
    const [guest, invitedAt] = await Promise.all([
      repository.guest(room.name, userId),
      secret === undefined ? null : repository.invitedAt(room.name, hashToken(secret), now),
    ]);
    const wasRemoved = guest?.removedAt != null;
    if (guest?.removedAt && (!invitedAt || invitedAt <= guest.removedAt)) throw forbidden('rooms.removed');
    if (room.access === 'invited' && !invitedAt) throw forbidden('rooms.by-invitation');
    if (room.locked) throw forbidden('rooms.locked');
    if (room.lobby && !guest?.admittedAt) {
      await repository.setGuest(room.name, userId, { knockedAt: now });
      throw inLobby();
    }
    if (wasRemoved) await repository.setGuest(room.name, userId, { removedAt: null });
  }

  async #owned(userId: string, roomName: string): Promise<OwnedRoom> {
    const room = await this.#find(roomName);
    if (!room) throw notFound('room');
    if (room.ownerId !== userId) throw forbidden('rooms.owner-alone');
    return room;
  }

  async #shown({ name, access, locked, lobby, agentStays }: OwnedRoom): Promise<OwnRoom> {
    const since = new Date(Date.now() - KNOCK_LIFE_MS);
    const waiting = await this.#around.repository.waiting(name, since, MAX_WAITING);
    return { roomName: name, access, locked, lobby, agentStays, waiting };
  }

  #remember({ name, agentStays }: OwnedRoom): void {
    this.#stays.delete(name);
    this.#stays.set(name, agentStays);
    for (const [oldest] of this.#stays) {
      if (this.#stays.size <= MAX_KNOWN) break;
      this.#stays.delete(oldest);
    }
  }
}

/** Whether a change excludes people who could enter before. */
const closes = (room: OwnedRoom, { access, locked, lobby }: RoomChange): boolean =>
  (access === 'invited' && room.access !== 'invited') ||
  (locked === true && !room.locked) ||
  (lobby === true && !room.lobby);

const isTestRoom = (roomName: string) => lookOf(roomName) === lookOf(TEST_ROOM_NAME);
