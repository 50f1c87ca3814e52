import { v7 as uuidv7 } from 'uuid';
import type { Presence, SpeechPosition } from '#server/engines/participants/contract';
import { Floor } from '#server/features/floor/floor';
import { Silence, type SilenceLimits } from '#server/features/floor/silence';
import type { CallsService, Welcome } from '#server/features/turns/service';
import type { Meant } from '#server/languages/contract';
import type { SpokenUtterance } from '#server/listening/contract';
import { askedAloud } from '#server/telemetry/timeline';
import type { AgentState } from '#shared/rooms';
import { Addressing } from './addressing.ts';
import { AgentStatus } from './agent-status.ts';
import { Answers, type Spoken } from './answers.ts';
import type { CallRecord, OpenRecord, RoomAgent } from './call-record.ts';
import type { EarsListener } from './ears.ts';
import type { RoomLimits } from './limits.ts';
import type { Member } from './member.ts';
import { RoomLoudspeaker } from './room-loudspeaker.ts';

export interface TalkSurroundings {
  calls: Pick<
    CallsService,
    'takeTurn' | 'note' | 'think' | 'stopThinking' | 'stop' | 'stillThere' | 'attend' | 'leave'
  >;
  record: CallRecord;
  agent: RoomAgent;
  presence: Presence;
  /** The people in the room. */
  members: ReadonlyMap<string, Member>;
  /** Whether people may speak: the agent has greeted them. */
  isOpen(): boolean;
  /** Whether the agent may answer; otherwise it only listens. */
  mayAnswer(): boolean;
  /** The current problem of ears or voice, in one sentence; null without one. */
  trouble(): string | null;
  limits: Pick<RoomLimits, 'unansweredMs'> & SilenceLimits;
  /** Both the agent and people have said goodbye. */
  onFarewell(): void;
  onFailure(error: unknown): void;
}

const HEARING_RATE = 16_000;
const listensOnly = (name: string) => `${name} only listens: it answers while its owner is in the room.`;

/** The talk of people and the agent in one room, and the agent's visible state. */
export class RoomTalk {
  readonly #around: TalkSurroundings;
  readonly #addressing: Addressing;
  readonly #answers: Answers;
  readonly #loudspeaker: RoomLoudspeaker;
  readonly #floor: Floor<Spoken>;
  readonly #status: AgentStatus;
  readonly #silence: Silence;

