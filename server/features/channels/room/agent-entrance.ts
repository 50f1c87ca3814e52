import type { ParticipantsEngine, Presence, PresenceListener } from '#server/engines/participants/contract';
import type { RoomsEngine } from '#server/engines/rooms/contract';
import { AGENT_STATE_ATTRIBUTE, type AgentMember } from '#shared/rooms';
import type { RoomAgent } from './call-record.ts';
import type { DoorMarks } from './doors/door-marks.ts';

interface EntranceSurroundings {
  rooms: RoomsEngine;
  participants: ParticipantsEngine;
  marks: DoorMarks;
  /** Names this process among those that share a LiveKit. */
  identity: string;
}

/** An agent's token opens the door at once. */
const AGENT_TOKEN_MS = 60_000;

/** How agents of this process come into rooms. */
export class AgentEntrance {
  readonly #around: EntranceSurroundings;

  constructor(around: EntranceSurroundings) {
    this.#around = around;
  }

  /**
   * Whether another process's agent is in a room: with the embedded server there is none.
   * @param isOurs no other instance can have the claim of this room: an agent of theirs is what one that has gone left
   *   behind, or that stands still, and is put out
   */
  async isTaken(roomName: string, isOurs: boolean): Promise<boolean> {
    const { rooms, marks, identity } = this.#around;
    await rooms.ready;
    if (rooms.kind === 'embedded') return false;
    const there = await rooms.listParticipants(roomName);
    const agents = there.filter((other) => other.kind === 'agent' && other.identity !== identity);
    const left = isOurs ? agents.filter((agent) => marks.isAgent(roomName, agent)) : [];
    for (const other of left) await rooms.removeParticipant(roomName, other.identity);
    return left.length < agents.length;
  }

  async hasPeople(roomName: string): Promise<boolean> {
    const there = await this.#around.rooms.listParticipants(roomName);
    return there.some(({ kind }) => kind === 'standard');
  }

  /** @throws EngineError, or the signal's reason */
  async join(
    roomName: string,
    agent: RoomAgent,
    listener: PresenceListener,
    signal: AbortSignal,
  ): Promise<Presence> {
    const { rooms, participants } = this.#around;
    const token = await this.#tokenFor(roomName, agent);
    return participants.join({ url: rooms.internalUrl, token, listener, signal });
  }

  #tokenFor(roomName: string, { profile }: RoomAgent): Promise<string> {
    const { rooms, marks, identity } = this.#around;
    const door = rooms.kind === 'embedded' ? {} : { door: marks.ofAgent(roomName, identity) };
    const member: AgentMember = { role: 'agent', company: profile.companyName, ...door };
    return rooms.token({
      room: roomName,
      identity,
      name: profile.name,
      kind: 'agent',
      metadata: JSON.stringify(member),
      attributes: { [AGENT_STATE_ATTRIBUTE]: 'initializing' },
      ttlMs: AGENT_TOKEN_MS,
      canUpdateOwnMetadata: true,
    });
  }
}
