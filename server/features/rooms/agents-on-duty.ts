import { v7 as uuidv7 } from 'uuid';
import type { ParticipantsEngine, PresenceEnd } from '#server/engines/participants/contract';
import type { RoomsEngine } from '#server/engines/rooms/contract';
import { unavailable } from '#server/errors';
import type { AgentMember } from '#shared/rooms';
import { AGENT_STATE_ATTRIBUTE } from '#shared/rooms';
import type { RoomAgent } from './call-record.ts';
import type { RoomLimits } from './limits.ts';
import type { RoomCall } from './room-call.ts';

interface DutySurroundings {
  rooms: RoomsEngine;
  participants: ParticipantsEngine;
  /** Makes the call that an agent is to hold in a room. */
  callFor(
    roomName: string,
    agent: RoomAgent,
    identity: string,
    onOver: (why: 'everybody-left' | PresenceEnd) => void,
  ): RoomCall;
  limits: RoomLimits;
  onFailure(error: unknown): void;
}

interface Post {
  call: RoomCall;
  agent: RoomAgent;
  /** For whom the agent was sent; null: for people who were there already. */
  holder: string | null;
  since: number;
  /** Users who were let in, and until when they may be on their way. */
  expected: Map<string, number>;
  leave: AbortController;
  /** How often in a row the room was lost or could not be reached. */
  failures: number;
}

/** An agent's token opens the door at once. */
const AGENT_TOKEN_MS = 60_000;
/** Waits before an agent comes back to a room it has lost. */
const RETURN_DELAYS_MS = [500, 2_000, 5_000, 15_000];
/** Another server's agent is in the room: looked again whether it still is. */
const LOOK_AGAIN_MS = 15_000;

/** The agents of this process in rooms: one in each, sent when somebody comes, back when everybody has left. */
export class AgentsOnDuty {
  readonly #around: DutySurroundings;
  readonly #posts = new Map<string, Post>();
  readonly #timers = new Set<NodeJS.Timeout>();
  /** Names this process among those that share a LiveKit. */
  readonly #identity = `agent-${uuidv7()}`;
  #isClosing = false;

  constructor(around: DutySurroundings) {
    this.#around = around;
  }

  /** The agent who is in a room, or on its way there. */
  agentIn(roomName: string): RoomAgent | null {
    return this.#posts.get(roomName)?.agent ?? null;
  }

