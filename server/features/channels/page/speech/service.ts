import type { RecognitionEngine } from '#server/engines/recognition/contract';
import type { Seat, SharedState } from '#server/engines/shared-state/contract';
import type { VoiceActivityEngine } from '#server/engines/voice-activity/contract';
import type { RecordingsService } from '#server/features/conversations/recordings/service';
import type { ConversationsService } from '#server/features/conversations/service';
import { defaultSilenceLimits, type SilenceLimits } from '#server/features/floor/silence';
import type { ReplySentence } from '#server/features/floor/surroundings';
import type { FinishedReply } from '#server/features/turns/call-events';
import type { CallsService } from '#server/features/turns/service';
import { appErrorOf } from '#server/lib/app-error-of';
import {
  conflict,
  conversationEnded,
  inItsWords,
  notFound,
  restarting,
  unavailable,
} from '#server/lib/errors';
import { accountOf } from '#server/lib/scope';
import { within } from '#server/lib/wait';
import type { TurnTaking, TurnTakingOptions } from '#server/listening/contract';
import { refusal } from '#shared/refusals/refusal';
import type { SpeakingClient, SpeechRequest } from './hearing.ts';
import type { SoundChunk } from './sound.ts';
import { SpeechStream, type SpeechSurroundings } from './stream.ts';

export type { SpeakingClient } from './hearing.ts';

export interface SpeechDependencies {
  calls: CallsService;
  conversations: ConversationsService;
  ears: { recognition: RecognitionEngine; voiceActivity: VoiceActivityEngine };
  listen(options: TurnTakingOptions): TurnTaking;
  /** Stores hands-free audio of customers; without it none is stored. */
  recordings?: Pick<RecordingsService, 'keepUtterance'>;
  /** How long a new utterance would wait to be recognised, in milliseconds. */
  earsWaitMs(): number;
  /** Counts the microphones of an account over all instances. */
  sharedState: Pick<SharedState, 'take'>;
  onFailure(error: unknown): void;
  limits?: Partial<SpeechLimits>;
  /** Monotonic milliseconds. */
  now?: () => number;
}

interface SpeechLimits {
  /** Open microphones of one user on all instances, each in its own conversation. */
  streamsPerUser: number;
  /** Open microphones on this instance: each holds the sound of its utterance, up to a few megabytes. */
  streams: number;
  /** No new hands-free stream while an answer would wait so long for a busy voice. */
  voiceWaitMs: number;
  /** No new stream while an utterance would wait so long to be recognised. */
  earsWaitMs: number;
  silence: SilenceLimits;
}

const defaultLimits: SpeechLimits = {
  streamsPerUser: 3,
  streams: 200,
  voiceWaitMs: 2_500,
  earsWaitMs: 3_000,
  silence: defaultSilenceLimits,
};
/** Time to finish recognition when the server closes. */
const LAST_WORDS_MS = 3_000;

/** People who speak with an agent on the page: one microphone per client and per conversation. */
export class SpeechService {
  readonly #deps: SpeechDependencies;
  readonly #limits: SpeechLimits;
  readonly #around: SpeechSurroundings;
  /** The newest stream of each client, even if ended, so that its late sound gets the reason for the refusal. */
  readonly #byClient = new Map<string, SpeechStream>();
  /** Streams that count against the limits. */
  readonly #open = new Set<SpeechStream>();
  #isClosing = false;

  constructor(deps: SpeechDependencies) {
    this.#deps = deps;
    this.#limits = { ...defaultLimits, ...deps.limits };
    const { recognition, voiceActivity } = deps.ears;
    this.#around = {
      calls: deps.calls,
      silence: this.#limits.silence,
      listen: (options) => deps.listen({ ...options, recognition, voiceActivity }),
      keepUtterance: (scope, message, sound) => deps.recordings?.keepUtterance(scope, message, sound),
      onUnexpected: deps.onFailure,
      now: deps.now ?? (() => performance.now()),
    };
    deps.conversations.onClosing(({ conversationId, reason }) => {
      for (const stream of this.#streamsIn(conversationId))
        stream.cut(reason === 'ended' ? conversationEnded() : notFound('conversation'));
    });
  }

