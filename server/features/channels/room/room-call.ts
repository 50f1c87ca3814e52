import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import type {
  MemberGone,
  Presence,
  PresenceEnd,
  PresenceListener,
  RoomMemberFace,
  SpeechPosition,
} from '#server/engines/participants/contract';
import type { CallsService } from '#server/features/turns/service';
import { ROOM_CONVERSATION_TOPIC } from '#shared/rooms';
import { Ears, type Listen } from './ears.ts';
import { Greeting } from './greeting.ts';
import type { RoomLimits } from './limits.ts';
import { type Member, roleOf } from './member.ts';
import { RoomTalk, type TalkSurroundings } from './room-talk.ts';

interface RoomCallSurroundings
  extends Omit<TalkSurroundings, 'presence' | 'members' | 'isOpen' | 'mayAnswer' | 'onFarewell'> {
  calls: TalkSurroundings['calls'] & Pick<CallsService, 'welcome'>;
  listen: Listen;
  /** Whether the owner of the room lets the agent stay without them. */
  letsAgentStay(): boolean;
  /** The agent's own identity in the room. */
  identity: string;
  /** Whether another agent in the room may be the one that stays. */
  mayYield(): boolean;
  /** A person has come, or was there already. */
  onCustomer(face: RoomMemberFace): void;
  /** Ends the room, and removes everybody in it. */
  endRoom(): Promise<void>;
  limits: TalkSurroundings['limits'] & Pick<RoomLimits, 'arrivalMs' | 'returnMs' | 'recordLifeMs'>;
  /** The call is over. Called once. */
  onOver(why: CallEnd): void;
}

/** Why a call is over: everybody has left, or said goodbye, or the room is gone. */
export type CallEnd = 'everybody-left' | 'farewell' | PresenceEnd;

/** Counts from when the agent was sent: long over when a person has come and can hear. */
const WELCOME_PATIENCE_MS = 8_000;

/**
 * One live room with the agent, from its arrival until everybody has left: who is there and is listened to, when they
 * are greeted, when their records begin and end. The talk itself is `RoomTalk`.
 */
export class RoomCall implements PresenceListener {
  readonly #around: RoomCallSurroundings;
  readonly #members = new Map<string, Member>();
  readonly #seen = new Set<string>();
  readonly #greeting: Greeting;
  #presence: Presence | null = null;
  #talk: RoomTalk | null = null;
  #leaving: NodeJS.Timeout | undefined;
  #upkeep: NodeJS.Timeout | undefined;
  /** People who left and whose record is not closed yet. */
  readonly #farewells = new Map<string, Promise<void>>();
  #isOver = false;