  /** Rooms that have an agent, and the people in them. */
  get seats(): { taken: number; people: number } {
    const people = [...this.#posts.values()].reduce((sum, { call }) => sum + call.people, 0);
    return { taken: this.#posts.size, people };
  }

  /** The rooms that a user is in. */
  roomsOf(userId: string): string[] {
    return [...this.#posts].flatMap(([roomName, { call }]) => (call.isIn(userId) ? [roomName] : []));
  }

  /** Whether a user is, or has been, in a room that has an agent. */
  hasSeen(roomName: string, userId: string): boolean {
    return this.#posts.get(roomName)?.call.hasSeen(userId) === true;
  }

  /** In how many other rooms a user is, or is expected. */
  otherRoomsOf(userId: string, roomName: string): number {
    const now = Date.now();
    return [...this.#posts].filter(
      ([name, { call, expected }]) =>
        name !== roomName &&
        (call.isIn(userId) || (!call.hasSeen(userId) && (expected.get(userId) ?? 0) > now)),
    ).length;
  }

  /**
   * Sees that a room can have an agent: the last ones are for accounts that have none, who get one back from a room that
   * nobody came to.
   * @throws AppError unavailable when there is none for this account
   */
  refuseWithoutAgent(roomName: string, userId: string): void {
    if (this.#posts.has(roomName)) return;
    const { maxAgents, keptAgents } = this.#around.limits;
    const free = maxAgents - this.#posts.size;
    const hasOne = [...this.#posts.values()].some(({ holder }) => holder === userId);
    if (hasOne && free <= keptAgents)
      throw unavailable('Nearly all agents are in calls. Leave your other room first, or try again later.');
    if (free > 0 || this.#callBackUnvisited()) return;
    throw unavailable('All agents are in calls at the moment. Please try again in a few minutes.');
  }

  /** Sends the agent to a room unless one is there. @param userId who was let in */
  send(roomName: string, agent: RoomAgent, userId: string | null): void {
    if (this.#isClosing) return;
    const known = this.#posts.get(roomName);
    if (!known && this.#posts.size >= this.#around.limits.maxAgents) {
      this.#around.onFailure(new Error('A room got no agent: all are in calls.'));
      return;
    }
    const post = known ?? this.#station(roomName, agent, userId, 0);
    if (userId !== null) post.expected.set(userId, Date.now() + this.#around.limits.arrivalMs);
    if (known) post.call.expectSomebody();
  }

  /** Calls every agent back. Resolves when everything said in their rooms is stored. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const timer of this.#timers) clearTimeout(timer);
    const posts = [...this.#posts.values()];
    for (const { leave } of posts) leave.abort(new Error('The server is closing.'));
    await Promise.all(posts.map(({ call }) => call.close()));
  }

  #callBackUnvisited(): boolean {
    const asOf = Date.now() - this.#around.limits.unvisitedMs;
    for (const [roomName, { call, since, leave }] of this.#posts) {
      if (call.isVisited || since > asOf) continue;
      this.#posts.delete(roomName);
      leave.abort(new Error('Nobody came.'));
      void call.standDown();
      return true;
    }
    return false;
  }

  #station(roomName: string, agent: RoomAgent, holder: string | null, failures: number): Post {
    const call = this.#around.callFor(roomName, agent, this.#identity, (why) =>
      this.#dismiss(roomName, post, why),
    );
    const since = Date.now();
    const expected = new Map<string, number>();
    const post: Post = { call, agent, holder, since, expected, leave: new AbortController(), failures };
    this.#posts.set(roomName, post);
    void this.#join(roomName, post);
    return post;
  }

  async #join(roomName: string, post: Post): Promise<void> {
    const { rooms, participants, onFailure } = this.#around;
    const { signal } = post.leave;
    try {
      await rooms.ready;
      if (await this.#isAttended(roomName)) {
        this.#later(LOOK_AGAIN_MS, () => this.#joinIfPeople(roomName, post));
        return;
      }
      const presence = await participants.join({
        url: rooms.internalUrl,
        token: await this.#tokenFor(roomName, post.agent),
        listener: post.call,
        signal,
      });
      if (post.call.isOver) return await presence.leave();
      post.failures = 0;
      post.call.begin(presence);
    } catch (error) {
      if (!this.#isClosing) onFailure(error);
      // It tells `lost`, as a room does that breaks off later.
      post.call.ended('lost');
    }
  }

  /** Another process's agent: with the embedded server there is none. */
  async #isAttended(roomName: string): Promise<boolean> {
    const { rooms } = this.#around;
    if (rooms.kind === 'embedded') return false;
    const there = await rooms.listParticipants(roomName);
    return there.some(({ kind, identity }) => kind === 'agent' && identity !== this.#identity);
  }

  async #joinIfPeople(roomName: string, post: Post): Promise<void> {
    const { rooms, onFailure } = this.#around;
    try {
      const there = await rooms.listParticipants(roomName);
      if (there.some(({ kind }) => kind === 'standard')) return await this.#join(roomName, post);
    } catch (error) {
      onFailure(error);
    }
    await post.call.standDown();
  }

  #tokenFor(roomName: string, { profile }: RoomAgent): Promise<string> {
    const member: AgentMember = { role: 'agent', company: profile.companyName };
    return this.#around.rooms.token({
      room: roomName,
      identity: this.#identity,
      name: profile.name,
      kind: 'agent',
      metadata: JSON.stringify(member),
      attributes: { [AGENT_STATE_ATTRIBUTE]: 'initializing' },
      ttlMs: AGENT_TOKEN_MS,
      canUpdateOwnMetadata: true,
    });
  }

  #dismiss(roomName: string, post: Post, why: 'everybody-left' | PresenceEnd): void {
    if (this.#posts.get(roomName) === post) this.#posts.delete(roomName);
    post.leave.abort(new Error('The call is over.'));
    const delay = RETURN_DELAYS_MS[post.failures];
    if (why !== 'lost' || this.#isClosing || delay === undefined) return;
    // The people in it are on their way back, too.
    this.#later(delay, () => {
      if (!this.#posts.has(roomName)) this.#station(roomName, post.agent, post.holder, post.failures + 1);
    });
  }

  #later(ms: number, task: () => unknown): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (!this.#isClosing) void task();
    }, ms);
    this.#timers.add(timer);
  }
}
