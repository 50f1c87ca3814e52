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

/** No more than these wait to be played. */
const REMEMBERED_UNASKED = 8;

/** A person's utterance in a room. */
export interface Spoken extends Said {
  /** Identifies it in every record: repeated, it is stored and answered once. */
  saidAs: string;
  /** Resolves when their record is open; null: they have left, and the record is about to be closed. */
  entered: Promise<void> | null;
  /** Stores its audio, after its text. */
  keepVoice(record: OpenRecord, messageId: string): void;
}

interface AnswersSurroundings {
  calls: Pick<CallsService, 'takeTurn' | 'note' | 'think' | 'stopThinking' | 'stop'>;
  record: CallRecord;
  agent: AgentProfile;
  /** Called with each sentence of an answer. */
  onSentence(sentence: ReplySentence): void;
  /** The agent has said all of this to a person. */
  onAnswered(to: string, text: string): void;
  /** A person was answered. @param leavesTo what the reply expects next */
  onReplied(leavesTo: FinishedReply['leavesTo']): void;
  onTrouble(sentence: string): void;
}

/**
 * The answers of a room's floor: each question is a turn in the record of its speaker, copied to the records of the
 * others. All is stored in the order of speaking.
 */
export class Answers
  implements Pick<FloorSurroundings<Spoken>, 'take' | 'note' | 'think' | 'stopThinking' | 'stop'>
{
  readonly #around: AnswersSurroundings;
  #storing: Promise<unknown> = Promise.resolve();
  /** The record in which each question was taken. */
  readonly #askedIn = new WeakMap<Spoken, OpenRecord>();
  /** The record of each unasked message, by its id. */
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

  /** A listener of unasked words in a person's record. */
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

  /** Stores the agent's unasked words. */
  introduce(responseId: string, text: string, speech: Sound | null): void {
    this.#introduction = { responseId, text, speech };
    this.#around.record.agentSpoke(responseId, text, speech);
  }

  /** Resolves when all speech so far is stored, or storing failed. */
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
    // Last words of a person who left are stored at once, since they may be waited for on return.
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
    // Stops now; the other records are cut in order.
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
