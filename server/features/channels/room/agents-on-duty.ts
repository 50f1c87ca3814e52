import { v7 as uuidv7 } from 'uuid';
import type { ParticipantsEngine } from '#server/engines/participants/contract';
import type { RoomsEngine } from '#server/engines/rooms/contract';
import type { Seat, SharedState } from '#server/engines/shared-state/contract';
import { AgentEntrance } from './agent-entrance.ts';
import type { RoomAgent } from './call-record.ts';
import type { DoorMarks } from './doors/door-marks.ts';
import type { RoomLimits } from './limits.ts';
import { expectedAt, type Post, toldOf } from './post.ts';
import type { CallEnd, RoomCall } from './room-call.ts';
import { Seats } from './seats.ts';
import { RoomClaims } from './sharing/room-claims.ts';
import { type Duty, type HeldRoom, nameOf, type WantedRoom } from './sharing/wire.ts';

interface DutySurroundings {
  rooms: RoomsEngine;
  participants: ParticipantsEngine;
  /** Makes the call of an agent in a room. */
  callFor(
    roomName: string,
    agent: RoomAgent,
    identity: string,
    mayYield: () => boolean,
    onOver: (why: CallEnd) => void,
  ): RoomCall;
  /** The agent of a room. */
  agentFor(room: WantedRoom): Promise<RoomAgent>;
  /** Decides between instances which one sends the agent; null if no other instance has these rooms. */
  sharedState: SharedState | null;
  marks: DoorMarks;
  earsWaitMs(): number;
  limits: RoomLimits;
  onFailure(error: unknown): void;
}

/** Waits before an agent returns to a lost room. */
const RETURN_DELAYS_MS = [500, 2_000, 5_000, 15_000];
/** Interval of checks while another server's agent is in the room. */
const LOOK_AGAIN_MS = 15_000;

/**
 * The agents of this process in rooms: one in each, sent when a person comes, called back when all have left. If other
 * instances have these rooms, too, the holder of the room's claim sends it.
 */
export class AgentsOnDuty {
  /** Decides who may have an agent in one more room. */
  readonly forOneMore: Seats;
  readonly #around: DutySurroundings;
  readonly #posts = new Map<string, Post>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #identity = `agent-${uuidv7()}`;
  readonly #entrance: AgentEntrance;
  readonly #claims: RoomClaims | null;
  #isClosing = false;

  constructor(around: DutySurroundings) {
    this.#around = around;
    this.#entrance = new AgentEntrance({ ...around, identity: this.#identity });
    const { sharedState, limits, onFailure } = around;
    this.#claims =
      sharedState &&
      new RoomClaims({
        sharedState,
        limits,
        onFailure,
        duty: () => this.#duty(),
        expect: (roomName, users) => this.#expect(roomName, users),
        giveUp: (roomName, identity) => this.#forget(roomName, identity),
        hasPeople: (roomName) => this.#entrance.hasPeople(roomName),
        begin: (...claimed) => this.#begin(...claimed),
      });
    this.forOneMore = new Seats({
      posts: this.#posts,
      elsewhere: this.#claims?.elsewhere ?? null,
      limits,
      giveUp: (roomName, identity) => this.#giveUp(roomName, identity),
      callBackUnvisited: () => this.#callBackUnvisited(),
    });
  }

  /** This process's agent in a room, or on its way there. */
  agentIn(roomName: string): RoomAgent | null {
    return this.#posts.get(roomName)?.agent ?? null;
  }

  /** A room that has an agent of another instance. */
  heldElsewhere(roomName: string): HeldRoom | null {
    return this.#claims?.elsewhere.room(roomName) ?? null;
  }

  /** How long an utterance in a room would wait to be recognised on its instance, in milliseconds. */
  earsWaitMs(roomName: string): number {
    return this.#claims?.elsewhere.earsWaitMs(roomName) ?? this.#around.earsWaitMs();
  }

