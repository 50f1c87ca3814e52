import type { Sound } from '#server/audio/sound';
import type { AgentProfile } from '#server/dialogue/contract';
import type { CallsService, FinishedReply, TurnListener } from '#server/features/calls/service';
import type { AgentVoice } from './agent-voice.ts';
import type { CallRecord } from './call-record.ts';

/** Questions that wait behind each other; whoever asks more has stopped listening. */
const MAX_WAITING = 10;

/** Something a person said. */
export interface Spoken {
  askerId: string;
  /** Names it in every record: the same again is stored and answered once. */
  saidAs: string;
  text: string;
  /** It goes on with what was said before, whose answer was called off unheard. */
  goesOn: boolean;
  /** Keeps the voice it was said in, once it is stored. */
  keepVoice(conversationId: string, messageId: string): void;
}

export interface AnswersSurroundings {
  calls: Pick<
    CallsService,
    'takeTurn' | 'note' | 'anticipate' | 'dismiss' | 'interrupt' | 'yieldFloor' | 'leave'
  >;
  record: CallRecord;
  agent: AgentProfile;
  voice: AgentVoice;
  /** A sentence is about to be heard: pauses the voice where somebody speaks. */
  mayBegin(): void;
  /** Whether the agent thinks, or speaks, may have changed. */
  onState(): void;
  /** The agent has said all of this to somebody. */
  onAnswered(askerId: string, text: string): void;
  onTrouble(sentence: string): void;
  onFailure(error: unknown): void;
}

/** One answer on its way. */
interface Answer {
  spoken: Spoken;
  conversationId: string | null;
  responseId: string | null;
  /** Somebody took the floor before the answer had a name. */
  isCalledOff: boolean;
  isReplied: boolean;
  listenerId: string;
}

/**
 * The agent's answers in one room: one at a time, in the order of the questions, each made as a turn of a call in the
 * record of whoever asked and told to the records of the others.
 */
export class Answers {
  readonly #around: AnswersSurroundings;
  #current: Answer | null = null;
  #waiting: Spoken[] = [];
  /** What it says of itself, such as its welcome. */
  #ownSpeech: string | null = null;

  constructor(around: AnswersSurroundings) {
    this.#around = around;
  }

  /** An answer is being made, or waits to be heard. */
  get isThinking(): boolean {
    return this.#current !== null;
  }

  /** It says something of itself, or is about to. */
  get isIntroducing(): boolean {
    return this.#ownSpeech !== null;
  }

