import type { ParticipantsEngine, Presence, PresenceListener } from '#server/engines/participants/contract';
import type { RoomsEngine } from '#server/engines/rooms/contract';
import { AGENT_STATE_ATTRIBUTE, type AgentMember } from '#shared/rooms';
import type { RoomAgent } from './call-record.ts';
import type { DoorMarks } from './doors/door-marks.ts';

interface EntranceSurroundings {
  rooms: RoomsEngine;
  participants: ParticipantsEngine;
  marks: DoorMarks;
  /** Identifies this process among those that share a LiveKit. */
  identity: string;
}

/** An agent uses its token at once. */
const AGENT_TOKEN_MS = 60_000;

/** Lets agents of this process join rooms. */
export class AgentEntrance {
  readonly #around: EntranceSurroundings;

  constructor(around: EntranceSurroundings) {
    this.#around = around;
  }

  /**
   * Whether another process's agent is in a room: never with the embedded server.
   * @param isOurs no other instance can hold the claim of this room: an agent of another one is a leftover of a lost or
   *   stalled instance, and is removed
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