  constructor(around: TalkSurroundings) {
    const { presence, members, agent, limits, onFailure } = around;
    this.#around = around;
    this.#status = new AgentStatus(
      presence,
      () => around.trouble() ?? (around.mayAnswer() ? null : listensOnly(agent.profile.name)),
    );
    this.#loudspeaker = new RoomLoudspeaker(presence);
    this.#addressing = new Addressing({
      agent: agent.profile,
      unansweredMs: limits.unansweredMs,
      otherNames: (identity) =>
        [...members.values()].filter((other) => other.identity !== identity).map(({ name }) => name),
      isQuiet: () => !this.#isSpoken,
      // The question is stored already, and its audio, too.
      onUnanswered: (question) => {
        if (around.mayAnswer()) void this.#kept(this.#floor.take({ ...question, keepVoice() {} }));
      },
    });
    const answers = new Answers({
      ...around,
      agent: agent.profile,
      onSentence: (sentence) => this.#floor.sentence(sentence),
      onAnswered: (to, text) => this.#addressing.agentSaid(to, text),
      onReplied: (leavesTo) => this.#silence.answered(leavesTo),
      onTrouble: (sentence) => this.#status.complain(sentence),
    });
    this.#answers = answers;
    this.#silence = new Silence({
      limits,
      isQuiet: () => this.#isQuiet,
      ask: () => this.#askWhetherThere(),
      end: () => around.onFarewell(),
    });
    this.#floor = new Floor<Spoken>({
      loudspeaker: this.#loudspeaker,
      oneAtATime: true,
      take: (spoken) => answers.take(spoken),
      note: (spoken) => answers.note(spoken),
      think: (candidate) => answers.think(candidate),
      stopThinking: (candidate) => answers.stopThinking(candidate),
      stop: (...reply) => answers.stop(...reply),
      agentSays: (...said) => {
        for (const { ears } of members.values()) ears.agentSays(...said);
      },
      changed: () => this.tellState(),
      onFailure,
    });
  }

  /** The events of a person's ears. */
  hears(member: Member): Omit<EarsListener, 'utterance'> {
    const { identity } = member;
    return {
      speaking: (isSpeaking) => this.speaks(member, isSpeaking),
      hold: () => this.#floor.hold(identity),
      release: () => {
        this.#floor.release(identity);
        this.#silence.stir();
      },
      interrupt: () => {
        this.#addressing.interrupted();
        this.#floor.interrupt(identity);
      },
      candidate: (text) => {
        if (this.#meant(identity, text) === 'answer') this.#floor.mayBeDone(identity, text);
      },
      caption: (segmentId, text, isFinal) => {
        if (!isFinal) this.#floor.spokeOn(identity, text);
        const speaker = { identity, trackSid: member.trackSid ?? '' };
        this.#around.presence.caption({ segmentId, text, isFinal, speaker });
      },
      failed: (message) => this.#status.complain(message),
    };
  }

  speaks(member: Member, isSpeaking: boolean): void {
    member.isSpeaking = isSpeaking;
    if (isSpeaking) this.#addressing.speech();
    else this.#addressing.quiet();
    this.#floor.speaks(member.identity, isSpeaking);
    this.#silence.stir();
  }

  /** A person has said this. @param isHere false: they have just left. @returns when it is stored, or storing failed */
  async said(
    { identity, entered, ears }: Member,
    isHere: boolean,
    utterance: SpokenUtterance,
  ): Promise<void> {
    const { text, samples, continues } = utterance;
    const meant = isHere ? this.#meant(identity, text) : 'stay-silent';
    const spoken: Spoken = {
      by: identity,
      saidAs: uuidv7(),
      text,
      goesOn: continues && this.#floor.goesOn(identity),
      asked: askedAloud(utterance),
      entered: isHere ? entered : null,
      keepVoice: (record, messageId) =>
        this.#around.record.keepVoice(record, messageId, samples, HEARING_RATE),
    };
    this.#addressing.said(spoken, meant);
    this.#silence.spoke();
    // No reply comes.
    if (meant !== 'answer' && this.#floor.state !== 'speaking') ears.agentSays(null);
    await this.#kept(meant === 'answer' ? this.#floor.take(spoken) : this.#answers.note(spoken));
  }

  joined(): void {
    this.#addressing.joined();
  }

  /** A person's record is open: its unasked words are played in the room. @returns a function that stops this */
  opened(member: Member, record: OpenRecord): () => void {
    const { calls } = this.#around;
    const attendant = this.#answers.attendant(member.identity, record);
    calls.attend(record.conversationId, attendant, true);
    return () => calls.leave(attendant.id);
  }

  /**
   * A person has left: none of their utterances is answered any more. Resolves when all their words and replies are
   * stored.
   */
  async left(member: Member): Promise<void> {
    member.closeRecord();
    this.speaks(member, false);
    this.#addressing.left(member.identity);
    await Promise.all([this.settled(), this.#floor.forget(member.identity)]);
  }

  greet({ text, speech }: Welcome): void {
    this.#sayUnasked({ text, speech });
    this.tellState();
  }

  #sayUnasked({ text, speech }: Welcome): void {
    const responseId = uuidv7();
    this.#answers.introduce(responseId, text, speech);
    this.#floor.say({ responseId, text, speech, isLast: true });
    this.#addressing.agentSaid(null, text);
  }

  /** Several silent people are busy with each other. */
  async #askWhetherThere(): Promise<boolean> {
    const { agent, calls, members, mayAnswer, record } = this.#around;
    const [member] = members.values();
    if (!member || members.size !== 1 || !mayAnswer()) return false;
    const question = await calls.stillThere(agent.profile, await record.conversationOf(member.identity));
    if (!question || !this.#isQuiet) return false;
    this.#sayUnasked(question);
    return true;
  }

  get #isSpoken(): boolean {
    return [...this.#around.members.values()].some(({ isSpeaking }) => isSpeaking);
  }

  /** Whether all are silent, and no reply is playing or on its way, since people were greeted. */
  get #isQuiet(): boolean {
    return this.#around.isOpen() && this.#around.members.size > 0 && !this.#isSpoken && this.#floor.isQuiet;
  }

  began(speechId: string): void {
    this.#floor.began(speechId);
  }

  played(position: SpeechPosition): void {
    this.#loudspeaker.played(position);
  }

  ended(speechId: string): void {
    this.#loudspeaker.ended(speechId);
    this.#floor.ended(speechId);
  }

  /** Stops the voice and answers no more. Resolves when all words are stored. */
  async stop(): Promise<void> {
    this.#addressing.interrupted();
    this.#silence.stir();
    await this.#floor.clear();
    await this.settled();
  }

  /** Resolves when all words so far are stored, or storing failed. */
  async settled(): Promise<void> {
    await this.#answers.settled();
  }

  close(): void {
    this.#silence.close();
    this.#status.close();
  }

  tellState(): void {
    this.#silence.stir();
    const state = this.#agentState();
    if (this.#status.is(state) && state === 'listening') this.#addressing.agentListens();
  }

  #meant(identity: string, text: string): Meant {
    return this.#around.mayAnswer() ? this.#addressing.meant(identity, text) : 'stay-silent';
  }

  #agentState(): AgentState {
    const { state } = this.#floor;
    if (state === 'speaking') return 'speaking';
    if (state === 'taken') return 'thinking';
    // The first person is greeted before they may speak.
    return this.#around.isOpen() && state !== 'introducing' ? 'listening' : 'initializing';
  }

  async #kept(storing: Promise<unknown>): Promise<void> {
    try {
      await storing;
    } catch (error) {
      this.#around.onFailure(error);
      this.#status.complain('What was said could not be kept. Please say it again in a moment.');
    }
  }
}
