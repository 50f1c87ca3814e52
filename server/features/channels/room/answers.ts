import type { Sound } from '#server/audio/sound';
import type { AgentProfile } from '#server/dialogue/contract';
import type { FloorSurroundings, ReplySentence, Said, Taken } from '#server/features/floor/surroundings';
import {
  type CallsService,
  delivered,
  type FinishedReply,
  playedText,
  type StoredTurn,
  type TurnListener,
} from '#server/features/turns/service';
import type { CallRecord, OpenRecord } from './call-record.ts';

/** More than these do not wait to be heard. */
const REMEMBERED_UNASKED = 8;

/** Something a person said in a room. */
export interface Spoken extends Said {
  /** Names it in every record: the same again is stored and answered once. */
  saidAs: string;
  /** Resolves when their record is open; null: they have left, and the record is about to be closed. */
  entered: Promise<void> | null;
  /** Keeps the voice it was said in, once it is stored. */
  keepVoice(record: OpenRecord, messageId: string): void;
}

interface AnswersSurroundings {
  calls: Pick<CallsService, 'takeTurn' | 'note' | 'think' | 'stopThinking' | 'stop'>;
  record: CallRecord;
  agent: AgentProfile;
  /** A sentence of an answer is there. */
  onSentence(sentence: ReplySentence): void;
  /** The agent has said all of this to somebody. */
  onAnswered(to: string, text: string): void;
  /** Somebody was answered. @param leavesTo what the reply leaves the call to */
  onReplied(leavesTo: FinishedReply['leavesTo']): void;
  onTrouble(sentence: string): void;
}

/**
 * What the floor of a room has answered: each question as a turn of a call in the record of whoever asked, told to the
 * records of the others. All of it is stored in the order in which it was said.
 */
export class Answers
  implements Pick<FloorSurroundings<Spoken>, 'take' | 'note' | 'think' | 'stopThinking' | 'stop'>
{
  readonly #around: AnswersSurroundings;
  #storing: Promise<unknown> = Promise.resolve();
  /** The conversations that questions were taken in. */
  readonly #askedIn = new WeakMap<Spoken, OpenRecord>();
  /** Whose record what was said unasked stands in, by its id. */
  readonly #unasked = new Map<string, { by: string; record: OpenRecord }>();
  #introduction: { responseId: string; text: string; speech: Sound | null } | null = null;

  constructor(around: AnswersSurroundings) {
    this.#around = around;
  }

  take(spoken: Spoken): Promise<Taken> {
    const { by, saidAs, text, goesOn, asked, keepVoice } = spoken;
    const { calls, agent, record } = this.#around;
    return this.#store(spoken, async (askedIn) => {
      const sharedCallId = await record.callId();
      this.#askedIn.set(spoken, askedIn);
      return calls.takeTurn(
        {
          ...askedIn,
          ...{ sharedCallId, text, agent, goesOn, asked },
          speaker: record.nameOf(by),
          clientMessageId: saidAs,
          isSpoken: true,
        },
        this.#listenerOf(spoken),
        { onStored: ({ messageId, isMasked }) => !isMasked && keepVoice(askedIn, messageId) },
      );
    });
  }

  async note(spoken: Spoken): Promise<Spoken> {
    const { saidAs, text, keepVoice } = spoken;
    await this.#store(spoken, async (record) => {
      const { agent, calls } = this.#around;
      const stored = await calls.note({ ...record, text, clientMessageId: saidAs, agent });
      if (!stored.isMasked) keepVoice(record, stored.messageId);
      return stored;
    });
    return { ...spoken, keepVoice() {} };
  }

  think({ by, text, goesOn }: Said): void {
    const { calls, agent } = this.#around;
    this.#inConversationOf(by, (record) => calls.think({ ...record, text, agent, goesOn }));
  }

  stopThinking({ by }: Said): void {
    this.#inConversationOf(by, ({ conversationId }) => this.#around.calls.stopThinking(conversationId));
  }

  stop(responseId: string, spoken: Spoken | null, playedMs: Promise<number>): Promise<void> {
    const told = spoken
      ? { by: spoken.by, record: this.#askedIn.get(spoken) }
      : this.#unasked.get(responseId);
    return told ? this.#stopReply(responseId, told, playedMs) : this.#stopIntroduction(responseId, playedMs);
  }

  /** Hears what is said in the record of somebody in the room without answering any message of theirs. */
  attendant(by: string, record: OpenRecord): TurnListener {
    const listener = this.#listenerOf({ by, saidAs: record.conversationId });
    return {
      ...listener,
      sentence: (sentence) => {
        this.#unasked.set(sentence.responseId, { by, record });
        const [oldest] = this.#unasked.keys();
        if (this.#unasked.size > REMEMBERED_UNASKED && oldest !== undefined) this.#unasked.delete(oldest);
        return listener.sentence(sentence);
      },
    };
  }

  /** Stores what the agent says of itself. */
  introduce(responseId: string, text: string, speech: Sound | null): void {
    this.#introduction = { responseId, text, speech };
    this.#around.record.agentSpoke(responseId, text, speech);
  }

  /** Resolves when everything said so far is stored, or could not be. */
  async settled(): Promise<void> {
    await this.#storing;
  }

  #store<T extends StoredTurn>(spoken: Spoken, write: (record: OpenRecord) => Promise<T>): Promise<T> {
    const { by, saidAs, entered } = spoken;
    const store = async () => {
      await entered;
      const stored = await this.#around.record.inConversationOf(by, write);
      this.#around.record.tellOthers(by, { saidAs, text: stored.text });
      return stored;
    };
    // Who comes back at once waits for their own last words: these wait for nobody.
    return entered ? this.#inOrder(store) : store();
  }

  #inOrder<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#storing.then(task);
    this.#storing = done.catch(() => {});
    return done;
  }

  #inConversationOf(by: string, act: (record: OpenRecord) => void): void {
    void this.#around.record.conversationOf(by).then((record) => {
      if (record) act(record);
    });
  }

  async #stopReply(
    responseId: string,
    { by, record: toldIn }: { by: string; record: OpenRecord | undefined },
    playedMs: Promise<number>,
  ): Promise<void> {
    const { calls, record } = this.#around;
    if (!toldIn) return;
    const stopping = calls.stop({ ...toldIn, responseId }, playedMs);
    // Stopped now, told to the other records in its turn.
    stopping.catch(() => {});
    await this.#inOrder(async () => {
      const { content } = await stopping;
      record.cut(responseId, content, await playedMs, by);
    });
  }

  async #stopIntroduction(responseId: string, playedMs: Promise<number>): Promise<void> {
    if (this.#introduction?.responseId !== responseId) return;
    const { text, isWhole } = playedText([delivered(this.#introduction)], await playedMs);
    if (!isWhole) this.#around.record.cut(responseId, text, await playedMs, null);
  }

  #listenerOf({ by, saidAs }: Pick<Spoken, 'by' | 'saidAs'>): TurnListener {
    const { record, onSentence, onAnswered, onReplied, onTrouble } = this.#around;
    return {
      id: `room:${saidAs}`,
      isPresent: true,
      followsSentences: true,
      typing() {},
      sentence: onSentence,
      reply: (reply: FinishedReply) => {
        record.agentReplied(by, saidAs, reply);
        onReplied(reply.leavesTo);
        if (!reply.message.interrupted && reply.message.content) onAnswered(by, reply.message.content);
      },
      failed: ({ message }) => onTrouble(message),
    };
  }
}