  /** Rooms that have an agent, and the people in them. */
  get seats(): { taken: number; people: number } {
    const people = [...this.#posts.values()].reduce((sum, { call }) => sum + call.people.length, 0);
    return { taken: this.#posts.size, people };
  }

  /** Rooms with an agent of this process, and the people in them. */
  get rooms(): { roomName: string; people: readonly string[] }[] {
    return [...this.#posts].map(([roomName, { call }]) => ({ roomName, people: call.people }));
  }

  /** Whether a user is, or has been, in a room that has an agent. */
  hasSeen(roomName: string, identity: string): boolean {
    if (this.#posts.get(roomName)?.call.hasSeen(identity)) return true;
    return this.heldElsewhere(roomName)?.people.includes(identity) === true;
  }

  /** Sends the agent to a room unless it has one. @param identity the admitted user */
  send(roomName: string, agent: RoomAgent, identity: string | null): void {
    if (this.#isClosing) return;
    const users = identity === null ? [] : [identity];
    const room = { roomName, agent: nameOf(agent), holder: identity, users };
    if (this.#expect(roomName, users)) this.#claims?.changed();
    else if (this.#claims) this.#claims.want(room);
    else if (this.#free <= 0) this.#around.onFailure(new Error('A room got no agent: all are in calls.'));
    else {
      this.#station(roomName, agent, { holder: identity, failures: 0, claim: null });
      this.#expect(roomName, users);
    }
  }

  /**
   * Calls all agents back; other instances send theirs to the people there. Resolves when all speech in their rooms is
   * stored.
   */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const timer of this.#timers) clearTimeout(timer);
    const posts = [...this.#posts];
    for (const [, { leave }] of posts) leave.abort(new Error('The server is closing.'));
    await Promise.all(
      posts.map(async ([roomName, post]) => {
        const room = this.#wanted(roomName, post);
        await post.call.close();
        if (room.users.length > 0) this.#claims?.leaveToOthers(room);
      }),
    );
    this.#claims?.close();
  }

  get #free(): number {
    return this.#around.limits.maxAgents - this.#posts.size;
  }

  #duty(): Duty {
    const rooms = [...this.#posts].map((post) => toldOf(...post));
    const { keptAgents } = this.#around.limits;
    return { rooms, free: this.#free, kept: keptAgents, earsWaitMs: this.#around.earsWaitMs() };
  }

  #wanted(roomName: string, post: Post): WantedRoom {
    const { people, expected, ...room } = toldOf(roomName, post);
    return { ...room, users: [...people, ...expected] };
  }

  /** @returns whether the room has an agent of this process */
  #expect(roomName: string, users: readonly string[]): boolean {
    const post = this.#posts.get(roomName);
    // A leaving agent takes no new people: once the room is free, another one is sent.
    if (!post || (post.claim && post.call.isOver)) return false;
    for (const identity of users) post.expected.set(identity, Date.now() + this.#around.limits.arrivalMs);
    if (users.length > 0) post.call.expectSomebody();
    return true;
  }

  async #begin(room: WantedRoom, failures: number, claim: Seat): Promise<boolean> {
    const { roomName, holder, users } = room;
    const found = await this.#around.agentFor(room);
    if (this.#isClosing || this.#free <= 0 || claim.lost.aborted) return false;
    const { call } = this.#station(roomName, found, { holder, failures, claim });
    // Another instance holds it by now: this one stalled, or the two lost contact.
    claim.lost.addEventListener('abort', () => void call.standDown(), { once: true });
    this.#expect(roomName, users);
    this.#claims?.changed();
    return true;
  }

  /** A user no longer comes to a room they requested. */
  #giveUp(roomName: string, identity: string): void {
    if (this.#posts.has(roomName)) this.#forget(roomName, identity);
    else this.#claims?.giveUp(roomName, identity);
  }

  /** A user is no longer expected in a room; calls back an agent sent only for them. */
  #forget(roomName: string, identity: string): void {
    const post = this.#posts.get(roomName);
    if (!post?.expected.delete(identity) && post?.holder !== identity) return;
    const isWanted = post.call.isVisited || expectedAt(post).length > 0;
    if (post.holder === identity && !isWanted) this.#callBack(roomName, post);
    this.#claims?.changed();
  }

  #callBackUnvisited(): boolean {
    const asOf = Date.now() - this.#around.limits.unvisitedMs;
    for (const [roomName, post] of this.#posts) {
      if (post.call.isVisited || post.since > asOf) continue;
      this.#callBack(roomName, post);
      return true;
    }
    return false;
  }

  #callBack(roomName: string, { call, leave }: Post): void {
    this.#posts.delete(roomName);
    leave.abort(new Error('Nobody came.'));
    void call.standDown();
  }

  #station(roomName: string, agent: RoomAgent, sent: Pick<Post, 'holder' | 'failures' | 'claim'>): Post {
    const call = this.#around.callFor(
      roomName,
      agent,
      this.#identity,
      () => !this.#isSurelyOurs(post),
      (why) => this.#dismiss(roomName, post, why),
    );
    const since = Date.now();
    const expected = new Map<string, number>();
    const post: Post = { ...sent, call, agent, since, expected, leave: new AbortController() };
    this.#posts.set(roomName, post);
    void this.#join(roomName, post);
    return post;
  }

  async #join(roomName: string, post: Post): Promise<void> {
    try {
      if (await this.#entrance.isTaken(roomName, this.#isSurelyOurs(post))) {
        if (post.claim) await post.call.standDown();
        this.#later(LOOK_AGAIN_MS, () => this.#joinIfPeople(roomName, post));
        return;
      }
      const presence = await this.#entrance.join(roomName, post.agent, post.call, post.leave.signal);
      if (post.call.isOver) return await presence.leave();
      post.failures = 0;
      post.call.begin(presence);
    } catch (error) {
      if (!this.#isClosing) this.#around.onFailure(error);
      // Reports `lost`, like a room that breaks off later.
      post.call.ended('lost');
    }
  }

  /** Whether no other instance can hold the claim of a room: it might while they have no contact. */
  #isSurelyOurs({ claim }: Post): boolean {
    return claim !== null && !claim.lost.aborted && this.#claims?.elsewhere.isKnown === true;
  }

  async #joinIfPeople(roomName: string, post: Post): Promise<void> {
    try {
      if (await this.#entrance.hasPeople(roomName))
        return post.claim ? this.#return(roomName, post, 0) : await this.#join(roomName, post);
    } catch (error) {
      this.#around.onFailure(error);
    }
    await post.call.standDown();
  }

  #dismiss(roomName: string, post: Post, why: CallEnd): void {
    if (this.#posts.get(roomName) === post) this.#posts.delete(roomName);
    post.leave.abort(new Error('The call is over.'));
    post.claim?.release();
    this.#claims?.changed();
    const delay = RETURN_DELAYS_MS[post.failures];
    if (why !== 'lost' || this.#isClosing || delay === undefined) return;
    // The people in it are on their way back, too.
    this.#later(delay, () => this.#return(roomName, post, post.failures + 1));
  }

  #return(roomName: string, post: Post, failures: number): void {
    if (this.#posts.has(roomName)) return;
    if (this.#claims) this.#claims.want(this.#wanted(roomName, post), { failures });
    else this.#station(roomName, post.agent, { holder: post.holder, failures, claim: null });
  }

  #later(ms: number, task: () => unknown): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (!this.#isClosing) void task();
    }, ms);
    this.#timers.add(timer);
  }
}
