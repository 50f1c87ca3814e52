import { v7 as uuidv7 } from 'uuid';
import { HEARING_SAMPLE_RATE } from '#server/engines/recognition/contract';
import { Floor } from '#server/features/floor/floor';
import { Silence } from '#server/features/floor/silence';
import type { ReplySentence, Said, Taken } from '#server/features/floor/surroundings';
import type { FinishedReply } from '#server/features/turns/call-events';
import { AppError } from '#server/lib/errors';
import type { SpokenUtterance } from '#server/listening/contract';
import { type Asked, askedAloud } from '#server/telemetry/timeline';
import type { Hearing, HearingContext } from './hearing.ts';
import { PageLoudspeaker } from './page-loudspeaker.ts';

/** The speaker's id on a page: one microphone, one person. */
const CUSTOMER = 'customer';

interface Utterance extends Said {
  clientMessageId: string;
  samples: Float32Array | null;
}

/** Hands-free on a page: passes utterances to the floor, and the floor's decisions to the page. */
export class SpokenCall implements Hearing {
  readonly listener: Hearing['listener'];
  readonly understood = '';
  readonly #context: HearingContext;
  readonly #loudspeaker: PageLoudspeaker;
  readonly #floor: Floor<Utterance>;
  readonly #silence: Silence;
  #partial = '';
  #isSpeaking = false;
  /** The utterances being stored. */
  #takes: Promise<unknown> = Promise.resolve();

  constructor(context: HearingContext) {
    this.#context = context;
    const { client, calls, request, agentSays } = context;
    const { scope, conversationId, voice } = request;
    this.#loudspeaker = new PageLoudspeaker({
      bargeIn: (phase) => client.bargeIn(conversationId, phase),
      notPlayed: (responseId) => this.#floor.ended(responseId),
      now: context.now,
    });
    this.#floor = new Floor<Utterance>({
      loudspeaker: this.#loudspeaker,
      oneAtATime: false,
      take: (utterance) => this.#take(utterance),
      think: ({ text, goesOn }) =>
        calls.think({ scope, conversationId, text, voice, goesOn, isSpoken: true }),
      stopThinking: () => calls.stopThinking(conversationId),
      stop: async (responseId, _said, playedMs) => {
        await calls.stop({ scope, conversationId, responseId }, playedMs);
      },
      agentSays,
      changed: () => this.#silence.stir(),
      onFailure: (error) => this.#unexpected(error),
    });
    this.#silence = new Silence({
      limits: context.silence,
      isQuiet: () => this.#isQuiet,
      ask: () => this.#askWhetherThere(),
      end: () => void calls.hangUp(scope, conversationId).catch((error) => this.#unexpected(error)),
    });
    this.listener = {
      speaking: (isSpeaking) => {
        client.activity(conversationId, isSpeaking);
        this.#isSpeaking = isSpeaking;
        if (isSpeaking) this.#floor.spokeOn(CUSTOMER, '');
        else if (this.#partial) this.#show('', true);
        this.#silence.stir();
      },
      partial: (text) => {
        this.#show(text, false);
        this.#floor.spokeOn(CUSTOMER, text);
      },
      hold: () => this.#floor.hold(CUSTOMER),
      release: () => {
        this.#floor.release(CUSTOMER);
        this.#silence.stir();
      },
      interrupt: () => this.#floor.interrupt(CUSTOMER),
      candidate: (text) => this.#floor.mayBeDone(CUSTOMER, text),
      utterance: (utterance) => this.#said(utterance, askedAloud(utterance)),
    };
  }

  open(): void {
    this.#silence.stir();
  }

  playback(responseId: string | null): void {
    this.#played(responseId);
    this.#silence.stir();
  }

  #played(responseId: string | null): void {
    if (responseId === null) {
      const { responseId: played } = this.#loudspeaker;
      this.#loudspeaker.ended();
      if (played === null) this.#context.agentSays(null);
      else this.#floor.ended(played);
      return;
    }
    this.#loudspeaker.began(responseId);
    if (!this.#floor.began(responseId)) void this.#lookUp(responseId);
  }

  sentence(sentence: ReplySentence): void {
    this.#floor.sentence(sentence);
    this.#silence.stir();
  }

  replied({ message, leavesTo }: FinishedReply): void {
    // Unasked words are no answer.
    if (message.replyTo !== null) this.#silence.answered(leavesTo);
  }

  close(takesStanding: boolean): void {
    this.#silence.close();
    const { candidate } = this.#floor;
    if (takesStanding && candidate)
      this.#said({ text: candidate.text, samples: null, continues: candidate.goesOn });
    this.#loudspeaker.close();
  }

  async settled(): Promise<void> {
    await this.#takes;
  }

  conclude(): string {
    return '';
  }

  #show(text: string, isFinal: boolean): void {
    this.#partial = isFinal ? '' : text;
    this.#context.client.transcript(this.#context.request.conversationId, text, isFinal);
  }

  #said(
    { text, samples, continues }: Pick<SpokenUtterance, 'text' | 'samples' | 'continues'>,
    asked?: Asked,
  ): void {
    const goesOn = continues && this.#floor.goesOn(CUSTOMER);
    const utterance = { by: CUSTOMER, text, goesOn, asked, samples, clientMessageId: uuidv7() };
    this.#show(text, true);
    this.#silence.spoke();
    const taking = this.#floor.take(utterance).catch((error: unknown) => {
      this.#unexpected(error);
      const { clientMessageId } = utterance;
      this.#context.client.refused(this.#context.request.conversationId, error, { clientMessageId, text });
    });
    this.#takes = Promise.all([this.#takes, taking]);
  }

  async #take({ text, goesOn, asked, samples, clientMessageId }: Utterance): Promise<Taken> {
    const { calls, client, keepUtterance } = this.#context;
    const { scope, conversationId, voice } = this.#context.request;
    const request = { scope, conversationId, text, clientMessageId, voice, isSpoken: true, goesOn, asked };
    const taken = await calls.takeTurn(request, client.turns);
    const message = { id: taken.messageId, conversationId };
    if (samples && !taken.isMasked)
      keepUtterance(scope, message, { samples, sampleRate: HEARING_SAMPLE_RATE });
    return taken;
  }

  get #isQuiet(): boolean {
    return !this.#isSpeaking && this.#floor.isQuiet;
  }

  async #askWhetherThere(): Promise<boolean> {
    const { calls, client, request } = this.#context;
    const { scope, conversationId, voice } = request;
    const call = { scope, conversationId, voice, isQuiet: () => this.#isQuiet };
    try {
      return await calls.askWhetherThere(call, client.turns);
    } catch (error) {
      this.#unexpected(error);
      return false;
    }
  }

  async #lookUp(responseId: string): Promise<void> {
    const { scope, conversationId } = this.#context.request;
    try {
      const words = await this.#context.calls.wordsOf({ scope, conversationId, responseId });
      if (words) this.#floor.known(responseId, words);
    } catch (error) {
      this.#unexpected(error);
    }
  }

  #unexpected(error: unknown): void {
    if (!(error instanceof AppError)) this.#context.onUnexpected(error);
  }
}