  /** Says something that nobody asked for; stored by who has it said. */
  speak(responseId: string, text: string, speech: Sound | null): void {
    const { voice, mayBegin } = this.#around;
    if (voice.speechId !== null || this.#current) return;
    this.#ownSpeech = responseId;
    mayBegin();
    voice.say(responseId, text, speech);
    voice.complete(responseId);
  }

  /** Stores what somebody said to somebody else. */
  async note(spoken: Spoken): Promise<void> {
    const { calls, record } = this.#around;
    const { askerId, saidAs, text } = spoken;
    await record.inConversationOf(askerId, async (conversationId) => {
      const said = { userId: askerId, conversationId, text, clientMessageId: saidAs };
      const { messageId } = await calls.note(said);
      spoken.keepVoice(conversationId, messageId);
    });
    record.tellOthers(askerId, { saidAs, text });
  }

  /** Answers when its turn has come. Resolves when what was said is stored. */
  async answer(spoken: Spoken): Promise<void> {
    if (this.#current || this.#ownSpeech) {
      await this.note(spoken);
      if (this.#waiting.length < MAX_WAITING) this.#waiting.push(spoken);
      // Whatever was in the way may have ended meanwhile.
      this.#next();
      return;
    }
    await this.#begin(spoken);
  }

  /** Somebody may have said this to the agent. */
  thinkAhead(userId: string, text: string, goesOn: boolean): void {
    const { calls, record, agent } = this.#around;
    if (this.#current) return;
    void record.conversationOf(userId).then((conversationId) => {
      if (conversationId) calls.anticipate({ userId, conversationId, text, agent, goesOn });
    });
  }

  /** A speech was heard to its end. */
  spoken(speechId: string): void {
    if (this.#ownSpeech === speechId) this.#ownSpeech = null;
    else if (this.#current?.responseId !== speechId) return;
    this.#conclude();
  }

  /**
   * Somebody takes the floor: what is being said or made ends there, in every record, too.
   * @returns `unheard` where that was an answer to themselves of which nothing was heard
   */
  async interrupt(byUserId: string): Promise<'unheard' | 'heard' | 'nothing'> {
    const answer = this.#current;
    const stopped = await this.#stop();
    if (!answer) return stopped ? 'heard' : 'nothing';
    const isUnheard = !stopped || stopped.heardMs === 0;
    return isUnheard && answer.spoken.askerId === byUserId ? 'unheard' : 'heard';
  }

  /** Somebody has left: nothing of theirs is answered any more. */
  async forget(userId: string): Promise<void> {
    this.#waiting = this.#waiting.filter(({ askerId }) => askerId !== userId);
    if (this.#current?.spoken.askerId === userId) await this.#stop();
  }

  /** Nobody is there any more: stops, and answers nothing of what waits. */
  async callOff(): Promise<void> {
    this.#waiting = [];
    await this.#stop();
  }

  async #stop(): Promise<{ heardMs: number } | null> {
    const { voice, record, calls } = this.#around;
    const answer = this.#current;
    const own = this.#ownSpeech;
    this.#current = null;
    this.#ownSpeech = null;
    if (answer) {
      answer.isCalledOff = true;
      const { conversationId, responseId } = answer;
      if (conversationId && responseId)
        calls.yieldFloor(answer.spoken.askerId, conversationId, responseId, voice.heardMs);
    }
    const stopped = await voice.stop();
    if (answer) await this.#cut(answer, stopped?.heardMs ?? 0);
    else if (own && stopped && !stopped.isWhole) record.cut(own, stopped.text, stopped.heardMs, null);
    this.#next();
    return stopped;
  }

  async #cut({ spoken, conversationId, responseId }: Answer, heardMs: number): Promise<void> {
    const { calls, record, onFailure } = this.#around;
    if (!conversationId || !responseId) return;
    try {
      const { content } = await calls.interrupt(spoken.askerId, conversationId, responseId, heardMs);
      record.cut(responseId, content, heardMs, spoken.askerId);
    } catch (error) {
      onFailure(error);
    }
  }

  async #begin(spoken: Spoken): Promise<void> {
    const { calls, record, agent, onState } = this.#around;
    const { askerId: userId, saidAs, text, goesOn } = spoken;
    const answer: Answer = {
      spoken,
      conversationId: null,
      responseId: null,
      isCalledOff: false,
      isReplied: false,
      listenerId: `room:${saidAs}`,
    };
    this.#current = answer;
    onState();
    try {
      await record.inConversationOf(userId, async (conversationId) => {
        answer.conversationId = conversationId;
        const turn = await calls.takeTurn(
          { userId, conversationId, text, clientMessageId: saidAs, agent, isHeard: true, goesOn },
          this.#listenerOf(answer),
          { onStored: (messageId) => spoken.keepVoice(conversationId, messageId) },
        );
        answer.responseId = turn.responseId;
      });
      record.tellOthers(userId, { saidAs, text });
      const { conversationId, responseId } = answer;
      if (answer.isCalledOff && conversationId && responseId) {
        calls.yieldFloor(userId, conversationId, responseId, 0);
        await this.#cut(answer, 0);
      }
    } catch (error) {
      if (this.#current === answer) this.#conclude();
      throw error;
    }
  }

  #listenerOf(answer: Answer): TurnListener {
    const { voice, record, mayBegin, onState, onAnswered, onTrouble } = this.#around;
    const { askerId, saidAs } = answer.spoken;
    return {
      id: answer.listenerId,
      get isPresent() {
        return !answer.isCalledOff;
      },
      typing: () => onState(),
      sentence: ({ responseId, text, speech }) => {
        if (answer.isCalledOff) return;
        answer.responseId = responseId;
        if (voice.speechId === null) mayBegin();
        voice.say(responseId, text, speech);
      },
      reply: (reply: FinishedReply) => {
        record.agentReplied(askerId, saidAs, reply);
        if (answer.isCalledOff) return;
        answer.isReplied = true;
        onAnswered(askerId, reply.message.content);
        voice.complete(reply.responseId);
        // An answer without a single sentence has nothing to be heard.
        if (this.#current === answer && voice.speechId !== reply.responseId) this.#conclude();
      },
      failed: ({ message }) => {
        if (answer.isCalledOff) return;
        onTrouble(message);
        if (answer.responseId && voice.speechId === answer.responseId) voice.complete(answer.responseId);
        else if (this.#current === answer) this.#conclude();
      },
    };
  }

  #conclude(): void {
    this.#current = null;
    this.#around.onState();
    this.#next();
  }

  #next(): void {
    if (this.#current || this.#ownSpeech) return;
    const spoken = this.#waiting.shift();
    if (!spoken) return;
    // It is stored and its voice is kept already.
    this.#begin({ ...spoken, keepVoice: () => {} }).catch((error: unknown) => this.#around.onFailure(error));
  }
}
