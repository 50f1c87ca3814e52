import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import type { SpokenUtterance } from '#server/dialogue/turn-taking/contract';
import type {
  MemberGone,
  Presence,
  PresenceEnd,
  PresenceListener,
  RoomMemberFace,
  SpeechPosition,
} from '#server/engines/participants/contract';
import type { CallsService, Welcome } from '#server/features/calls/service';
import type { Meant, Rooms } from '#server/languages/contract';
import { packOf } from '#server/languages/index';
import { type AgentState, ROOM_CONVERSATION_TOPIC, roomMemberSchema } from '#shared/rooms';
import { AgentStatus } from './agent-status.ts';
import { AgentVoice } from './agent-voice.ts';
import { Answers, type Spoken } from './answers.ts';
import type { CallRecord, RoomAgent } from './call-record.ts';
import { Ears, type Listen } from './ears.ts';
import type { RoomLimits } from './limits.ts';
import { OpenQuestion } from './open-question.ts';

export interface RoomCallSurroundings {
  calls: Pick<
    CallsService,
    'welcome' | 'takeTurn' | 'note' | 'anticipate' | 'dismiss' | 'interrupt' | 'yieldFloor' | 'leave'
  >;
  listen: Listen;
  record: CallRecord;
  agent: RoomAgent;
  /** The agent's own identity in the room. */
  identity: string;
  /** What stands in the way of hearing or speaking, in one sentence; null when all is well. */
  trouble(): string | null;
  limits: Pick<RoomLimits, 'unansweredMs' | 'arrivalMs' | 'returnMs' | 'recordLifeMs'>;
  onFailure(error: unknown): void;
  /** The call is over: everybody has left, or the room is gone. Called once. */
  onOver(why: 'everybody-left' | PresenceEnd): void;
}

interface Member {
  /** Identity in the room and the user's id: tokens say nothing else. */
  userId: string;
  name: string;
  ears: Ears;
  trackSid: string | null;
  isSpeaking: boolean;
  /** Whether they took back what they asked, before a word of the answer was heard: what follows goes on with it. */
  hasTakenBack: Promise<boolean>;
  /** Their record is open. */
  entered: Promise<void>;
}

/** What the agent said last, for whoever goes on with it. */
interface LastWords {
  to: string | null;
  text: string;
  at: number;
}

const nothingTakenBack = Promise.resolve(false);

const HEARING_RATE = 16_000;
/** What is said so soon after the agent spoke may be an answer to it. */
const GOES_ON_WITHIN_MS = 12_000;
/** Where nobody tells that the voice has a listener, it begins all the same. */
const AUDIBLE_AFTER_MS = 3_000;
/** Counts from when the agent was sent: long over when somebody has come and can hear. */
const WELCOME_PATIENCE_MS = 8_000;

/**
 * One live room with the agent in it, from the agent's arrival until everybody has left: who is there, what they say and
 * to whom, when the agent answers and when it is silent. How it gets sound in and out is not known here.
 */
export class RoomCall implements PresenceListener {
  readonly #around: RoomCallSurroundings;
  readonly #members = new Map<string, Member>();
  readonly #seen = new Set<string>();
  readonly #welcome: Promise<Welcome>;
  #presence: Presence | null = null;
  #voice: AgentVoice | null = null;
  #answers: Answers | null = null;
  #status: AgentStatus | null = null;
  #isAudible = false;
  #greeting: 'open' | 'due' | 'saying' | 'done' = 'open';
  readonly #question: OpenQuestion;
  #lastWords: LastWords | null = null;
  #leaving: NodeJS.Timeout | undefined;
  #audible: NodeJS.Timeout | undefined;
  #upkeep: NodeJS.Timeout | undefined;
  /** What was said and is not stored yet. */
  #storing: Promise<void> = Promise.resolve();
  /** People who left and whose record is not closed yet. */
  readonly #farewells = new Map<string, Promise<void>>();
  #isOver = false;

  constructor(around: RoomCallSurroundings) {
    this.#around = around;
    this.#question = new OpenQuestion(
      around.limits.unansweredMs,
      () => ![...this.#members.values()].some(({ isSpeaking }) => isSpeaking),
      (question) => this.#takeUp(question),
    );
    // Made while the agent is on its way.
    this.#welcome = around.calls.welcome(around.agent.profile, WELCOME_PATIENCE_MS);
  }

  /** How people talk among themselves and with the agent, in its language. */
  get #talk(): Rooms {
    return packOf(this.#around.agent.profile.language).rooms;
  }

