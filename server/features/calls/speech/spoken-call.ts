import { v7 as uuidv7 } from 'uuid';
import type { SpokenUtterance } from '#server/dialogue/turn-taking/contract';
import { HEARING_SAMPLE_RATE } from '#server/engines/recognition/contract';
import { AppError } from '#server/errors';
import { isSameText } from '../customer-turn.ts';
import type { SpokenSentence } from '../speak-in-order.ts';
import type { Hearing, HearingContext } from './hearing.ts';
import { Loudspeaker } from './loudspeaker.ts';
import { Replies } from './replies.ts';

/** Hands-free: what is said is taken as messages, and the agent gives way to who speaks over it. */
export class SpokenCall implements Hearing {
  readonly listener: Hearing['listener'];
  readonly understood = '';
  readonly #context: HearingContext;
  readonly #loudspeaker: Loudspeaker;
  readonly #replies: Replies;
  #partial = '';
  /** What was said, unless the customer goes on. */
  #standing: string | null = null;
  /** The next utterance goes on with the one before. */
  #goesOn = false;
  /** What is being taken, one after another. */
  #takes = Promise.resolve();

  constructor(context: HearingContext) {
    this.#context = context;
    this.#loudspeaker = new Loudspeaker(() => context.now());
    this.#replies = new Replies((words) => {
      context.agentSays(words);
      context.agentSays(null);
    });
    const { client } = context;
    const { conversationId } = context.request;
    this.listener = {
      speaking: (isSpeaking) => {
        client.activity(conversationId, isSpeaking);
        if (isSpeaking) this.#standing = null;
        else if (this.#partial) this.#showFinal('');
      },
      partial: (text) => this.#show(text),
      hold: () => {
        this.#loudspeaker.pause();
        client.bargeIn(conversationId, 'hold');
      },
      release: () => {
        this.#loudspeaker.resume();
        client.bargeIn(conversationId, 'release');
      },
      interrupt: () => this.#interrupt(),
      candidate: (text) => this.#thinkAhead(text),
      utterance: (utterance) => this.#take(utterance),
    };
  }

  playback(responseId: string | null): void {
    if (responseId === null) {
      this.#loudspeaker.end();
      this.#context.agentSays(null);
      return;
    }
    this.#loudspeaker.begin(responseId);
    this.#replies.isHeard(responseId);
    const words = this.#replies.wordsOf(responseId);
    this.#context.agentSays(words ?? '');
    if (words === null) void this.#lookUp(responseId);
  }

  sentence(sentence: SpokenSentence & { responseId: string }): void {
    this.#replies.add(sentence);
    const { responseId } = sentence;
    if (this.#loudspeaker.responseId === responseId)
      this.#context.agentSays(this.#replies.wordsOf(responseId));
  }

  close(takesStanding: boolean): void {
    if (takesStanding && this.#standing !== null)
      this.#take({ text: this.#standing, samples: null, continues: this.#goesOn });
    this.#replies.close();
  }

  settled(): Promise<void> {
    return this.#takes;
  }

  conclude(): string {
    return '';
  }

  #show(text: string): void {
    const { client, calls, request } = this.#context;
    this.#partial = text;
    client.transcript(request.conversationId, text, false);
    if (this.#standing === null || isSameText(text, this.#standing)) return;
    this.#standing = null;
    calls.dismiss(request.conversationId);
  }

  #showFinal(text: string): void {
    this.#partial = '';
    this.#context.client.transcript(this.#context.request.conversationId, text, true);
  }

  #thinkAhead(text: string): void {
    const { userId, conversationId, voice } = this.#context.request;
    this.#standing = text;
    // A slow recognition tells both at once: then the utterance follows right away.
    queueMicrotask(() => {
      if (this.#standing !== text) return;
      this.#context.calls.anticipate({ userId, conversationId, text, voice, goesOn: this.#goesOn });
    });
  }

  /** The customer takes the floor from a reply that is heard, or that is on its way. */
  #interrupt(): void {
    const { calls, client } = this.#context;
    const { userId, conversationId } = this.#context.request;
    const heard = this.#loudspeaker.responseId;
    client.bargeIn(conversationId, 'interrupt');
    if (heard !== null) {
      calls.yieldFloor(userId, conversationId, heard, this.#loudspeaker.heardMs);
      this.#loudspeaker.stop();
      return;
    }
    this.#goesOn = true;
    this.#takes = this.#takes.then(() => {
      const unheard = this.#replies.takeUnheard();
      // Nothing waits for it: the turns of a conversation follow one another.
      if (unheard)
        calls
          .interrupt(userId, conversationId, unheard, 0)
          .catch((error: unknown) => this.#unexpected(error));
    });
  }

  #take({ text, samples, continues }: Pick<SpokenUtterance, 'text' | 'samples' | 'continues'>): void {
    const { calls, client, keepUtterance } = this.#context;
    const { userId, conversationId, voice } = this.#context.request;
    const clientMessageId = uuidv7();
    const request = {
      userId,
      conversationId,
      text,
      clientMessageId,
      voice,
      isHeard: true,
      goesOn: continues,
    };
    this.#standing = null;
    this.#goesOn = false;
    this.#showFinal(text);
    this.#takes = this.#takes.then(async () => {
      try {
        const { messageId, responseId, settled } = await calls.takeTurn(request, client.turns);
        if (responseId) this.#expect(responseId, settled);
        if (samples)
          keepUtterance(
            userId,
            { id: messageId, conversationId },
            { samples, sampleRate: HEARING_SAMPLE_RATE },
          );
      } catch (error) {
        this.#unexpected(error);
        client.refused(conversationId, error, { clientMessageId, text });
      }
    });
  }

  #expect(responseId: string, settled: Promise<void>): void {
    this.#replies.expect(responseId);
    void settled.then(() => this.#replies.isSettled(responseId));
  }

  async #lookUp(responseId: string): Promise<void> {
    const { userId, conversationId } = this.#context.request;
    try {
      const words = await this.#context.calls.wordsOf(userId, conversationId, responseId);
      if (words && this.#loudspeaker.responseId === responseId) this.#context.agentSays(words);
    } catch (error) {
      this.#unexpected(error);
    }
  }

  #unexpected(error: unknown): void {
    if (!(error instanceof AppError)) this.#context.onUnexpected(error);
  }
}
