import { createHash, randomBytes } from 'node:crypto';
import { validate as isUuid } from 'uuid';
import { z } from 'zod';
import type { RoomsEngine } from '#server/engines/rooms/contract';
import type { SharedState } from '#server/engines/shared-state/contract';
import { conflict, forbidden, inLobby, notFound } from '#server/errors';
import {
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
  /** How a room is that somebody has just made. */
  access: RoomAccess;
  /** Tells other instances, which may have the agent of a room; null where nobody else has these rooms. */
  sharedState: Pick<SharedState, 'tell' | 'hear'> | null;
  onFailure(error: unknown): void;
}

const CHANGED_TOPIC = 'a room changed';

const INVITE_BYTES = 32;
const INVITE_LIFE_MS = 7 * 24 * 60 * 60_000;
const MAX_INVITES = 50;
/** Who waits in a lobby asks every few seconds; who has not for so long has gone. */
const KNOCK_LIFE_MS = 15_000;
const MAX_WAITING = 50;
/** A room that its owner has not entered for so long is anybody's again. */
const ROOM_LIFE_MS = 30 * 24 * 60 * 60_000;
const MAX_ROOMS = 500;
/** Rooms of which it is known without asking whether their agent stays. */
const MAX_KNOWN = 1_000;

/** Whose rooms are, who may come into them, and what their owners do about those who are there. */
export class RoomDoors {
  readonly #around: DoorSurroundings;
  /** Whether the agent goes on without its owner, by room. */
  readonly #stays = new Map<string, boolean>();