  /**
   * Switches a client's microphone on. Sound may follow at once. Another microphone of the same client, or in the same
   * conversation, is switched off.
   * @throws AppError not-found, conversation-ended, conflict for too many microphones, unavailable without ears
   */
  async start(request: SpeechRequest, client: SpeakingClient): Promise<void> {
    this.leave(client.id);
    this.#refuseTooMany(request);
    const seat = this.#deps.sharedState.take(
      `microphones of ${accountOf(request.scope)}`,
      this.#limits.streamsPerUser,
    );
    const stream = new SpeechStream(request, client, this.#around, () => {
      this.#open.delete(stream);
      void seat.then((taken) => taken?.release());
    });
    this.#open.add(stream);
    this.#byClient.set(client.id, stream);
    await this.#openStream(stream, seat);
  }

  /**
   * Takes the next sound of a client's microphone.
   * @throws AppError for refused sound
   */
  accept(clientId: string, sound: SoundChunk): void {
    const stream = this.#byClient.get(clientId);
    if (!stream) throw silent();
    stream.accept(sound);
  }

  /** Open microphones, and the most allowed. */
  get seats(): { taken: number; max: number } {
    return { taken: this.#open.size, max: this.#limits.streams };
  }

  /** Whether a client knows already that its stream accepts no more sound. */
  isOver(clientId: string): boolean {
    return this.#byClient.get(clientId)?.closed != null;
  }

  /**
   * Switches a client's microphone off.
   * @returns the text of a push to talk; '' if none, and for hands-free
   * @throws AppError conflict if it is not on, unavailable if recognition failed
   */
  async end(clientId: string, conversationId: string, discard: boolean): Promise<string> {
    const stream = this.#byClient.get(clientId);
    if (stream?.request.conversationId !== conversationId) throw silent();
    return stream.end(discard);
  }

  /** The reply that a client's loudspeaker begins; null when the agent's voice has ended. */
  playback(clientId: string, conversationId: string, responseId: string | null): void {
    const stream = this.#byClient.get(clientId);
    if (stream?.request.conversationId === conversationId) stream.playback(responseId);
  }

  /** A sentence of a reply on its way to a client. */
  sentence(clientId: string, sentence: ReplySentence & { conversationId: string }): void {
    const stream = this.#byClient.get(clientId);
    if (stream?.request.conversationId === sentence.conversationId) stream.sentence(sentence);
  }

  /** A reply that was sent to a client as a whole. */
  replied(clientId: string, reply: FinishedReply): void {
    const stream = this.#byClient.get(clientId);
    if (stream?.request.conversationId === reply.conversationId) stream.replied(reply);
  }

  /** Removes a lost client. Its complete utterances are taken. */
  leave(clientId: string): void {
    this.#byClient.get(clientId)?.leave();
    this.#byClient.delete(clientId);
  }

  /** This instance is closing: speakers get neither answers nor refusals, and continue where their call does. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  /**
   * Takes complete utterances. The current ones are recognised where the call continues, since clients keep their sound
   * until then. Call it before closing calls.
   */
  async close(): Promise<void> {
    this.#isClosing = true;
    await within(LAST_WORDS_MS, Promise.all([...this.#open].map((stream) => stream.handOver())));
  }

  async #openStream(stream: SpeechStream, seat: Promise<Seat | null>): Promise<void> {
    const { scope, conversationId, agentId } = stream.request;
    try {
      if (!(await seat)) throw conflict('calls.speaking-in-other-tabs');
      const language = await this.#deps.calls.languageOf(scope, conversationId, agentId);
      this.#refuseDeafness();
      if (this.#isClosing) throw restarting();
      for (const other of this.#streamsIn(conversationId))
        if (other !== stream) void other.stop(conflict('calls.speaking-in-another-tab'));
      stream.open(language);
    } catch (error) {
      stream.refuse(appErrorOf(error));
      throw error;
    }
  }

  #streamsIn(conversationId: string): SpeechStream[] {
    const id = conversationId.toLowerCase();
    return [...this.#open].filter((stream) => stream.request.conversationId.toLowerCase() === id);
  }

  #refuseTooMany({ mode }: SpeechRequest): void {
    const { streams, voiceWaitMs, earsWaitMs } = this.#limits;
    const isLate = mode === 'hands-free' && this.#deps.calls.voiceWaitMs > voiceWaitMs;
    const isUnheard = this.#deps.earsWaitMs() > earsWaitMs;
    if (this.#open.size >= streams || isLate || isUnheard) throw unavailable('calls.too-many-speaking');
  }

  #refuseDeafness(): void {
    const { recognition, voiceActivity } = this.#deps.ears;
    for (const { state, progress, message } of [recognition.status(), voiceActivity.status()]) {
      if (state === 'fetching')
        throw unavailable(
          progress === undefined
            ? 'calls.ears-fetched'
            : refusal('calls.ears-fetched-in-part', { percent: Math.floor(progress * 100) }),
        );
      if (state === 'loading') throw unavailable('calls.ears-loading');
      if (state === 'failed') throw unavailable(inItsWords({ message }));
    }
  }
}

const silent = () => conflict('calls.microphone-off');