  constructor(around: RoomCallSurroundings) {
    this.#around = around;
    this.#greeting = new Greeting({
      // Made while the agent is on its way.
      welcome: around.calls.welcome(around.agent.profile, WELCOME_PATIENCE_MS),
      isAnybodyThere: () => this.#members.size > 0,
      say: (welcome) => this.#talk?.greet(welcome),
      onFailure: around.onFailure,
    });
  }

  isIn(identity: string): boolean {
    return this.#members.has(identity);
  }

  /** The users who are in the room. */
  get people(): readonly string[] {
    return [...this.#members.keys()];
  }

  /** Whether a user is, or has been, in the room. */
  hasSeen(identity: string): boolean {
    return this.#seen.has(identity);
  }

  /** Whether anybody has ever come. */
  get isVisited(): boolean {
    return this.#seen.size > 0;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The agent is in the room. Members may have been reported before. */
  begin(presence: Presence): void {
    this.#presence = presence;
    this.#talk = new RoomTalk({
      ...this.#around,
      presence,
      members: this.#members,
      isOpen: () => this.#greeting.isDone,
      mayAnswer: () => this.#mayAnswer(),
      onFarewell: () => void this.#farewellFromAll(),
    });
    for (const member of this.#members.values()) member.entered = this.#enter(member);
    this.#upkeep = setInterval(() => void this.#around.record.renew(), this.#around.limits.recordLifeMs / 4);
    if (this.#members.size === 0) this.#leaveAfter(this.#around.limits.arrivalMs);
    this.#talk.tellState();
  }

  /** An admitted person is on their way. */
  expectSomebody(): void {
    if (this.#presence && this.#members.size === 0) this.#leaveAfter(this.#around.limits.arrivalMs);
  }

  memberJoined(face: RoomMemberFace): void {
    if (this.#isOver) return;
    // Two servers have sent one each: both keep the same one.
    if (roleOf(face) === 'agent' && face.identity < this.#around.identity && this.#around.mayYield())
      void this.#over('replaced');
    if (roleOf(face) !== 'customer' || !isUuid(face.identity)) return;
    this.#around.onCustomer(face);
    clearTimeout(this.#leaving);
    this.#talk?.joined();
    const { identity } = face;
    this.#members.get(identity)?.ears.close();
    const member: Member = {
      identity,
      name: face.name || 'Somebody',
      ears: this.#earsFor(identity, () => member),
      trackSid: null,
      isSpeaking: false,
      entered: Promise.resolve(),
      closeRecord: () => {},
      said: Promise.resolve(),
    };
    this.#members.set(identity, member);
    this.#seen.add(identity);
    if (this.#presence) member.entered = this.#enter(member);
  }

  memberLeft(identity: string, how: MemberGone): void {
    const member = this.#members.get(identity);
    if (!member) return;
    this.#members.delete(identity);
    const farewell = this.#farewell(member, how).finally(() => {
      if (this.#farewells.get(identity) === farewell) this.#farewells.delete(identity);
    });
    this.#farewells.set(identity, farewell);
    if (this.#members.size > 0) return;
    void this.#talk?.stop();
    this.#leaveAfter(how === 'left' ? 0 : this.#around.limits.returnMs);
  }

  microphoneOpened(identity: string, trackSid: string): void {
    const member = this.#members.get(identity);
    if (!member) return;
    member.trackSid = trackSid;
    member.ears.open();
  }

  microphoneClosed(identity: string): void {
    void this.#members.get(identity)?.ears.shut();
  }

  sound(identity: string, samples: Float32Array): void {
    this.#members.get(identity)?.ears.accept(samples);
  }

  audible(): void {
    this.#greeting.audible();
  }

  speechBegan(speechId: string): void {
    this.#talk?.began(speechId);
  }

  speechPlayed(position: SpeechPosition): void {
    this.#talk?.played(position);
  }

  speechEnded({ speechId }: SpeechPosition): void {
    this.#talk?.ended(speechId);
  }

  ended(why: PresenceEnd): void {
    // Only our own agent has this identity: an old connection of ours was replaced by the new one.
    void this.#over(why === 'replaced' ? 'lost' : why);
  }

  /** Leaves the room to another server's agent. */
  async standDown(): Promise<void> {
    await this.#over('replaced');
  }

  /** Leaves; records stay open for people who return soon. Resolves when everything is stored. Never rejects. */
  async close(): Promise<void> {
    await this.#over('lost');
  }

  /** An agent answers while its owner is there, or lets it stay. The demo agent is everybody's. */
  #mayAnswer(): boolean {
    const { agent, letsAgentStay } = this.#around;
    return agent.ownerId === null || this.#members.has(agent.ownerId) || letsAgentStay();
  }

  async #enter(member: Member): Promise<void> {
    const { record, onFailure } = this.#around;
    clearTimeout(this.#leaving);
    let isBack = false;
    try {
      await this.#farewells.get(member.identity);
      if (this.#members.get(member.identity) !== member) return;
      const { open, goesOn } = await record.enter(member.identity, member.name);
      const { conversationId } = open;
      if (this.#members.get(member.identity) === member)
        member.closeRecord = this.#talk?.opened(member, open) ?? member.closeRecord;
      this.#presence?.tell(member.identity, ROOM_CONVERSATION_TOPIC, JSON.stringify({ conversationId }));
      isBack = goesOn;
    } catch (error) {
      onFailure(error);
    }
    this.#greeting.arrived(isBack);
    this.#talk?.tellState();
  }

  async #farewell(member: Member, how: MemberGone): Promise<void> {
    const stored = this.#talk?.left(member);
    await member.ears.shut();
    await member.said;
    await stored;
    await this.#around.record.leave(member.identity, how === 'left' ? 'left' : 'lost');
  }

  /** The agent hangs up; with only one person in it, the room ends with the call. */
  async #farewellFromAll(): Promise<void> {
    const isTheirs = this.#members.size === 1;
    await this.#over('farewell');
    if (isTheirs) await this.#around.endRoom().catch((error: unknown) => this.#around.onFailure(error));
  }

  #earsFor(identity: string, whose: () => Member): Ears {
    const isHere = () => this.#members.get(identity) === whose();
    const told = () => (isHere() ? this.#talk?.hears(whose()) : undefined);
    return new Ears(this.#around.listen, `${identity}-${uuidv7().slice(-8)}`, {
      speaking: (isSpeaking) => told()?.speaking(isSpeaking),
      hold: () => told()?.hold(),
      release: () => told()?.release(),
      interrupt: () => told()?.interrupt(),
      candidate: (text) => told()?.candidate(text),
      utterance: (utterance) => {
        const member = whose();
        member.said = Promise.all([member.said, this.#talk?.said(member, isHere(), utterance)]);
      },
      caption: (...caption) => told()?.caption(...caption),
      failed: (message) => told()?.failed(message),
    });
  }

  #leaveAfter(ms: number): void {
    clearTimeout(this.#leaving);
    this.#leaving = setTimeout(() => {
      if (this.#members.size === 0) void this.#over('everybody-left');
    }, ms);
  }

  async #over(why: CallEnd): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const timer of [this.#upkeep, this.#leaving]) clearTimeout(timer);
    this.#greeting.close();
    this.#talk?.close();
    const members = [...this.#members.values()];
    this.#members.clear();
    for (const { ears, closeRecord } of members) {
      ears.close();
      closeRecord();
    }
    const how = why === 'room-deleted' || why === 'farewell' ? 'left' : 'lost';
    await this.#talk?.stop();
    await Promise.all(this.#farewells.values());
    // Includes words said at the moment of arrival.
    await Promise.all(members.map(({ entered }) => entered));
    await this.#talk?.settled();
    await Promise.all(members.map(({ identity }) => this.#around.record.leave(identity, how)));
    await this.#around.record.settled();
    await this.#presence?.leave();
    this.#around.onOver(why);
  }
}