  constructor(around: DoorSurroundings) {
    this.#around = around;
    around.sharedState?.hear(CHANGED_TOPIC, z.string(), (roomName) => {
      if (this.#stays.has(roomName)) void this.lookUp(roomName).catch(around.onFailure);
    });
  }

  /**
   * Lets somebody in; a room that nobody has made is theirs from now on.
   * @returns as what they come; the test room has no owner and no guests
   * @throws AppError forbidden when they may not come in, lobby while its owner has not let them, conflict with too many
   *   rooms of their own
   */
  async enter(
    userId: string,
    { roomName, invite }: Pick<RoomRequest, 'roomName' | 'invite'>,
  ): Promise<'owner' | 'guest' | 'anybody'> {
    if (roomName === TEST_ROOM_NAME) return 'anybody';
    const { repository } = this.#around;
    const room = (await repository.find(roomName)) ?? (await this.#make(userId, roomName));
    this.#remember(room);
    if (room.ownerId === userId) {
      await repository.change(roomName, { usedAt: new Date() });
      return 'owner';
    }
    await this.#admit(room, userId, invite);
    return 'guest';
  }

  /** Whether the owner has put somebody out who has not been let in again since. */
  async isRemoved(roomName: string, userId: string): Promise<boolean> {
    if (!isUuid(userId)) return false;
    return (await this.#around.repository.guest(roomName, userId))?.removedAt != null;
  }

  /** Whether the agent of a room goes on while its owner is away. */
  letsAgentStay(roomName: string): boolean {
    return this.#stays.get(roomName) ?? false;
  }

  /** Looks up a room that people came back to without asking here. */
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
    const changed = await this.#around.repository.change(roomName, given);
    if (!changed) throw notFound('room');
    this.#remember(changed);
    this.#around.sharedState?.tell(CHANGED_TOPIC, roomName);
    return this.#shown(changed);
  }

  /**
   * Makes a link that lets whoever has it into the room for a week.
   * @param base the address of the page, without a slash at its end
   * @throws AppError not-found, forbidden for anybody but the owner
   */
  async invite(userId: string, roomName: string, base: string): Promise<RoomInvite> {
    await this.#owned(userId, roomName);
    const invite = randomBytes(INVITE_BYTES).toString('base64url');
    const createdAt = new Date();
    const expiresAt = new Date(createdAt.getTime() + INVITE_LIFE_MS);
    await this.#around.repository.addInvite(
      { secretHash: hashOf(invite), roomName, createdAt, expiresAt },
      MAX_INVITES,
    );
    // Behind the hash it stays out of every log on its way here.
    const url = `${base}/live-call/${encodeURIComponent(roomName)}#invite=${invite}`;
    return { invite, url, expiresAt: expiresAt.toISOString() };
  }

  /**
   * Lets in somebody who waits in the lobby.
   * @throws AppError not-found for whoever does not, forbidden for anybody but the owner
   */
  async letIn(userId: string, roomName: string, identity: string): Promise<void> {
    await this.#owned(userId, roomName);
    const { repository } = this.#around;
    const guest = isUuid(identity) ? await repository.guest(roomName, identity) : null;
    if (!guest?.knockedAt) throw notFound('participant');
    await repository.setGuest(roomName, identity, { admittedAt: new Date(), removedAt: null });
  }

  /**
   * Puts somebody out of the room, or turns them away from its lobby. Only an invitation made later lets them in again.
   * @throws AppError not-found for whoever is not there, forbidden for anybody but the owner, conflict for themselves
   */
  async remove(userId: string, roomName: string, identity: string): Promise<void> {
    await this.#owned(userId, roomName);
    const { rooms, repository } = this.#around;
    if (identity === userId) throw conflict('You cannot remove yourself from your own room.');
    if (!isUuid(identity)) throw notFound('participant');
    const there = await rooms.listParticipants(roomName);
    if (!there.some((one) => one.identity === identity) && !(await repository.guest(roomName, identity)))
      throw notFound('participant');
    await repository.setGuest(roomName, identity, {
      removedAt: new Date(),
      admittedAt: null,
      knockedAt: null,
    });
    await rooms.removeParticipant(roomName, identity);
  }

  /**
   * Mutes somebody's microphone; they may turn it on again.
   * @throws AppError not-found for whoever is not there, forbidden for anybody but the owner
   */
  async mute(userId: string, roomName: string, identity: string): Promise<void> {
    await this.#owned(userId, roomName);
    const { rooms } = this.#around;
    const there = await rooms.listParticipants(roomName);
    const participant = there.find((one) => one.identity === identity && one.kind === 'standard');
    if (!participant) throw notFound('participant');
    for (const { sid, kind, muted } of participant.tracks)
      if (kind === 'audio' && !muted) await rooms.muteTrack(roomName, identity, sid, true);
  }

  /** Ends the links into somebody's rooms, and has no agent of theirs go on in one without them. */
  async withdraw(ownerId: string): Promise<void> {
    for (const room of await this.#around.repository.withdraw(ownerId)) {
      this.#remember(room);
      this.#around.sharedState?.tell(CHANGED_TOPIC, room.name);
    }
  }

  /** Forgets rooms that their owners have not entered for a month, and links that hold no more. */
  async sweep(): Promise<void> {
    const { repository } = this.#around;
    await repository.forgetUnused(new Date(Date.now() - ROOM_LIFE_MS));
    await repository.forgetExpiredInvites(new Date());
  }

  async #make(ownerId: string, name: string): Promise<OwnedRoom> {
    const { repository, access } = this.#around;
    if ((await repository.countOwnedBy(ownerId)) >= MAX_ROOMS)
      throw conflict(`You have made ${MAX_ROOMS} rooms. Use one of them again.`);
    return repository.findOrMake({ name, ownerId, access, usedAt: new Date() });
  }

  async #admit(room: OwnedRoom, userId: string, secret: string | undefined): Promise<void> {
    const { repository } = this.#around;
    const now = new Date();
    const [guest, invitedAt] = await Promise.all([
      repository.guest(room.name, userId),
      secret === undefined ? null : repository.invitedAt(room.name, hashOf(secret), now),
    ]);
    const wasRemoved = guest?.removedAt != null;
    if (guest?.removedAt && (!invitedAt || invitedAt <= guest.removedAt))
      throw forbidden('You were removed from this room. Ask its owner for a new link.');
    if (room.access === 'invited' && !invitedAt)
      throw forbidden('This room is by invitation. Ask its owner for the link.');
    if (room.locked) throw forbidden('This room is locked. Ask its owner to open it.');
    if (room.lobby && !guest?.admittedAt) {
      await repository.setGuest(room.name, userId, { knockedAt: now });
      throw inLobby();
    }
    if (wasRemoved) await repository.setGuest(room.name, userId, { removedAt: null });
  }

  async #owned(userId: string, roomName: string): Promise<OwnedRoom> {
    const room = await this.#around.repository.find(roomName);
    if (!room) throw notFound('room');
    if (room.ownerId !== userId) throw forbidden('Only the owner of this room may do that.');
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

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex');