  isIn(userId: string): boolean {
    return this.#members.has(userId);
  }

  /** Whether a user is, or has been, in the room. */
  hasSeen(userId: string): boolean {
    return this.#seen.has(userId);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The agent is in the room. Members may have been told before. */
  begin(presence: Presence): void {
    this.#presence = presence;
    this.#status = new AgentStatus(presence, this.#around.trouble);
    this.#voice = new AgentVoice(presence, {
      says: (text) => this.#everyEar((ears) => ears.agentSays(text)),
      shows: (text) => this.#everyEar((ears) => ears.agentShows(text)),
      caption: (segmentId, text, isFinal) => presence.caption({ segmentId, text, isFinal }),
      ended: (speechId) => this.#answers?.spoken(speechId),
    });
    this.#answers = new Answers({
      ...this.#around,
      agent: this.#around.agent.profile,
      voice: this.#voice,
      mayBegin: () => this.#holdForSpeakers(),
      onState: () => this.#tellState(),
      onAnswered: (askerId, text) => this.#agentSaid(askerId, text),
      onTrouble: (sentence) => {
        this.#everyEar((ears) => ears.noReplyComes());
        this.#complain(sentence);
      },
    });
    for (const member of this.#members.values()) member.entered = this.#enter(member);
    this.#upkeep = setInterval(() => void this.#around.record.renew(), this.#around.limits.recordLifeMs / 4);
    if (this.#members.size === 0) this.#leaveAfter(this.#around.limits.arrivalMs);
    this.#tellState();
  }

  /** Somebody was let in and is on their way. */
  expectSomebody(): void {
    if (this.#presence && this.#members.size === 0) this.#leaveAfter(this.#around.limits.arrivalMs);
  }

  memberJoined(face: RoomMemberFace): void {
    if (this.#isOver) return;
    // Two servers have sent one each: the same one of them stays, seen from both.
    if (roleOf(face) === 'agent' && face.identity < this.#around.identity) void this.#over('replaced');
    if (roleOf(face) !== 'customer' || !isUuid(face.identity)) return;
    clearTimeout(this.#leaving);
    // With one more person in the room it is open again who speaks to whom.
    this.#lastWords = null;
    const { identity: userId } = face;
    this.#members.get(userId)?.ears.close();
    const ears = this.#earsFor(userId);
    const member: Member = {
      userId,
      name: face.name || 'Somebody',
      ears,
      trackSid: null,
      isSpeaking: false,
      hasTakenBack: nothingTakenBack,
      entered: Promise.resolve(),
    };
    this.#members.set(userId, member);
    this.#seen.add(userId);
    if (this.#presence) member.entered = this.#enter(member);
  }

  memberLeft(userId: string, how: MemberGone): void {
    const member = this.#members.get(userId);
    if (!member) return;
    this.#members.delete(userId);
    this.#speaks(member, false);
    this.#voice?.release(userId);
    if (this.#question.current?.askerId === userId) this.#question.set(null);
    const farewell = this.#farewell(member, how).finally(() => {
      if (this.#farewells.get(userId) === farewell) this.#farewells.delete(userId);
    });
    this.#farewells.set(userId, farewell);
    if (this.#members.size > 0) return;
    void this.#answers?.callOff();
    this.#leaveAfter(how === 'left' ? 0 : this.#around.limits.returnMs);
  }

  microphoneOpened(userId: string, trackSid: string): void {
    const member = this.#members.get(userId);
    if (!member) return;
    member.trackSid = trackSid;
    member.ears.open();
  }

  microphoneClosed(userId: string): void {
    void this.#members.get(userId)?.ears.shut();
  }

  sound(userId: string, samples: Float32Array): void {
    this.#members.get(userId)?.ears.accept(samples);
  }

  audible(): void {
    this.#isAudible = true;
    this.#greet();
  }

  speechBegan(speechId: string): void {
    this.#voice?.began(speechId);
    this.#tellState();
  }

  speechHeard(position: SpeechPosition): void {
    this.#voice?.heard(position);
  }

  speechEnded({ speechId }: SpeechPosition): void {
    this.#voice?.ended(speechId);
    this.#tellState();
  }

  ended(why: PresenceEnd): void {
    // Nobody else has this identity: it was a connection of our own that came back while the old one was still there.
    void this.#over(why === 'replaced' ? 'lost' : why);
  }

  /** Leaves the room to another server's agent. */
  async standDown(): Promise<void> {
    await this.#over('replaced');
  }

  /** Leaves; records stay open for whoever comes back soon. Resolves when everything is stored. Never rejects. */
  async close(): Promise<void> {
    await this.#over('lost');
  }

  async #enter(member: Member): Promise<void> {
    const { record, onFailure } = this.#around;
    clearTimeout(this.#leaving);
    try {
      await this.#farewells.get(member.userId);
      if (this.#members.get(member.userId) !== member) return;
      const { conversationId, goesOn } = await record.enter(member.userId, member.name);
      this.#presence?.tell(member.userId, ROOM_CONVERSATION_TOPIC, JSON.stringify({ conversationId }));
      if (goesOn && this.#greeting === 'open') {
        this.#greeting = 'done';
        this.#tellState();
      }
    } catch (error) {
      onFailure(error);
    }
    if (this.#greeting === 'open') this.#greeting = 'due';
    if (!this.#isAudible && this.#greeting === 'due')
      this.#audible ??= setTimeout(() => this.audible(), AUDIBLE_AFTER_MS);
    this.#greet();
  }

  async #farewell(member: Member, how: MemberGone): Promise<void> {
    await member.ears.shut();
    await this.#storing;
    await this.#answers?.forget(member.userId);
    await this.#around.record.leave(member.userId, how === 'left' ? 'left' : 'lost');
  }

  /** Once, to the first person, when both are there and can hear. */
  #greet(): void {
    if (this.#greeting !== 'due' || !this.#isAudible || this.#members.size === 0) return;
    this.#greeting = 'saying';
    void this.#welcome.then(
      ({ text, speech }) => {
        this.#greeting = 'done';
        if (this.#isOver || this.#members.size === 0) return;
        const responseId = uuidv7();
        this.#around.record.agentSpoke(responseId, text, speech);
        this.#answers?.speak(responseId, text, speech);
        this.#agentSaid(null, text);
        this.#tellState();
      },
      (error: unknown) => this.#around.onFailure(error),
    );
  }

  #earsFor(userId: string): Ears {
    const ifHere = (act: (member: Member) => void) => {
      const member = this.#members.get(userId);
      if (member?.ears === ears) act(member);
    };
    const ears: Ears = new Ears(this.#around.listen, `${userId}-${uuidv7().slice(-8)}`, {
      speaking: (isSpeaking) => ifHere((member) => this.#speaks(member, isSpeaking)),
      hold: () => ifHere(() => this.#voice?.hold(userId)),
      release: () => ifHere(() => this.#voice?.release(userId)),
      interrupt: () => ifHere((member) => this.#interrupted(member)),
      candidate: (text) => ifHere((member) => this.#thinkAhead(member, text)),
      utterance: (utterance) => this.#said(userId, utterance),
      caption: (segmentId, text, isFinal) =>
        ifHere(({ trackSid }) => {
          const speaker = { identity: userId, trackSid: trackSid ?? '' };
          this.#presence?.caption({ segmentId, text, isFinal, speaker });
        }),
      failed: (message) => this.#complain(message),
    });
    return ears;
  }

  #speaks(member: Member, isSpeaking: boolean): void {
    member.isSpeaking = isSpeaking;
    if (isSpeaking) this.#question.hold();
    else {
      this.#voice?.release(`waits for ${member.userId}`);
      this.#question.wait();
    }
  }

  /** Nobody is talked over: an answer that has not begun waits for whoever speaks. */
  #holdForSpeakers(): void {
    for (const { userId, isSpeaking } of this.#members.values())
      if (isSpeaking) this.#voice?.hold(`waits for ${userId}`);
  }

  #interrupted(member: Member): void {
    this.#question.set(null);
    const stopping = this.#answers?.interrupt(member.userId);
    // The voice has nothing to say until the answer to what is being said now.
    this.#voice?.release(member.userId);
    member.hasTakenBack = Promise.resolve(stopping).then((stopped) => stopped === 'unheard');
    this.#tellState();
  }

  #thinkAhead(member: Member, text: string): void {
    if (this.#isFor(member, text) !== 'answer') return;
    void member.hasTakenBack.then((goesOn) => this.#answers?.thinkAhead(member.userId, text, goesOn));
  }

  #said(userId: string, { text, samples, continues }: SpokenUtterance): void {
    const member = this.#members.get(userId);
    const meant = member ? this.#isFor(member, text) : 'stay-silent';
    const takenBack = (continues && member?.hasTakenBack) || nothingTakenBack;
    if (member) member.hasTakenBack = nothingTakenBack;
    const question: Spoken = {
      askerId: userId,
      saidAs: uuidv7(),
      text,
      goesOn: false,
      keepVoice: (conversationId, id) =>
        this.#around.record.keepVoice(userId, { id, conversationId }, samples, HEARING_RATE),
    };
    this.#question.set(this.#stillOpen(question, meant));
    if (meant !== 'answer') {
      this.#lastWords = null;
      member?.ears.noReplyComes();
    }
    // One after the other, so that every record has it in the order in which it was said.
    this.#storing = this.#storing.then(async () => {
      try {
        await member?.entered;
        if (meant === 'answer') await this.#answers?.answer({ ...question, goesOn: await takenBack });
        else await this.#answers?.note(question);
      } catch (error) {
        this.#around.onFailure(error);
        this.#complain('What was said could not be kept. Please say it again in a moment.');
      }
    });
  }

  #isFor(member: Member, text: string): Meant {
    const others = [...this.#members.values()].filter((other) => other !== member);
    return this.#talk.whoIsMeant({
      text,
      agentName: this.#around.agent.profile.name,
      otherNames: others.map(({ name }) => name),
      agentJustSaid: this.#justSaidTo(member.userId),
    });
  }

  #justSaidTo(userId: string): string | null {
    const last = this.#lastWords;
    if (!last || (last.to !== null && last.to !== userId)) return null;
    return Date.now() - last.at < GOES_ON_WITHIN_MS ? last.text : null;
  }

  #agentSaid(to: string | null, text: string): void {
    this.#lastWords = { to, text, at: Date.now() };
  }

  /** The question that nobody has taken up, now that this was said. */
  #stillOpen(said: Spoken, meant: Meant): Spoken | null {
    if (meant === 'if-unanswered') return said;
    const before = this.#question.current;
    const isLeftOpen =
      meant === 'stay-silent' && before?.askerId !== said.askerId && this.#talk.leavesItOpen(said.text);
    return isLeftOpen ? before : null;
  }

  #takeUp(question: Spoken): void {
    this.#answers
      // It is stored, and its voice is kept.
      ?.answer({ ...question, keepVoice: () => {} })
      .catch((error: unknown) => this.#around.onFailure(error));
  }

  #tellState(): void {
    const state = this.#currentState();
    const isNews = this.#status?.is(state);
    if (isNews && state === 'listening' && this.#lastWords) this.#lastWords.at = Date.now();
  }

  #currentState(): AgentState {
    if (this.#voice?.hasBegun) return 'speaking';
    if (this.#answers?.isThinking) return 'thinking';
    // Whoever comes in first is greeted before it is their turn.
    return this.#greeting === 'done' && !this.#answers?.isIntroducing ? 'listening' : 'initializing';
  }

  #complain(text: string): void {
    this.#status?.complain(text);
  }

  #everyEar(tell: (ears: Ears) => void): void {
    for (const { ears } of this.#members.values()) tell(ears);
  }

  #leaveAfter(ms: number): void {
    clearTimeout(this.#leaving);
    this.#leaving = setTimeout(() => {
      if (this.#members.size === 0) void this.#over('everybody-left');
    }, ms);
  }

  async #over(why: 'everybody-left' | PresenceEnd): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const timer of [this.#upkeep, this.#leaving, this.#audible]) clearTimeout(timer);
    this.#question.set(null);
    this.#status?.close();
    const members = [...this.#members.values()];
    this.#members.clear();
    for (const { ears } of members) ears.close();
    const how = why === 'room-deleted' ? 'left' : 'lost';
    await this.#answers?.callOff();
    await this.#storing;
    await Promise.all(this.#farewells.values());
    await Promise.all(members.map(({ userId }) => this.#around.record.leave(userId, how)));
    await this.#around.record.settled();
    await this.#presence?.leave();
    this.#around.onOver(why);
  }
}

/**
 * Only this server's tokens say who somebody is: participants of other programs on the same LiveKit are neither heard nor
 * written down.
 */
function roleOf({ metadata, isAgent }: RoomMemberFace): 'customer' | 'agent' | null {
  try {
    const role = roomMemberSchema.safeParse(JSON.parse(metadata)).data?.role ?? null;
    return (role === 'agent') === isAgent ? role : null;
  } catch {
    return null;
  }
}
